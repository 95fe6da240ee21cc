/// What a store's snapshot of a subscription says of its standing.
@nonexhaustive public enum Standing: Hashable, Sendable {
  /// In good standing.
  case active
  /// In a trial.
  case trialing
  /// A payment failed and is retried.
  case pastDue
  /// Payments failed and are retried no more.
  case unpaid
  /// The first payment is outstanding.
  case incomplete
  /// Paused; nothing is charged.
  case paused
  /// Over.
  case ended
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension Standing: OpenEnum {
  package static let known: [(value: Standing, number: Int64, name: String)] = [
    (.active, 1, "active"), (.trialing, 2, "trialing"), (.pastDue, 3, "pastDue"),
    (.unpaid, 4, "unpaid"), (.incomplete, 5, "incomplete"), (.paused, 6, "paused"),
    (.ended, 7, "ended"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

extension Standing {
  /// Whether the store calls the membership well.
  var isGood: Bool { self == .active || self == .trialing }
}

/// One line of a membership as a snapshot of the store shows it.
public struct ObservedItem: Hashable, Sendable {
  /// The store's line of the subscription; empty where it does not tell lines apart.
  public var item: String
  /// What is sold in it.
  public var offer: Offer
  /// How many are had; nil where the snapshot does not say.
  public var quantity: Int64?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(item: String = "", offer: Offer, quantity: Int64? = nil) {
    self.item = item
    self.offer = offer
    self.quantity = quantity
  }
}

extension ObservedItem: Message {
  package static var messageName: String { "ObservedItem" }

  package static var blank: ObservedItem { ObservedItem(offer: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "item", &item)
    try visitor.field(2, "offer", &offer)
    try visitor.field(3, "quantity", &quantity)
  }
}

/// What a snapshot of the store says holds at its time; it grants nothing by itself.
public struct Observation: Hashable, Sendable {
  /// The store's own word for the status, kept as it is.
  public var status: String
  /// The status in our terms; unrecognized words grant nothing.
  public var standing: Standing
  /// When it was observed; nil for the event's effective time.
  public var at: Timestamp?
  /// Whether it says that no cancellation is planned.
  public var isRenewing: Bool
  /// The causes of pause, and of holds by the store, that it shows not to be in effect.
  public var unpausedCauses: [String]
  /// All that the membership consists of; empty where the snapshot does not show it whole.
  ///
  /// What of it differs from what was known has changed by then, although no document said so.
  public var items: [ObservedItem]
  /// When the store says that the membership began; nil where it does not say.
  public var startedAt: Timestamp?
  /// Until when the service has to acknowledge the purchase at the store, which else takes it back;
  /// nil where nothing is to be acknowledged.
  public var acknowledgeBy: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    status: String, standing: Standing, at: Timestamp? = nil, isRenewing: Bool = false,
    unpausedCauses: [String] = [], items: [ObservedItem] = [], startedAt: Timestamp? = nil,
    acknowledgeBy: Timestamp? = nil
  ) {
    self.status = status
    self.standing = standing
    self.at = at
    self.isRenewing = isRenewing
    self.unpausedCauses = unpausedCauses
    self.items = items
    self.startedAt = startedAt
    self.acknowledgeBy = acknowledgeBy
  }
}

extension Observation: Message {
  package static var messageName: String { "Observation" }

  package static var blank: Observation {
    Observation(status: .defaultValue, standing: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "status", &status)
    try visitor.field(2, "standing", &standing)
    try visitor.field(3, "at", &at)
    try visitor.field(4, "isRenewing", &isRenewing)
    try visitor.field(5, "unpausedCauses", &unpausedCauses)
    try visitor.field(6, "items", &items)
    try visitor.field(7, "startedAt", &startedAt)
    try visitor.field(8, "acknowledgeBy", &acknowledgeBy)
  }
}
