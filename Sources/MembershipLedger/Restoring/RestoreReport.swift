/// What a restore came to, as it is committed.
public struct RestoreReport: Sendable {
  /// The customer who asked.
  public let customer: CustomerID
  /// One result for each transaction that the store reports; one `nothingFound` for an empty
  /// report.
  public let results: [RestoreResult]
  /// The events that state the results; one, unless there are too many results for a record.
  public let receipts: [Receipt]
  /// The documents that could not be recorded, each with the reason.
  public let refusals: [(event: EventID, error: LedgerError)]
  /// The instant to which the results belong.
  public let at: Timestamp

  /// Whether the customer holds anything of what was reported.
  public var holdsAny: Bool { results.contains { $0.isHeld } }
}

/// What became of one transaction.
public struct RestoreResult: Hashable, Sendable {
  /// The transaction; nil where the store reports nothing, or a membership without one.
  public let transaction: TransactionID?
  /// Its membership; nil where the store reports nothing.
  public let membership: MembershipID?
  /// What became of it.
  public let outcome: RestoreOutcome
  /// The other customer concerned: who held it, or keeps it.
  public let otherCustomer: CustomerID?
  /// Why it gives access, or why it does not; nil where the store reports nothing.
  public let reason: DecisionReason?
  /// When the access that it is part of ends; nil is never, or no access.
  public let until: Timestamp?
  /// Whether its membership moved to the customer.
  public let isTransferred: Bool
  /// Whether its membership goes to and fro between customers.
  public internal(set) var isPingPong: Bool

  /// Whether the customer holds it, be it that it gives access or that a pause or a hold rests it.
  public var isHeld: Bool {
    switch outcome {
    case .restored, .alreadyHeld, .transferredFrom: true
    case .ownedByAnother, .expired, .revoked, .nothingFound, .unrecognized: false
    }
  }
}

extension RestoredTransaction {
  init(_ result: RestoreResult) {
    self.init(
      transaction: result.transaction, outcome: result.outcome,
      otherCustomer: result.otherCustomer, membership: result.membership)
  }
}
