internal import Glibc

/// LMDB's data file read page by page with `pread`, never through the map.
///
/// LMDB trusts its file: a page that is missing ends the process by SIGBUS, a page of nonsense by
/// an assertion. This reader trusts nothing and throws.
struct PageFile: ~Copyable {
  private let descriptor: Int32
  let path: String
  let size: UInt64

  init(_ path: String) throws(StorageError) {
    guard let size = try FileSystem.status(of: path)?.size else {
      throw StorageError(returnCode: ENOENT, path)
    }
    // Safe because the path is a valid C string for the call. Only the lock file must not be
    // opened by hand: closing it would drop the process's locks.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(returnCode: errno, path) }
    self.descriptor = descriptor
    self.path = path
    self.size = size
  }

  deinit { close(descriptor) }

  /// `count` bytes from `offset`; fewer where the file ends.
  borrowing func bytes(at offset: UInt64, count: Int) throws(StorageError) -> [UInt8] {
    var failure: Int32 = 0
    // Safe because pread writes at most `count` bytes into the buffer of that size and returns
    // how many it wrote.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { (buffer, filled) in
      while filled < count, let start = buffer.baseAddress {
        let read = unsafe pread(
          descriptor, start + filled, count - filled, off_t(offset) + off_t(filled))
        if read < 0 { failure = errno }
        if read <= 0 { return }
        filled += read
      }
    }
    guard failure == 0 else { throw StorageError(returnCode: failure, path) }
    return bytes
  }

  /// The newer of the two meta pages, checked as far as LMDB relies on it.
  ///
  /// The older may hold anything: after a failed write LMDB leaves a mixture there.
  borrowing func meta() throws(StorageError) -> PageMeta {
    let (first, second) = try metas()
    let newer = first.transaction > second.transaction ? first : second
    guard newer.isSound else { throw damaged("its meta page is nonsense") }
    return newer
  }

  /// Both meta pages, of two commits that came one after the other.
  ///
  /// A number that is neither would let an older commit pass for the newest. Other processes may
  /// commit between the readings of the two, so that a contradiction counts only if it stays.
  borrowing func metas() throws(StorageError) -> (PageMeta, PageMeta) {
    var (first, second) = try readMetas()
    while !PageMeta.areNeighbours(first, second) {
      let (again, other) = try readMetas()
      if (again.transaction, other.transaction) == (first.transaction, second.transaction) {
        throw damaged("its meta pages contradict")
      }
      (first, second) = (again, other)
    }
    return (first, second)
  }

  private borrowing func readMetas() throws(StorageError) -> (PageMeta, PageMeta) {
    let first = try meta(at: 0)
    let isReadable = first.hasPageSize && first.formatVersion == PageMeta.version
    let second = try meta(at: isReadable ? UInt64(first.pageSize) : PageMeta.usualPageSize)
    // Another version of LMDB writes its number into both.
    guard first.formatVersion == second.formatVersion else {
      throw damaged("its meta pages contradict")
    }
    guard first.formatVersion == PageMeta.version else {
      throw StorageError(
        .newerFormat, path, "another version of LMDB's file format: use the program that wrote it")
    }
    // LMDB divides by it.
    guard first.hasPageSize else { throw damaged("the page size in a meta page is nonsense") }
    guard first.pageSize == second.pageSize else { throw damaged("its meta pages contradict") }
    return (first, second)
  }

  private borrowing func meta(at offset: UInt64) throws(StorageError) -> PageMeta {
    let bytes = try bytes(at: offset, count: PageMeta.length)
    guard bytes.count == PageMeta.length, PageMeta.isMeta(bytes) else {
      throw StorageError(
        .notAnEnvironment, path, "not a data file of LMDB: check the path or restore a backup")
    }
    return PageMeta(bytes)
  }

  func damaged(_ what: String) -> StorageError {
    StorageError(.damaged, path, "\(what): the file is damaged; restore a backup")
  }
}

/// A meta page: where the trees begin and how far the file reaches.
struct PageMeta {
  static let length = 152
  static let noPage = UInt64.max
  private static let metaFlag: UInt16 = 0x08
  private static let magic: UInt32 = 0xbeef_c0de
  static let version: UInt32 = 1
  static let usualPageSize: UInt64 = 4096
  /// More commits than there can be; LMDB's own numbers for no snapshot lie above.
  private static let transactionLimit: UInt64 = 1 << 56

  let formatVersion: UInt32
  let pageSize: UInt32
  let free: PageTree
  let main: PageTree
  let lastPage: UInt64
  let transaction: UInt64

  /// Whether flag and magic number of a meta page are there.
  static func isMeta(_ bytes: [UInt8]) -> Bool {
    bytes.uint16(10) & metaFlag != 0 && bytes.uint32(16) == magic
  }

  /// The meta page that `bytes`, of the full length, are.
  init(_ bytes: [UInt8]) {
    formatVersion = bytes.uint32(20)
    pageSize = bytes.uint32(40)
    free = PageTree(bytes, at: 40)
    main = PageTree(bytes, at: 88)
    lastPage = bytes.uint64(136)
    transaction = bytes.uint64(144)
  }

  /// Whether the pages are of one commit and the next, each in its place.
  ///
  /// LMDB writes even numbers to the first page and odd ones to the second; a new file has number 0
  /// in both.
  static func areNeighbours(_ first: PageMeta, _ second: PageMeta) -> Bool {
    let (even, odd) = (first.transaction, second.transaction)
    if even == 0 && odd == 0 { return true }
    return even % 2 == 0 && (odd == even &+ 1 || even == odd &+ 1)
  }

  /// Whether there can be pages of that size.
  var hasPageSize: Bool {
    (512...65_536).contains(pageSize) && pageSize & (pageSize - 1) == 0
  }

  /// Whether the numbers can be right: LMDB follows the roots.
  var isSound: Bool {
    transaction < PageMeta.transactionLimit && lastPage >= 1
      && lastPage < UInt64.max / 65_536 && isSound(root: free.root)
      && isSound(root: main.root) && free.isFreeList && main.isPlain
  }

  private func isSound(root: UInt64) -> Bool {
    root == PageMeta.noPage || (2...lastPage).contains(root)
  }
}

extension [UInt8] {
  /// A little-endian number at `offset`, which is within bounds.
  func uint16(_ offset: Int) -> UInt16 { UInt16(number(offset, 2)) }
  func uint32(_ offset: Int) -> UInt32 { UInt32(number(offset, 4)) }
  func uint64(_ offset: Int) -> UInt64 { number(offset, 8) }

  private func number(_ offset: Int, _ count: Int) -> UInt64 {
    var result: UInt64 = 0
    for index in (offset..<offset + count).reversed() {
      result = result << 8 | UInt64(self[index])
    }
    return result
  }
}
