internal import LedgerCrypto
internal import LedgerStorage

extension Ledger {
  /// Reads every record, recomputes every hash, and checks indexes and projections.
  ///
  /// - Parameter progress: Called now and then with the events read and the events to read.
  /// - Returns: What was found; every fault is listed, none stops the verification.
  /// - Throws: `LedgerError` where the ledger cannot be read at all.
  public func verify(
    progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(LedgerError) -> LedgerReport {
    var report = LedgerReport()
    for fault in try structureFaults() { report.note(fault) }
    // LMDB reads damaged pages without a look and may crash on them.
    guard report.isSound else { return report }
    var frontier = MerkleFrontier()
    var isAtEnd = false
    while !isAtEnd {
      isAtEnd = try tables.withHead { (snapshot, head) throws(LedgerError) in
        let page = Position(min(head.last.rawValue, report.events + LogPass.pageSize))
        while report.events < page.rawValue {
          report.events += 1
          try check(Position(report.events), &frontier, &report, snapshot)
          if report.events % 1000 == 0 { progress(report.events, head.last.rawValue) }
        }
        if page < head.last { return false }
        report.root = frontier.root.description
        if frontier != head.frontier {
          report.note(
            "the root of the records is \(frontier.root), stored is \(head.frontier.root)")
        }
        try checkCounts(head, &report, snapshot)
        return true
      }
    }
    if report.isSound { try checkProjections(&report) }
    return report
  }

  private func structureFaults() throws(LedgerError) -> [String] {
    let log = try translating { () throws(StorageError) in try environment.structureFaults() }
    var faults = log.map { "log: \($0)" }
    do throws(LedgerError) {
      faults += try documents?.structureFaults() ?? []
    } catch  where error.code == .damaged {
      faults.append("documents: \(error.message)")
    }
    return faults
  }

  private func check(
    _ position: Position, _ frontier: inout MerkleFrontier, _ report: inout LedgerReport,
    _ snapshot: Snapshot
  ) throws(LedgerError) {
    do throws(LedgerError) {
      let record = try tables.record(at: position, in: snapshot)
      frontier.append(leafHash: record.leaf)
      try checkID(of: record.event, &report, snapshot)
      let digest = record.event.event.provenance.document
      if !digest.isEmpty, try documents?.document(digest) == nil { report.missingDocuments += 1 }
    } catch  where error.code == .damaged {
      report.note("position \(position): \(error.message)")
    }
  }

  private func checkID(
    of event: RecordedEvent, _ report: inout LedgerReport, _ snapshot: Snapshot
  ) throws(LedgerError) {
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

  private func checkCounts(
    _ head: LogHead, _ report: inout LedgerReport, _ snapshot: Snapshot
  ) throws(LedgerError) {
    let (records, ids) = try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        (try transaction.count(of: tables.log), try transaction.count(of: tables.ids))
      }
    }
    if UInt64(records) != head.last.rawValue {
      report.note("the log has \(records) records, its head says \(head.last)")
    }
    if UInt64(ids) != head.last.rawValue {
      report.note("the index has \(ids) ids for \(head.last) events")
    }
  }

  private func checkProjections(_ report: inout LedgerReport) throws(LedgerError) {
    let replayed = try replay()
    report.rows = replayed.rows
    report.digest = replayed.digest
    for difference in replayed.differences { report.note(difference) }
  }
}
