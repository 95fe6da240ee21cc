internal import Glibc
internal import Synchronization

/// What a slot holds: three numbers that mean something to its owner.
package struct SlotValue: Hashable, Sendable {
  package let first: UInt64
  package let second: UInt64
  package let third: UInt64

  package init(_ first: UInt64, _ second: UInt64, _ third: UInt64) {
    self.first = first
    self.second = second
    self.third = third
  }
}

/// A table in memory by keyed hashes, in slots of 32 bytes, two to a cache line.
///
/// One thread changes it at a time; any number read meanwhile, without a lock. A reading while it
/// is changed may give a mixture: whoever reads has to know afterwards that nothing was changed,
/// and throw the result away if not. Slots are never taken out.
@safe package final class SlotTable: Sendable {
  private typealias Word = Atomic<UInt64>

  private static let slotSize = 32
  /// Before the slots: a page, which begins with their number.
  private static let headerSize = 4096
  private static let leastCapacity = 128
  /// Room for things is made so that two of three slots are taken: 48 bytes for each.
  private static let working = (taken: 2, of: 3)
  /// No more of the slots are taken: searches would grow long.
  private static let most = (taken: 4, of: 5)

  /// The address of the region in use.
  ///
  /// All regions stay mapped as long as the table is there, so that a reader is nowhere without
  /// memory; the former ones give their pages back.
  private let region: Atomic<UInt>
  private let writer: Lock<Writer>

  private struct Writer {
    var count = 0
    var regions: [Region]
  }

  /// A mapping of anonymous memory.
  @safe private struct Region {
    let start: UnsafeMutableRawPointer
    let capacity: Int

    var size: Int { SlotTable.headerSize + capacity * SlotTable.slotSize }
    var address: UInt { unsafe UInt(bitPattern: start) }
  }

  /// Makes an empty table with room for some things.
  package init(room: Int = 0) throws(StorageError) {
    let first = try Self.map(Self.capacity(for: room))
    region = Atomic(first.address)
    writer = Lock(Writer(regions: [first]))
  }

  deinit {
    writer.withLock { writer in
      // Safe because nobody reads any more, and each region was mapped by this table.
      for region in writer.regions { unsafe munmap(region.start, region.size) }
    }
  }

  /// How many things there are.
  package var count: Int { writer.withLock { $0.count } }

  /// The bytes of memory in use.
  package var memory: Int { writer.withLock { $0.regions.last?.size ?? 0 } }

  /// The value under a key, or nil; see above for what it is worth.
  @inline(__always)
  package func value(of key: SlotKey) -> SlotValue? {
    let start = region.load(ordering: .acquiring)
    // Safe because the address is that of a mapped region, which is never unmapped before deinit,
    // all words of it are atomic, and a place is always below the number of slots that the region
    // itself holds: zero pages, given back, say that there are none.
    let capacity = unsafe Self.word(at: start).pointee.load(ordering: .relaxed)
    if capacity == 0 { return nil }
    var place = key.home.multipliedFullWidth(by: capacity).high
    var rest = capacity
    while rest > 0 {
      let slot = start + UInt(Self.headerSize) + UInt(place) * UInt(Self.slotSize)
      let fingerprint = unsafe Self.word(at: slot).pointee.load(ordering: .relaxed)
      if fingerprint == key.fingerprint { return Self.value(at: slot) }
      if fingerprint == 0 { return nil }
      place += 1
      if place == capacity { place = 0 }
      rest -= 1
    }
    return nil
  }

  /// Puts a value under a key; false, with nothing changed, where there is no room for another.
  package func set(_ key: SlotKey, to value: SlotValue) -> Bool {
    writer.withLock { writer in
      guard let last = writer.regions.last else { preconditionFailure("a table has a region") }
      let slot = Self.slot(for: key, in: last)
      // Safe because the slot is one of the region's, which is mapped.
      if unsafe Self.word(at: slot).pointee.load(ordering: .relaxed) == 0 {
        if writer.count * Self.most.of >= last.capacity * Self.most.taken { return false }
        writer.count += 1
      }
      unsafe Self.word(at: slot + 8).pointee.store(value.first, ordering: .relaxed)
      unsafe Self.word(at: slot + 16).pointee.store(value.second, ordering: .relaxed)
      unsafe Self.word(at: slot + 24).pointee.store(value.third, ordering: .relaxed)
      unsafe Self.word(at: slot).pointee.store(key.fingerprint, ordering: .relaxed)
      return true
    }
  }

  /// Takes everything out and makes room for so many things.
  package func clear(room: Int) throws(StorageError) {
    try writer.withLock { (writer) throws(StorageError) in
      let next = try Self.map(Self.capacity(for: room))
      let former = writer.regions.last
      writer.regions.append(next)
      writer.count = 0
      region.store(next.address, ordering: .releasing)
      // Safe because the region is mapped, and a reader that is still in it finds zeros in pages
      // that were given back.
      if let former { unsafe madvise(former.start, former.size, MADV_DONTNEED) }
    }
  }
}

extension SlotTable {
  private static func capacity(for room: Int) -> Int {
    max(leastCapacity, room * working.of / working.taken + 1)
  }

  private static func map(_ capacity: Int) throws(StorageError) -> Region {
    let size = headerSize + capacity * slotSize
    // Safe because new anonymous memory overlaps nothing; it is zeroed and aligned to pages.
    guard
      let start = unsafe mmap(
        nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      unsafe start != MAP_FAILED
    else { throw StorageError(returnCode: errno, "\(size) bytes of memory for an index") }
    // A hint: fewer and larger pages make a look-up cheaper.
    unsafe madvise(start, size, MADV_HUGEPAGE)
    let region = unsafe Region(start: start, capacity: capacity)
    unsafe word(at: region.address).pointee.store(UInt64(capacity), ordering: .relaxed)
    return region
  }

  /// The slot of a key, or the first free one from its home on.
  private static func slot(for key: SlotKey, in region: Region) -> UInt {
    let capacity = UInt64(region.capacity)
    var place = key.home.multipliedFullWidth(by: capacity).high
    while true {
      // Safe because the place is below the capacity; a table is never full, so this ends.
      let slot = region.address + UInt(headerSize) + UInt(place) * UInt(slotSize)
      let fingerprint = unsafe word(at: slot).pointee.load(ordering: .relaxed)
      if fingerprint == 0 || fingerprint == key.fingerprint { return slot }
      place += 1
      if place == capacity { place = 0 }
    }
  }

  private static func value(at slot: UInt) -> SlotValue {
    // Safe because the slot is one of a mapped region.
    unsafe SlotValue(
      word(at: slot + 8).pointee.load(ordering: .relaxed),
      word(at: slot + 16).pointee.load(ordering: .relaxed),
      word(at: slot + 24).pointee.load(ordering: .relaxed))
  }

  /// The word at an address.
  @inline(__always)
  private static func word(at address: UInt) -> UnsafePointer<Word> {
    // Safe because each word of a region is only ever used as this type, for which zero is a value.
    guard let word = unsafe UnsafePointer<Word>(bitPattern: address) else {
      preconditionFailure("a region has an address")
    }
    return unsafe word
  }
}
