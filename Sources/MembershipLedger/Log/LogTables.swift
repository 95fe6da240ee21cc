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
  /// LMDB's number of the snapshot whose head was read last.
  private let snapshot = Atomic<UInt64>(0)
  private let environment: StorageEnvironment
  private let clock: LedgerClock
  /// Where the ids of events that the ledger makes itself come from.
  let makeID: @Sendable (Timestamp) -> EventID
  /// The projection tables of each generation, be they there or not.
  private let first: ProjectionTables
  private let second: ProjectionTables

  init(
    _ environment: StorageEnvironment, _ clock: LedgerClock,
    makeID: @escaping @Sendable (Timestamp) -> EventID
  ) throws(StorageError) {
    self.environment = environment
    self.clock = clock
    self.makeID = makeID
    func existing(_ name: String) throws(StorageError) -> Table {
      guard let table = try environment.table(named: name) else {
        throw StorageError(.damaged, name, "the table is missing; restore a backup")
      }
      return table
    }
    log = try existing(LogFormat.log)
    ids = try existing(LogFormat.ids)
    head = try existing(LogFormat.head)
    func projections(_ generation: Int) throws(StorageError) -> ProjectionTables {
      try ProjectionTables { (table) throws(StorageError) in
        try environment.place(forTable: table.name(generation))
      }
    }
    first = try projections(0)
    second = try projections(1)
  }

  /// The projection tables of a generation; using them fails with `tableMissing` where they were
  /// not found yet, or were dropped.
  @inline(__always)
  func projections(_ generation: Int) -> ProjectionTables {
    generation == 0 ? first : second
  }

  /// Finds the projection tables of the current generation.
  ///
  /// Not to be called inside a write or a read: opening a table takes the writer's lock, and a read
  /// under way would not see it. By the time a read begins another process may have rebuilt, so the
  /// generation has to be compared with the head that the read sees.
  func currentProjections() throws(LedgerError) -> (generation: Int, tables: ProjectionTables) {
    for _ in 0..<Self.attempts {
      let current = generation.load(ordering: .acquiring)
      let tables = try translating { () throws(StorageError) in try found(current) }
      if let tables { return (current, tables) }
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

  /// The projection tables of a generation, opened; nil where the newest commit has none.
  private func found(_ generation: Int) throws(StorageError) -> ProjectionTables? {
    for table in ProjectionTable.allCases
    where try environment.table(named: table.name(generation)) == nil {
      return nil
    }
    return projections(generation)
  }

  /// The projection tables of a generation, made where they are missing.
  func projections(
    _ generation: Int, in transaction: inout WriteTransaction
  ) throws(StorageError) -> ProjectionTables {
    try Self.create(generation, in: &transaction)
    return projections(generation)
  }

  /// Makes all tables of an empty ledger.
  static func create(in transaction: inout WriteTransaction) throws(StorageError) {
    _ = try transaction.createTable(named: LogFormat.log)
    _ = try transaction.createTable(named: LogFormat.ids)
    let head = try transaction.createTable(named: LogFormat.head)
    try create(0, in: &transaction)
    let empty = LogHead().encoded
    try transaction.putRow(LogFormat.headKey, empty, in: head)
  }

  private static func create(
    _ generation: Int, in transaction: inout WriteTransaction
  ) throws(StorageError) {
    for table in ProjectionTable.allCases {
      _ = try transaction.createTable(named: table.name(generation))
    }
  }

  /// Whether the head of the snapshot with this number is the last that was read.
  func isRead(_ snapshot: UInt64) -> Bool {
    self.snapshot.load(ordering: .relaxed) == snapshot
  }

  func head(in snapshot: Snapshot) throws(LedgerError) -> LogHead {
    let (bytes, number) = try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        (try transaction.row(LogFormat.headKey, in: head), transaction.id)
      }
    }
    guard let bytes else {
      throw LedgerError(.damaged, "the log has no head; restore a backup")
    }
    let found = try LogHead(decoding: bytes)
    clock.note(found.recordedAt)
    self.snapshot.store(number, ordering: .relaxed)
    return found
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
