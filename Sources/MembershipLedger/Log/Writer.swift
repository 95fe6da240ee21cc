internal import LedgerStorage

/// Writes batches; only one runs at a time.
final class Writer: Sendable {
  private let environment: StorageEnvironment
  private let tables: LogTables
  private let documents: DocumentStore?
  private let clock: LedgerClock
  private let terms = Lock<TermsCache?>(nil)

  init(
    _ environment: StorageEnvironment, _ tables: LogTables, _ documents: DocumentStore?,
    _ clock: LedgerClock
  ) {
    self.environment = environment
    self.tables = tables
    self.documents = documents
    self.clock = clock
  }

  /// Appends requests in one transaction; each gets an outcome of its own.
  ///
  /// Documents go first, in a transaction of theirs: one that no event names is harmless.
  func write(_ requests: [AppendRequest]) -> [Batch.Outcome] {
    do throws(LedgerError) {
      if environment.isReadOnly {
        throw LedgerError(.readOnly, "the ledger is open for reading only: open it for writing")
      }
      let digests = try keepDocuments(of: requests)
      return try commit(requests, digests)
    } catch  where error.code == .damaged && requests.count > 1 {
      // What is damaged may be one customer's alone: each request is tried for itself.
      return requests.flatMap { write([$0]) }
    } catch {
      return requests.map { _ in .failure(error) }
    }
  }

  private func keepDocuments(of requests: [AppendRequest]) throws(LedgerError) -> [[UInt8]] {
    guard let documents, requests.contains(where: { $0.document != nil }) else {
      return requests.map(\.event.provenance.document)
    }
    var digests = try documents.keep(requests.compactMap(\.document)).makeIterator()
    try translating { () throws(StorageError) in try Failpoint.pass("ledger.documents") }
    return requests.map { request in
      request.document == nil ? request.event.provenance.document : digests.next() ?? []
    }
  }

  private func commit(
    _ requests: [AppendRequest], _ digests: [[UInt8]]
  ) throws(LedgerError) -> [Batch.Outcome] {
    while true {
      // Tables are found before the transaction begins: LMDB opens none for one under way.
      let current = try tables.currentProjections()
      let written: Written?
      do {
        written = try environment.write { (transaction) throws(LedgerError) in
          try self.evaluate(requests, digests, current, &transaction)
        }
      } catch {
        throw LedgerError(error)
      }
      if let written {
        terms.withLock { $0 = written.terms }
        clock.note(written.recordedAt)
        return written.outcomes
      }
      // Another process has rebuilt the projections just now.
      try tables.refreshGeneration()
    }
  }

  private typealias Written = (outcomes: [Batch.Outcome], terms: TermsCache, recordedAt: Timestamp)

  /// Judges the requests and writes what was taken; nil where the projections are not current.
  ///
  /// The write lock is held, so a snapshot taken now shows what the transaction begins with.
  private func evaluate(
    _ requests: [AppendRequest], _ digests: [[UInt8]],
    _ current: (generation: Int, tables: ProjectionTables), _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Written? {
    try tables.withHead { (snapshot, head) throws(LedgerError) in
      guard head.generation == current.generation else { return nil }
      let known = terms.withLock { $0 }
      var batch = Batch(
        snapshot, tables, current.tables, head,
        terms: known?.version == head.termsVersion ? known : nil)
      var outcomes: [Batch.Outcome] = []
      for (request, digest) in zip(requests, digests) {
        outcomes.append(try batch.evaluate(request, documentDigest: digest, now: clock.reading))
      }
      if !batch.isEmpty {
        try translating { () throws(StorageError) in try batch.write(into: &transaction) }
      }
      return (outcomes, try batch.terms(), batch.head.recordedAt)
    }
  }
}
