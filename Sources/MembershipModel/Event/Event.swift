/// What one document or command states: facts that stand or fall together.
///
/// Everything here but `provenance` is the event's content: an event with the same id and other
/// content is refused, one with the same content is answered with the first receipt.
public struct Event: Hashable, Sendable {
  /// The id, unique for ever: the provider's own with its prefix, or a UUIDv7 of ours.
  public var id: EventID
  /// Where the facts come from.
  public var provider: Provider
  /// Whether money is real.
  public var environment: Environment
  /// When it happened, by the source.
  public var effectiveAt: Timestamp
  /// The customer, in the service's own id, where the source gives it.
  public var customer: CustomerID?
  /// The account at the provider.
  public var account: AccountID?
  /// The source's own hints on what came before what.
  public var ordering: SourceOrdering
  /// Who did it, for events by hand.
  public var actor: String
  /// Why, for events by hand.
  public var reason: String
  /// What happened.
  public var facts: [Fact]
  /// How the ledger came to know it; not part of the content.
  public var provenance: Provenance
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - id: The id, unique for ever.
  ///   - provider: Where the facts come from.
  ///   - environment: Whether money is real.
  ///   - effectiveAt: When it happened, by the source.
  ///   - customer: The customer, where the source gives the service's own id.
  ///   - account: The account at the provider.
  ///   - ordering: The source's own hints on what came before what.
  ///   - actor: Who did it, for events by hand.
  ///   - reason: Why, for events by hand.
  ///   - facts: What happened.
  ///   - provenance: How the ledger came to know it.
  public init(
    id: EventID, provider: Provider, environment: Environment = .production,
    effectiveAt: Timestamp, customer: CustomerID? = nil, account: AccountID? = nil,
    ordering: SourceOrdering = SourceOrdering(), actor: String = "", reason: String = "",
    facts: [Fact], provenance: Provenance = Provenance(origin: .manual)
  ) {
    self.id = id
    self.provider = provider
    self.environment = environment
    self.effectiveAt = effectiveAt
    self.customer = customer
    self.account = account
    self.ordering = ordering
    self.actor = actor
    self.reason = reason
    self.facts = facts
    self.provenance = provenance
  }
}

extension Event: Message {
  package static var messageName: String { "Event" }

  package static var blank: Event {
    Event(
      id: .defaultValue, provider: .defaultValue, environment: .defaultValue,
      effectiveAt: .defaultValue, facts: [], provenance: .blank)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "provider", &provider)
    try visitor.field(3, "environment", &environment)
    try visitor.field(4, "effectiveAt", &effectiveAt)
    try visitor.field(5, "customer", &customer)
    try visitor.field(6, "account", &account)
    try visitor.field(7, "ordering", &ordering)
    try visitor.field(8, "actor", &actor)
    try visitor.field(9, "reason", &reason)
    try visitor.field(10, "facts", &facts)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
    try require(provider, "provider")
    try require(environment, "environment")
    for time in [effectiveAt, ordering.writtenAt ?? effectiveAt] {
      if time < .earliest || time > .latest {
        throw .invalid(field: "effectiveAt", rule: "a time lies in the years 1 to 9999")
      }
    }
  }
}

/// What the source itself says about the order of its documents.
public struct SourceOrdering: Hashable, Sendable {
  /// When the source signed or wrote the document; nil for the event's effective time.
  public var writtenAt: Timestamp?
  /// A digest of the state that the document shows; 0 where it shows none.
  public var state: UInt64
  /// A digest of the state that the document says came before; 0 where it does not say.
  public var previousState: UInt64
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes hints; without arguments there are none.
  ///
  /// - Parameters:
  ///   - writtenAt: When the source signed or wrote the document.
  ///   - state: A digest of the state that the document shows.
  ///   - previousState: A digest of the state that the document says came before.
  public init(writtenAt: Timestamp? = nil, state: UInt64 = 0, previousState: UInt64 = 0) {
    self.writtenAt = writtenAt
    self.state = state
    self.previousState = previousState
  }
}

extension SourceOrdering: Message {
  package static var messageName: String { "SourceOrdering" }

  package static var blank: SourceOrdering { SourceOrdering(writtenAt: nil) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "writtenAt", &writtenAt)
    try visitor.field(2, "state", &state)
    try visitor.field(3, "previousState", &previousState)
  }
}
