internal import LedgerCrypto
internal import LedgerStorage

/// A reading of the log from its beginning that folds and hashes what it reads.
struct LogPass {
  /// How many records are read under one snapshot; a longer reading would keep the pages that are
  /// written over meanwhile from being used again.
  static let pageSize: UInt64 = 10_000

  private(set) var projector = Projector(OverlayStore())
  private(set) var frontier = MerkleFrontier()
  private(set) var last = Position.start

  /// Reads on up to a position that the log has.
  mutating func advance(
    to end: Position, _ tables: LogTables, _ snapshot: Snapshot,
    progress: (UInt64) -> Void = { _ in }
  ) throws(LedgerError) {
    // A snapshot lasts as long as its page is read, and has every record up to the page's end.
    projector.source = RecordSource(tables, snapshot, last: end)
    defer { projector.source = nil }
    while last < end {
      let next = Position(last.rawValue + 1)
      let record = try tables.record(at: next, in: snapshot)
      _ = try projector.project(record.event)
      frontier.append(leafHash: record.leaf)
      last = next
      if next.rawValue % 1000 == 0 { progress(next.rawValue) }
    }
  }
}

extension Ledger {
  /// Folds the events up to a position from nothing, under one snapshot.
  func project(
    until end: Position, _ snapshot: Snapshot, progress: (UInt64) -> Void = { _ in }
  ) throws(LedgerError) -> Projector {
    var pass = LogPass()
    try pass.advance(to: end, tables, snapshot, progress: progress)
    return pass.projector
  }
}
