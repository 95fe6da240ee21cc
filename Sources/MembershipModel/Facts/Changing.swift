/// A change of what is sold within a membership: planned for, or in effect from, an instant.
public struct PlanChange: Hashable, Sendable {
  /// When the change takes, or took, effect; the end of time where one that is planned waits for
  /// something else, such as its payment.
  public var at: Timestamp
  /// What it replaces; nil where something is added.
  public var from: Offer?
  /// What replaces it; nil where something is dropped.
  public var to: Offer?
  /// The store's line of the subscription that changes, where one has several.
  public var item: String
  /// How many are had after the change.
  public var quantity: Int64
  /// When one that is planned lapses if it has not taken effect; nil where it does not.
  public var lapsesAt: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    at: Timestamp, from: Offer? = nil, to: Offer? = nil, item: String = "", quantity: Int64 = 1,
    lapsesAt: Timestamp? = nil
  ) {
    self.at = at
    self.from = from
    self.to = to
    self.item = item
    self.quantity = quantity
    self.lapsesAt = lapsesAt
  }
}

extension PlanChange: Message {
  package static var messageName: String { "PlanChange" }

  package static var blank: PlanChange {
    PlanChange(at: .defaultValue, quantity: .defaultValue)
  }

  package static var jsonBlank: PlanChange { PlanChange(at: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "at", &at)
    try visitor.field(2, "from", &from)
    try visitor.field(3, "to", &to)
    try visitor.field(4, "item", &item)
    try visitor.field(5, "quantity", &quantity)
    try visitor.field(6, "lapsesAt", &lapsesAt)
  }
}
