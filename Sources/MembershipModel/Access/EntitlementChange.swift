/// One change of what a customer may use, as the feed of changes tells it.
///
/// What is gained and lost, replayed from nothing in the order of the feed, gives what the customer
/// may use at any instant by what was known then.
public struct EntitlementChange: Hashable, Sendable {
  /// Its place in the feed: 1, 2, 3 and so on, without gaps; the cursor after which to go on.
  public var sequence: UInt64
  /// The customer, by the name that the change is about.
  public var customer: CustomerID
  /// Whether real or test purchases are meant.
  public var environment: Environment
  /// Its place among the changes of this customer: 1, 2, 3 and so on, without gaps.
  public var customerSequence: UInt64
  /// The instant of the change: for an event, when it was recorded; for time, when it had come.
  public var at: Timestamp
  /// What the customer may use since then, sorted.
  public var gained: [EntitlementKey]
  /// What the customer may not use any more, sorted.
  public var lost: [EntitlementKey]
  /// All that the customer may use from then on, sorted.
  public var entitlements: [EntitlementKey]
  /// What made the change.
  public var cause: Cause
  /// The position of the event with which the change entered the feed.
  public var position: Position
  /// When that event was recorded.
  public var recordedAt: Timestamp
  /// The customer to whom the name leads since then, by a link or a merge, and who has what it had;
  /// nil where the change is none of names.
  public var leadsTo: CustomerID?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// What may change what a customer may use.
  @nonexhaustive public enum Cause: Hashable, Sendable {
    /// An event, by its id.
    case event(EventID)
    /// Time alone: something ran out or began.
    case time
  }

  /// Makes a change.
  package init(
    sequence: UInt64, customer: CustomerID, environment: Environment, customerSequence: UInt64,
    at: Timestamp, gained: [EntitlementKey], lost: [EntitlementKey],
    entitlements: [EntitlementKey], cause: Cause, position: Position, recordedAt: Timestamp,
    leadsTo: CustomerID? = nil
  ) {
    self.sequence = sequence
    self.customer = customer
    self.environment = environment
    self.customerSequence = customerSequence
    self.at = at
    self.gained = gained
    self.lost = lost
    self.entitlements = entitlements
    self.cause = cause
    self.position = position
    self.recordedAt = recordedAt
    self.leadsTo = leadsTo
  }

  // Not generic, so that callers in other modules get the specialised form of the codec.

  /// The wire form of the change.
  package func encoded() -> [UInt8] {
    var writer = WireWriter(capacity: 128)
    encodeFields(to: &writer)
    return writer.bytes
  }

  /// Reads a change from its wire form.
  ///
  /// - Throws: `WireError` where the bytes are no change; hostile bytes never trap.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    try self.init(decoding: bytes[...], depth: 0)
  }
}

extension EntitlementChange.Cause {
  /// The event; nil where time alone made the change.
  public var event: EventID? {
    if case .event(let id) = self { id } else { nil }
  }
}

extension EntitlementChange: Message {
  package static var messageName: String { "EntitlementChange" }

  package static var blank: EntitlementChange {
    EntitlementChange(
      sequence: 0, customer: .defaultValue, environment: .defaultValue, customerSequence: 0,
      at: .defaultValue, gained: [], lost: [], entitlements: [], cause: .time, position: .start,
      recordedAt: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "sequence", &sequence)
    try visitor.field(2, "customer", &customer)
    try visitor.field(3, "environment", &environment)
    try visitor.field(4, "customerSequence", &customerSequence)
    try visitor.field(5, "at", &at)
    try visitor.field(6, "gained", &gained)
    try visitor.field(7, "lost", &lost)
    try visitor.field(8, "entitlements", &entitlements)
    var event = cause.event
    try visitor.field(9, "event", &event)
    cause = event.map { .event($0) } ?? .time
    try visitor.field(10, "position", &position)
    try visitor.field(11, "recordedAt", &recordedAt)
    try visitor.field(12, "leadsTo", &leadsTo)
  }

  package func validate() throws(WireError) {
    try require(customer, "customer")
    try require(position, "position")
  }
}
