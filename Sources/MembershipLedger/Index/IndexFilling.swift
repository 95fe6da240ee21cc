internal import LedgerStorage
internal import Synchronization

/// The making of an index, page by page, each under a snapshot of its own.
struct IndexFilling {
  private static let pageSize = 10_000
  private static let firstKey: [UInt8] = [0]

  private let index: AccessIndex
  private var start: (generation: Int, position: Position)?
  /// The last key read, to begin with one that all others sort behind.
  private var key = firstKey
  private var instant: Int64 = 0

  /// Begins; nil where another filling is under way or done.
  init?(_ index: AccessIndex) {
    let isOurs = index.upkeep.withLock { upkeep in
      guard upkeep.phase == .idle else { return false }
      upkeep.phase = .filling
      return true
    }
    guard isOurs else { return nil }
    index.forgetMisses()
    self.index = index
  }

  /// Reads one more page; says whether there is more to do.
  ///
  /// Where the ledger cannot be read, checks will tell.
  mutating func step(_ tables: LogTables, _ clock: LedgerClock) -> Bool {
    do throws(LedgerError) {
      if try readPage(tables, clock) { return true }
      try finish(tables, clock)
    } catch {
      abandon()
    }
    return false
  }

  /// Gives up: there is no index until another is asked for.
  func abandon() {
    index.upkeep.withLock { $0.phase = .idle }
  }

  private mutating func readPage(
    _ tables: LogTables, _ clock: LedgerClock
  ) throws(LedgerError) -> Bool {
    var filling = self
    defer { self = filling }
    return try tables.withProjections {
      (snapshot, head, projections) throws(LedgerError) -> Bool in
      if filling.start?.generation != head.generation {
        try filling.begin(head, projections, snapshot, clock)
      }
      return try filling.readRows(of: projections, snapshot)
    }
  }

  /// Begins, or begins again: the projections were made anew, or are more than there was room for.
  private mutating func begin(
    _ head: LogHead, _ projections: ProjectionTables, _ snapshot: Snapshot, _ clock: LedgerClock
  ) throws(LedgerError) {
    start = (head.generation, head.last)
    key = Self.firstKey
    instant = max(clock.now.milliseconds, 0)
    try translating { () throws(StorageError) in
      let rows = try snapshot.read { (transaction) throws(StorageError) in
        try transaction.count(of: projections.access)
      }
      try index.slots.clear(room: rows)
    }
  }

  private mutating func readRows(
    of projections: ProjectionTables, _ snapshot: Snapshot
  ) throws(LedgerError) -> Bool {
    let (index, instant) = (index, instant)
    var (count, last, hasRoom) = (0, key, true)
    try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        var entries = try transaction.entries(in: projections.access, after: key.span)
        while count < Self.pageSize, hasRoom, let entry = try entries.next() {
          hasRoom = index.put(entry.value, under: entry.key, from: instant)
          count += 1
          if count == Self.pageSize { last = entry.key.copied() }
        }
      }
    }
    key = last
    // So many have come since the beginning: the next page begins anew, with room for them.
    if !hasRoom { start = nil }
    return !hasRoom || count == Self.pageSize
  }

  /// Takes up what changed since the beginning.
  private func finish(_ tables: LogTables, _ clock: LedgerClock) throws(LedgerError) {
    guard let start else { return abandon() }
    try index.upkeep.withLock { (upkeep) throws(LedgerError) in
      upkeep.generation = start.generation
      upkeep.position = start.position
      _ = try index.advance(&upkeep, tables, clock, limit: .max)
    }
  }
}
