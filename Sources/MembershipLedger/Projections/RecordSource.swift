internal import LedgerStorage

/// Where a fold that has to go back finds the records before: in the log as a snapshot has it, and
/// among those that were folded since.
struct RecordSource {
  private let tables: LogTables
  private let snapshot: Snapshot
  private let last: Position
  private var pending: [Position: RecordedEvent] = [:]

  init(_ tables: LogTables, _ snapshot: Snapshot, last: Position) {
    self.tables = tables
    self.snapshot = snapshot
    self.last = last
  }

  /// Keeps a record that the log does not have yet.
  mutating func note(_ record: RecordedEvent) {
    if record.position > last { pending[record.position] = record }
  }

  func record(at position: Position) throws(LedgerError) -> RecordedEvent {
    if let record = pending[position] { return record }
    return try tables.event(at: position, in: snapshot)
  }
}
