internal import LedgerStorage
internal import Synchronization

/// The tables of an open ledger.
final class LogTables: Sendable {
  let log: Table
  let ids: Table
  let head: Table
  private let environment: StorageEnvironment
  /// The projection tables of each generation, found when first needed; a `Table` stays good.
  private let first = AtomicLazyReference<ProjectionTables>()
  private let second = AtomicLazyReference<ProjectionTables>()

  init(_ environment: StorageEnvironment) throws(StorageError) {
    self.environment = environment
    func existing(_ name: String) throws(StorageError) -> Table {
      guard let table = try environment.table(named: name) else {
        throw StorageError(.damaged, name, "the table is missing; restore a backup")
      }
      return table
    }
    log = try existing(LogFormat.log)
    ids = try existing(LogFormat.ids)
    head = try existing(LogFormat.head)
  }

  /// The projection tables of a generation that exists; not to be called inside a write.
  func projections(_ generation: Int) throws(StorageError) -> ProjectionTables {
    if let known = known(generation) { return known }
    let found = try ProjectionTables { (table) throws(StorageError) in
      guard let existing = try environment.table(named: table.name(generation)) else {
        throw StorageError(.tableMissing, table.name(generation), "run ledger rebuild")
      }
      return existing
    }
    return keep(found, generation)
  }

  /// The projection tables of a generation, made where they are missing.
  func projections(
    _ generation: Int, in transaction: inout WriteTransaction
  ) throws(StorageError) -> ProjectionTables {
    keep(try Self.create(generation, in: &transaction), generation)
  }

  private func known(_ generation: Int) -> ProjectionTables? {
    generation == 0 ? first.load() : second.load()
  }

  private func keep(_ tables: ProjectionTables, _ generation: Int) -> ProjectionTables {
    generation == 0 ? first.storeIfNil(tables) : second.storeIfNil(tables)
  }

  /// Makes all tables of an empty ledger.
  static func create(in transaction: inout WriteTransaction) throws(StorageError) {
    _ = try transaction.createTable(named: LogFormat.log)
    _ = try transaction.createTable(named: LogFormat.ids)
    let head = try transaction.createTable(named: LogFormat.head)
    _ = try create(0, in: &transaction)
    let empty = LogHead().encoded
    try transaction.putRow(LogFormat.headKey, empty, in: head)
  }

  private static func create(
    _ generation: Int, in transaction: inout WriteTransaction
  ) throws(StorageError) -> ProjectionTables {
    let names = ProjectionTable.allCases
    var made: [ProjectionTable: Table] = [:]
    for name in names { made[name] = try transaction.createTable(named: name.name(generation)) }
    return ProjectionTables(made)
  }

  func head(in snapshot: Snapshot) throws(LedgerError) -> LogHead {
    let bytes = try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        try transaction.row(LogFormat.headKey, in: head)
      }
    }
    guard let bytes else {
      throw LedgerError(.damaged, "the log has no head; restore a backup")
    }
    return try LogHead(decoding: bytes)
  }

  func row(at position: Position, in snapshot: Snapshot) throws(LedgerError) -> [UInt8]? {
    try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        let key = StoredKey.position(position)
        return try transaction.row(key, in: log)
      }
    }
  }

  /// The event at a position that the log has.
  func event(at position: Position, in snapshot: Snapshot) throws(LedgerError) -> RecordedEvent {
    guard let row = try row(at: position, in: snapshot) else {
      throw LedgerError(
        .damaged, "the log has no record at position \(position): a hole; restore a backup")
    }
    return try LogRow.event(row, at: position)
  }
}
