/// Who decides something by hand, and why: kept with the event for ever.
public struct Attribution: Hashable, Sendable {
  /// Who decides; empty where it is not said.
  public var actor: String
  /// Why; empty where it is not said.
  public var reason: String
  /// The id of the event that will state the decision; nil for a new one.
  public var id: EventID?

  /// Makes an attribution.
  ///
  /// - Parameters:
  ///   - actor: Who decides.
  ///   - reason: Why.
  ///   - id: The id of the event that will state the decision; nil for a new one.
  public init(actor: String = "", reason: String = "", id: EventID? = nil) {
    self.actor = actor
    self.reason = reason
    self.id = id
  }
}

/// What a decision on whose something is came to.
public struct BelongingChange: Hashable, Sendable {
  /// Where the event stands; nil where everything was so already, and nothing is recorded.
  public let receipt: Receipt?
  /// The account or the customer that the decision is about.
  public let subject: CustomerID
  /// Whose it was, or into whom it was merged, before; nil where it stood for itself.
  public let from: CustomerID?
  /// Whose it is, or into whom it is merged, now; nil where it stands for itself.
  public let to: CustomerID?
}

extension Batch {
  /// Appends an event by hand.
  mutating func append(
    _ facts: [Fact], by attribution: Attribution, in environment: Environment, now: Timestamp,
    customer: CustomerID? = nil, origin: Origin = .manual
  ) throws(LedgerError) -> Receipt {
    try append(
      Event(
        id: attribution.id ?? makeID(at: now), provider: .manual,
        environment: environment, effectiveAt: now, customer: customer, actor: attribution.actor,
        reason: attribution.reason, facts: facts, provenance: Provenance(origin: origin)),
      now: now)
  }
}
