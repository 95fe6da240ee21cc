internal import LedgerCrypto
internal import LedgerStorage

/// A check of all that is stored, which goes on as far as anything can be read.
///
/// What is wrong in one part keeps no other part from being checked.
struct Verification {
  private let environment: StorageEnvironment
  private let tables: LogTables
  /// The documents, as long as they can be read.
  private var documents: DocumentStore?
  private var documentFaults: [String] = []
  private var logFaults: [StructureFault] = []
  private var frontier = MerkleFrontier()
  private(set) var report = LedgerReport()

  init(
    _ environment: StorageEnvironment, _ tables: LogTables, _ documents: DocumentStore?
  ) {
    self.environment = environment
    self.tables = tables
    self.documents = documents
  }

  /// Checks everything.
  ///
  /// - Parameters:
  ///   - progress: Called now and then with the events read and the events to read.
  ///   - replay: Compares the projections with what the log says; called where the log is sound.
  /// - Returns: What was found.
  /// - Throws: `LedgerError` where the ledger cannot be read at all.
  mutating func run(
    _ progress: (UInt64, UInt64) -> Void, replay: () throws(LedgerError) -> LedgerReport
  ) throws(LedgerError) -> LedgerReport {
    logFaults = try translating { () throws(StorageError) in try environment.structureFaults() }
    for fault in logFaults { report.note("log: \(fault)") }
    try checkDocuments()
    // LMDB reads damaged pages without a look and may crash on them.
    if logFaults.allowReading(LogFormat.log) { try checkRecords(progress) }
    if report.isSound { try checkProjections(replay) }
    for fault in documentFaults { report.note("documents: \(fault)") }
    return report
  }

  private mutating func checkDocuments() throws(LedgerError) {
    do throws(LedgerError) {
      let faults = try documents?.structureFaults() ?? []
      if !faults.isEmpty { leaveDocuments(faults.map(\.description)) }
    } catch  where DocumentStore.isDamage(error) {
      leaveDocuments([error.message])
    }
  }

  private mutating func leaveDocuments(_ faults: [String]) {
    documentFaults += faults
    documents = nil
  }

  private mutating func checkProjections(
    _ replay: () throws(LedgerError) -> LedgerReport
  ) throws(LedgerError) {
    let head = try tables.withHead { (_, head) in head }
    guard head.projectionVersion == LogFormat.projectionVersion else {
      report.foreignProjections = head.projectionVersion
      return
    }
    do throws(LedgerError) {
      let replayed = try replay()
      report.rows = replayed.rows
      report.digest = replayed.digest
      for difference in replayed.differences { report.note(difference) }
    } catch  where error.code == .damaged {
      report.note(error.message)
    }
  }
}

extension Verification {
  private mutating func checkRecords(
    _ progress: (UInt64, UInt64) -> Void
  ) throws(LedgerError) {
    var isAtEnd = false
    while !isAtEnd {
      let environment = environment
      do {
        isAtEnd = try environment.withSnapshot { (snapshot) throws(LedgerError) in
          try checkPage(snapshot, progress)
        }
      } catch {
        throw LedgerError(error)
      }
    }
    report.root = frontier.root.description
  }

  /// Checks some more records under one snapshot; whether those were the last.
  private mutating func checkPage(
    _ snapshot: Snapshot, _ progress: (UInt64, UInt64) -> Void
  ) throws(LedgerError) -> Bool {
    let head = try readableHead(snapshot)
    let end: Position =
      if let head { head.last } else { try lastStored(snapshot) }
    let page = min(end.rawValue, report.events + LogPass.pageSize)
    while report.events < page {
      report.events += 1
      try check(Position(report.events), snapshot)
      if report.events % 1000 == 0 { progress(report.events, end.rawValue) }
    }
    if page < end.rawValue { return false }
    if let head { try checkCounts(head, snapshot) }
    return true
  }

  /// The head; nil, noted once, where it cannot be read.
  private mutating func readableHead(_ snapshot: Snapshot) throws(LedgerError) -> LogHead? {
    guard logFaults.allowReading(LogFormat.head) else { return nil }
    do throws(LedgerError) {
      return try tables.head(in: snapshot)
    } catch  where error.code == .damaged {
      if report.events == 0 { report.note("head: \(error.message)") }
      return nil
    }
  }

  /// The position of the last record there is.
  private func lastStored(_ snapshot: Snapshot) throws(LedgerError) -> Position {
    try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        let key = try transaction.lastKey(in: tables.log) ?? []
        var decoder = KeyDecoder(key.span)
        return Position(decoder.uint64() ?? 0)
      }
    }
  }

  private mutating func check(
    _ position: Position, _ snapshot: Snapshot
  ) throws(LedgerError) {
    do throws(LedgerError) {
      let record = try tables.record(at: position, in: snapshot)
      frontier.append(leafHash: record.leaf)
      try checkID(of: record.event, snapshot)
      try checkDocument(of: record.event)
    } catch  where error.code == .damaged {
      report.note("position \(position): \(error.message)")
    }
  }

  private mutating func checkID(
    of event: RecordedEvent, _ snapshot: Snapshot
  ) throws(LedgerError) {
    guard logFaults.allowReading(LogFormat.ids) else { return }
    let id = event.event.id
    let bytes = try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        let key = Array(id.rawValue.utf8)
        return try transaction.row(key, in: tables.ids)
      }
    }
    guard let bytes else {
      report.note("position \(event.position): the id \(id) is not in the index")
      return
    }
    let row = try IDRow(decoding: bytes, of: id)
    if row != IDRow(position: event.position, content: Batch.contentDigest(of: event.event)) {
      report.note("position \(event.position): the index has other content for the id \(id)")
    }
  }

  private mutating func checkDocument(of event: RecordedEvent) throws(LedgerError) {
    let digest = event.event.provenance.document
    guard let documents, !digest.isEmpty else { return }
    do throws(LedgerError) {
      if try documents.document(digest) == nil { report.missingDocuments += 1 }
    } catch  where DocumentStore.isDamage(error) {
      documentFaults.append("that of position \(event.position): \(error.message)")
    }
  }

  private mutating func checkCounts(
    _ head: LogHead, _ snapshot: Snapshot
  ) throws(LedgerError) {
    if frontier != head.frontier {
      report.note(
        "the root of the records is \(frontier.root), stored is \(head.frontier.root)")
    }
    let areIDsReadable = logFaults.allowReading(LogFormat.ids)
    let (records, ids) = try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        (
          try transaction.count(of: tables.log),
          areIDsReadable ? try transaction.count(of: tables.ids) : nil
        )
      }
    }
    if UInt64(records) != head.last.rawValue {
      report.note("the log has \(records) records, its head says \(head.last)")
    }
    if let ids, UInt64(ids) != head.last.rawValue {
      report.note("the index has \(ids) ids for \(head.last) events")
    }
  }
}
