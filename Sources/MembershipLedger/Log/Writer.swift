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
    while true {
      // Tables are found before the transaction begins: LMDB opens none for one under way.
      let current = try currentProjections()
      do {
        let (outcomes, after) = try environment.write { (transaction) throws(LedgerError) in
          try self.evaluate(requests, digests, current, &transaction)
        }
        terms.withLock { $0 = after }
        return outcomes
      } catch .body(let error) where error.code == .busy {
        continue  // Another process has rebuilt the projections just now.
      } catch {
        throw LedgerError(error)
      }
    }
  }

  private func currentProjections() throws(LedgerError) -> (Int, ProjectionTables) {
    do {
      return try environment.withSnapshot { (snapshot) throws(LedgerError) in
        let generation = try tables.head(in: snapshot).generation
        return (
          generation,
          try translating { () throws(StorageError) in try tables.projections(generation) }
        )
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// Judges the requests and writes what was taken.
  ///
  /// The write lock is held, so a snapshot taken now shows what the transaction begins with.
  private func evaluate(
    _ requests: [AppendRequest], _ digests: [[UInt8]], _ current: (Int, ProjectionTables),
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> ([Batch.Outcome], TermsCache?) {
    do {
      return try environment.withSnapshot { (snapshot) throws(LedgerError) in
        let head = try tables.head(in: snapshot)
        guard head.generation == current.0 else {
          throw LedgerError(.busy, "the projections were rebuilt meanwhile; try again")
        }
        let known = terms.withLock { $0 }
        var batch = Batch(
          snapshot, tables, current.1, head,
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
