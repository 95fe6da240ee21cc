internal import LedgerStorage

/// Writes batches; only one runs at a time.
final class Writer: Sendable {
  private let environment: StorageEnvironment
  private let tables: LogTables
  private let documents: DocumentStore?
  private let clock: @Sendable () -> Timestamp
  private let terms = Lock<TermsCache?>(nil)

  init(
    _ environment: StorageEnvironment, _ tables: LogTables, _ documents: DocumentStore?,
    _ clock: @escaping @Sendable () -> Timestamp
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
      let digests = try keepDocuments(of: requests)
      return try commit(requests, digests)
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
    var outcomes: [Batch.Outcome] = []
    var after: TermsCache?
    do {
      try environment.write { (transaction) throws(LedgerError) in
        // The write lock is held, so a snapshot taken now shows what the transaction begins with.
        (outcomes, after) = try self.evaluate(requests, digests, &transaction)
      }
    } catch {
      throw LedgerError(error)
    }
    terms.withLock { $0 = after }
    return outcomes
  }

  private func evaluate(
    _ requests: [AppendRequest], _ digests: [[UInt8]], _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> ([Batch.Outcome], TermsCache?) {
    do {
      return try environment.withSnapshot { (snapshot) throws(LedgerError) in
        let head = try tables.head(in: snapshot)
        let known = terms.withLock { $0 }
        let projections = try translating { () throws(StorageError) in
          try tables.projections(head.generation, in: &transaction)
        }
        var batch = Batch(
          snapshot, tables, projections, head,
          terms: known?.version == head.termsVersion ? known : nil)
        var outcomes: [Batch.Outcome] = []
        for (request, digest) in zip(requests, digests) {
          outcomes.append(try batch.evaluate(request, documentDigest: digest, now: clock()))
        }
        if !batch.isEmpty {
          try translating { () throws(StorageError) in try batch.write(into: &transaction) }
        }
        return (outcomes, try batch.terms())
      }
    } catch {
      throw LedgerError(error)
    }
  }
}
