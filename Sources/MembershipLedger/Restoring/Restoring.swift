/// What becomes of each transaction that a store reports, for the customer who asks to restore.
struct Restoring: Sendable {
  let customer: CustomerID
  let attribution: Attribution
  let environment: Environment

  /// The bytes of results that one event states, so that with the transfers it fits into a record.
  private static let bytesInOneEvent = 25_000

  @Sendable func judge(
    _ batch: inout Batch, _ events: [Event], _ now: Timestamp
  ) throws(LedgerError) -> RestoreReport {
    let reported = ReportedMembership.all(in: events, environment)
    let before = batch
    let refusals = try record(events, in: &batch, now: now)
    var results: [RestoreResult] = []
    var transfers: [MembershipID: Transfer] = [:]
    for membership in reported {
      let ruling = try Ruling(of: membership, for: self, before, batch, now: now)
      results += ruling.results
      transfers[membership.id] = ruling.transfer
    }
    if results.isEmpty { results.append(.nothingFound) }
    let receipts = try state(results, transfers, in: &batch, now: now)
    // Whether they go to and fro is known only with the transfers in place.
    return RestoreReport(
      customer: customer,
      results: try results.map { (result) throws(LedgerError) in
        try result.withLineage(in: batch.fold, environment)
      }, receipts: receipts, refusals: refusals, at: now)
  }

  /// Records what the documents say: a webhook always, a bare object where it is news.
  private func record(
    _ events: [Event], in batch: inout Batch, now: Timestamp
  ) throws(LedgerError) -> [(event: EventID, error: LedgerError)] {
    var refusals: [(event: EventID, error: LedgerError)] = []
    for event in events {
      guard event.environment == environment else {
        refusals.append(
          (
            event.id,
            LedgerError(
              .invalidEvent,
              "\(event.id) is of \(event.environment.name), and \(environment.name) is restored")
          ))
        continue
      }
      if event.provenance.origin == .reconcile {
        if case .refusal(_, let error) = try Reconciling.compare(event, in: &batch, now: now) {
          refusals.append((event.id, error))
        }
      } else if case .failure(let error) = try batch.evaluate(AppendRequest(event), now: now) {
        refusals.append((event.id, error))
      }
    }
    return refusals
  }

  /// Appends the results and the transfers that follow from them.
  private func state(
    _ results: [RestoreResult], _ transfers: [MembershipID: Transfer], in batch: inout Batch,
    now: Timestamp
  ) throws(LedgerError) -> [Receipt] {
    var receipts: [Receipt] = []
    var open = transfers
    for page in Self.pages(of: results) {
      var facts = [Fact(.restored(Restoration(transactions: page.map { RestoredTransaction($0) })))]
      for membership in page.compactMap(\.membership) {
        guard let transfer = open.removeValue(forKey: membership) else { continue }
        facts.append(Fact(.transferred(transfer), membership: membership))
      }
      var attribution = attribution
      if !receipts.isEmpty { attribution.id = nil }
      receipts.append(
        try batch.append(
          facts, by: attribution, in: environment, now: now, customer: customer,
          origin: .reconcile))
    }
    return receipts
  }

  private static func pages(of results: [RestoreResult]) -> [[RestoreResult]] {
    var pages: [[RestoreResult]] = []
    var bytes = bytesInOneEvent
    for result in results {
      let size = RestoredTransaction(result).encoded().count
      if bytes + size > bytesInOneEvent {
        pages.append([])
        bytes = 0
      }
      pages[pages.count - 1].append(result)
      bytes += size
    }
    return pages
  }
}

/// A membership that a store reports, with the transactions of it that it names.
struct ReportedMembership {
  let id: MembershipID
  fileprivate(set) var transactions: [TransactionID] = []

  /// Those that events of an environment speak of, in the order of the report.
  static func all(in events: [Event], _ environment: Environment) -> [ReportedMembership] {
    var reported: [ReportedMembership] = []
    for event in events where event.environment == environment {
      for fact in event.facts {
        guard let id = fact.membership else { continue }
        let index = reported.firstIndex { $0.id == id } ?? reported.endIndex
        if index == reported.endIndex { reported.append(ReportedMembership(id: id)) }
        if let transaction = fact.body.boughtTransaction,
          !reported[index].transactions.contains(transaction)
        {
          reported[index].transactions.append(transaction)
        }
      }
    }
    return reported
  }
}

extension Fact.Body {
  fileprivate var boughtTransaction: TransactionID? {
    switch self {
    case .purchased(let transaction), .renewed(let transaction): transaction.id
    default: nil
    }
  }
}

extension RestoreResult {
  fileprivate static let nothingFound = RestoreResult(
    transaction: nil, membership: nil, outcome: .nothingFound, otherCustomer: nil, reason: nil,
    until: nil, isTransferred: false, isPingPong: false)

  fileprivate func withLineage(
    in fold: Fold<OverlayStore>, _ environment: Environment
  ) throws(LedgerError) -> RestoreResult {
    guard let membership else { return self }
    var copy = self
    copy.isPingPong = try fold.lineage(of: membership, environment)?.isPingPong ?? false
    return copy
  }
}
