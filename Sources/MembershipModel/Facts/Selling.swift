/// How a checkout stands.
@nonexhaustive public enum CheckoutOutcome: Hashable, Sendable {
  /// Paid.
  case paid
  /// Done by the customer; the payment is under way.
  case pending
  /// Left or run out.
  case cancelled
  /// The payment was refused.
  case declined
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension CheckoutOutcome: OpenEnum {
  package static let known: [(value: CheckoutOutcome, number: Int64, name: String)] = [
    (.paid, 1, "paid"), (.pending, 2, "pending"), (.cancelled, 3, "cancelled"),
    (.declined, 4, "declined"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// A customer was sent to pay.
public struct CheckoutOpening: Hashable, Sendable {
  /// The checkout.
  public var id: ReferenceID
  /// The plan asked for, in the catalog's or the store's name.
  public var plan: String
  /// Whether a trial is asked for, which a customer may use once for a product.
  public var isTrial: Bool
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(id: ReferenceID, plan: String = "", isTrial: Bool = false) {
    self.id = id
    self.plan = plan
    self.isTrial = isTrial
  }
}

extension CheckoutOpening: Message {
  package static var messageName: String { "CheckoutOpening" }

  package static var blank: CheckoutOpening { CheckoutOpening(id: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "plan", &plan)
    try visitor.field(3, "isTrial", &isTrial)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
  }
}

/// A checkout came to an outcome, which a later one may replace.
public struct CheckoutClosure: Hashable, Sendable {
  /// The checkout.
  public var id: ReferenceID
  /// How it stands.
  public var outcome: CheckoutOutcome
  /// When; nil for the event's effective time.
  public var at: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(id: ReferenceID, outcome: CheckoutOutcome, at: Timestamp? = nil) {
    self.id = id
    self.outcome = outcome
    self.at = at
  }
}

extension CheckoutClosure: Message {
  package static var messageName: String { "CheckoutClosure" }

  package static var blank: CheckoutClosure {
    CheckoutClosure(id: .defaultValue, outcome: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "outcome", &outcome)
    try visitor.field(3, "at", &at)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
  }
}
