/// A tree as a meta page or a table's record describes it.
struct PageTree {
  /// The bytes of LMDB's record of a tree.
  static let length = 48
  private static let numberKeysFlag: UInt16 = 0x08
  /// The flags that say how keys and values are kept; those above are the environment's.
  private static let orderFlags: UInt16 = 0xff

  let flags: UInt16
  let depth: UInt16
  let branchPages: UInt64
  let leafPages: UInt64
  let overflowPages: UInt64
  let entries: UInt64
  let root: UInt64

  init(_ bytes: [UInt8], at offset: Int) {
    flags = bytes.uint16(offset + 4)
    depth = bytes.uint16(offset + 6)
    branchPages = bytes.uint64(offset + 8)
    leafPages = bytes.uint64(offset + 16)
    overflowPages = bytes.uint64(offset + 24)
    entries = bytes.uint64(offset + 32)
    root = bytes.uint64(offset + 40)
  }

  var isEmpty: Bool { root == PageMeta.noPage }
  /// Whether the flags are those of a plain table; LMDB takes others for another order of keys, or
  /// for several values under one.
  var isPlain: Bool { flags & PageTree.orderFlags == 0 }
  /// Whether the flags are those of the list of free pages.
  var isFreeList: Bool { flags & PageTree.orderFlags == PageTree.numberKeysFlag }
  /// Keys are numbers of the machine rather than bytes; only the list of free pages has such.
  var hasNumberKeys: Bool { flags & PageTree.numberKeysFlag != 0 }
}

/// One branch or leaf page, checked so far that its nodes can be read.
struct TreePage {
  enum Value: Equatable {
    /// A child page, in a branch.
    case child(UInt64)
    /// The place of a value within the page.
    case place(Range<Int>)
    /// The first of the pages that hold a long value, and its length.
    case overflow(page: UInt64, length: Int)
    /// The record of a table.
    case table(Range<Int>)
  }

  private static let branchFlag: UInt16 = 0x01
  private static let leafFlag: UInt16 = 0x02
  private static let headerLength = 16
  private static let nodeHeaderLength = 8

  let bytes: [UInt8]
  let isBranch: Bool
  let count: Int

  /// Nil unless the bytes are page `number`, a branch or a leaf with room for its nodes.
  init?(_ bytes: [UInt8], number: UInt64) {
    guard bytes.uint64(0) == number else { return nil }
    switch bytes.uint16(10) {
    case TreePage.branchFlag: isBranch = true
    case TreePage.leafFlag: isBranch = false
    default: return nil
    }
    let lower = Int(bytes.uint16(12))
    let upper = Int(bytes.uint16(14))
    guard lower >= TreePage.headerLength, lower % 2 == 0, lower <= upper, upper <= bytes.count
    else { return nil }
    count = (lower - TreePage.headerLength) / 2
    // A page without nodes is never written.
    guard count >= 1 else { return nil }
    self.bytes = bytes
  }

  /// The place of the key and what belongs to it; nil if the node leaves the page.
  func node(_ index: Int) -> (key: Range<Int>, value: Value)? {
    let start = Int(bytes.uint16(TreePage.headerLength + 2 * index))
    let keyStart = start + TreePage.nodeHeaderLength
    guard start >= TreePage.headerLength + 2 * count, keyStart <= bytes.count else { return nil }
    let low = UInt64(bytes.uint32(start))
    let flags = bytes.uint16(start + 4)
    let keyEnd = keyStart + Int(bytes.uint16(start + 6))
    guard keyEnd <= bytes.count else { return nil }
    if isBranch { return (keyStart..<keyEnd, .child(low | UInt64(flags) << 32)) }
    let length = Int(low)
    switch flags {
    case 0 where keyEnd + length <= bytes.count:
      return (keyStart..<keyEnd, .place(keyEnd..<keyEnd + length))
    case 1 where keyEnd + 8 <= bytes.count:
      return (keyStart..<keyEnd, .overflow(page: bytes.uint64(keyEnd), length: length))
    case 2 where length == PageTree.length && keyEnd + length <= bytes.count:
      return (keyStart..<keyEnd, .table(keyEnd..<keyEnd + length))
    default:
      return nil
    }
  }

  /// Whether the key at one place sorts before the key at the other.
  func precedes(_ left: Range<Int>, _ right: Range<Int>, asNumbers: Bool) -> Bool {
    if asNumbers && left.count == 8 && right.count == 8 {
      return bytes.uint64(left.lowerBound) < bytes.uint64(right.lowerBound)
    }
    return bytes[left].lexicographicallyPrecedes(bytes[right])
  }
}
