internal import LedgerCrypto
internal import LedgerStorage
internal import Synchronization

/// The tables of an open ledger.
final class LogTables: Sendable {
  let log: Table
  let ids: Table
  let head: Table
  /// The current generation of the projections, as last seen; the head of a snapshot says it.
  let generation = Atomic(0)
  private let environment: StorageEnvironment
  /// The projection tables of each generation, as first found; a `Table` stays good.
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

  /// The projection tables of a generation if they were ever found; another process may have
  /// dropped them since, of which their first use tells.
  func knownProjections(_ generation: Int) -> ProjectionTables? {
    generation == 0 ? first.load() : second.load()
  }

  /// Finds the projection tables of the current generation.
  ///
  /// Not to be called inside a write or a read: opening a table takes the writer's lock, and a read
  /// under way would not see it. By the time a read begins another process may have rebuilt, so the
  /// generation has to be compared with the head that the read sees.
  func currentProjections() throws(LedgerError) -> (generation: Int, tables: ProjectionTables) {
    for _ in 0..<Self.attempts {
      let current = generation.load(ordering: .acquiring)
      let found = try translating { () throws(StorageError) in try projections(current) }
      if let found { return (current, found) }
      try refreshGeneration()
    }
    throw LedgerError(.damaged, "the log has no projections; run ledger rebuild")
  }

  /// Reads anew which generation of the projections is current.
  func refreshGeneration() throws(LedgerError) {
    generation.store(try withHead { (_, head) in head.generation }, ordering: .releasing)
  }

  /// Runs `body` with a snapshot and where its log ends.
  func withHead<Result: ~Copyable>(
    _ body: (Snapshot, LogHead) throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    do {
      return try environment.withSnapshot { (snapshot) throws(LedgerError) in
        try body(snapshot, try head(in: snapshot))
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// Runs `body` with a snapshot, where its log ends, and the projections that belong to it.
  func withProjections<Result: ~Copyable>(
    _ body: (Snapshot, LogHead, ProjectionTables) throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    while true {
      let current = try currentProjections()
      let result = try withHead { (snapshot, head) throws(LedgerError) -> Result? in
        guard head.generation == current.generation else { return nil }
        return try body(snapshot, head, current.tables)
      }
      if let result { return result }
      try refreshGeneration()
    }
  }

  /// How often a generation that is gone is looked for anew before that is called damage: each
  /// time, another process would have to rebuild just between two steps.
  private static let attempts = 10

  /// The projection tables of a generation; nil where the newest commit has none.
  private func projections(_ generation: Int) throws(StorageError) -> ProjectionTables? {
    var found: [ProjectionTable: Table] = [:]
    for table in ProjectionTable.allCases {
      guard let existing = try environment.table(named: table.name(generation)) else {
        return nil
      }
      found[table] = existing
    }
    return keep(ProjectionTables(found), generation)
  }

  /// The projection tables of a generation, made where they are missing.
  func projections(
    _ generation: Int, in transaction: inout WriteTransaction
  ) throws(StorageError) -> ProjectionTables {
    keep(try Self.create(generation, in: &transaction), generation)
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

  /// The event at a position that the log has.
  func event(at position: Position, in snapshot: Snapshot) throws(LedgerError) -> RecordedEvent {
    try record(at: position, in: snapshot).event
  }

  /// The event at a position that the log has, with the hash of its record.
  func record(
    at position: Position, in snapshot: Snapshot
  ) throws(LedgerError) -> (event: RecordedEvent, leaf: Digest) {
    let row = try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        try transaction.row(StoredKey.position(position), in: log)
      }
    }
    guard let row else {
      throw LedgerError(
        .damaged, "the log has no record at position \(position): a hole; restore a backup")
    }
    return try LogRow.decode(row, at: position)
  }
}
