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

  /// Serves requests in one transaction; each gets an outcome of its own.
  ///
  /// Documents go first, in a transaction of theirs: one that no event names is harmless.
  func write(_ requests: [WriteRequest]) -> [AppendQueue.Outcome] {
    do throws(LedgerError) {
      if environment.isReadOnly {
        throw LedgerError(.readOnly, "the ledger is open for reading only: open it for writing")
      }
      return try commit(try keepingDocuments(of: requests))
    } catch  where error.code == .damaged && requests.count > 1 {
      // What is damaged may be one customer's alone: each request is tried for itself.
      return requests.flatMap { write([$0]) }
    } catch {
      return requests.map { _ in .failure(error) }
    }
  }

  /// The requests with their documents kept, and named by the events.
  private func keepingDocuments(
    of requests: [WriteRequest]
  ) throws(LedgerError) -> [WriteRequest] {
    let found = requests.flatMap(\.appends).compactMap(\.document)
    guard let documents, !found.isEmpty else { return requests }
    var digests = try documents.keep(found).makeIterator()
    try translating { () throws(StorageError) in try Failpoint.pass("ledger.documents") }
    func named(_ request: AppendRequest) -> AppendRequest {
      guard request.document != nil else { return request }
      var copy = request
      copy.event.provenance.document = digests.next() ?? []
      return copy
    }
    return requests.map { request in
      switch request {
      case .append(let request): .append(named(request))
      case .decide(let requests, let ruling): .decide(on: requests.map(named), ruling)
      }
    }
  }

  private func commit(_ requests: [WriteRequest]) throws(LedgerError) -> [AppendQueue.Outcome] {
    while true {
      // Tables are found before the transaction begins: LMDB opens none for one under way.
      let current = try tables.currentProjections()
      let written: Written?
      do {
        written = try environment.write { (transaction) throws(LedgerError) in
          try self.evaluate(requests, current, &transaction)
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

  private typealias Written = (
    outcomes: [AppendQueue.Outcome], terms: TermsCache, recordedAt: Timestamp
  )

  /// Judges the requests and writes what was taken; nil where the projections are not current.
  ///
  /// The write lock is held, so a snapshot taken now shows what the transaction begins with.
  private func evaluate(
    _ requests: [WriteRequest], _ current: (generation: Int, tables: ProjectionTables),
    _ transaction: inout WriteTransaction
  ) throws(LedgerError) -> Written? {
    try tables.withHead { (snapshot, head) throws(LedgerError) in
      guard head.generation == current.generation else { return nil }
      let known = terms.withLock { $0 }
      var batch = Batch(
        snapshot, tables, current.tables, head,
        terms: known?.version == head.termsVersion ? known : nil)
      var outcomes: [AppendQueue.Outcome] = []
      for request in requests { outcomes.append(try batch.serve(request, now: clock.reading)) }
      if !batch.isEmpty {
        try translating { () throws(StorageError) in try batch.write(into: &transaction) }
      }
      return (outcomes, try batch.terms(), batch.head.recordedAt)
    }
  }
}

extension WriteRequest {
  /// The appends that are asked for, or that may come of a decision.
  fileprivate var appends: [AppendRequest] {
    switch self {
    case .append(let request): [request]
    case .decide(let requests, _): requests
    }
  }
}
