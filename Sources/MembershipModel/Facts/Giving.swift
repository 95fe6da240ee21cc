/// How a grant goes together with the access that its receiver has already.
@nonexhaustive public enum GrantStacking: Hashable, Sendable {
  /// It begins when it is said to, beside whatever there is.
  case overlap
  /// It begins when the access had at its giving ends.
  case after
  /// A value of a newer version, by its number; the grant's own times hold all the same.
  case unrecognized(Int64)
}

extension GrantStacking: OpenEnum {
  package static let known: [(value: GrantStacking, number: Int64, name: String)] = [
    (.overlap, 1, "overlap"), (.after, 2, "after"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// An entitlement given by hand: a gift, a comp, an amends.
public struct ManualGrant: Hashable, Sendable {
  /// The grant.
  public var id: GrantID
  /// What is given.
  public var entitlement: EntitlementKey
  /// From when on; nil for the event's effective time.
  public var from: Timestamp?
  /// The first instant after it; nil is without end.
  public var until: Timestamp?
  /// Why.
  public var reason: String
  /// Who gives, where that is not the event's actor.
  public var giver: String
  /// The membership, such as the giver's, that it follows: it gives access only while that one
  /// does.
  public var follows: MembershipID?
  /// How its start was chosen; nil is at the time that was asked for, beside whatever there is.
  public var stacking: GrantStacking?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    id: GrantID, entitlement: EntitlementKey, from: Timestamp? = nil, until: Timestamp? = nil,
    reason: String = "", giver: String = "", follows: MembershipID? = nil,
    stacking: GrantStacking? = nil
  ) {
    self.id = id
    self.entitlement = entitlement
    self.from = from
    self.until = until
    self.reason = reason
    self.giver = giver
    self.follows = follows
    self.stacking = stacking
  }
}

extension ManualGrant: Message {
  package static var messageName: String { "ManualGrant" }

  package static var blank: ManualGrant {
    ManualGrant(id: .defaultValue, entitlement: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "entitlement", &entitlement)
    try visitor.field(3, "from", &from)
    try visitor.field(4, "until", &until)
    try visitor.field(5, "reason", &reason)
    try visitor.field(6, "giver", &giver)
    try visitor.field(7, "follows", &follows)
    try visitor.field(8, "stacking", &stacking)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
    try require(entitlement, "entitlement")
  }
}

/// A grant given by hand is taken back.
public struct ManualGrantRevocation: Hashable, Sendable {
  /// The grant.
  public var id: GrantID
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// Why.
  public var reason: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(id: GrantID, at: Timestamp? = nil, reason: String = "") {
    self.id = id
    self.at = at
    self.reason = reason
  }
}

extension ManualGrantRevocation: Message {
  package static var messageName: String { "ManualGrantRevocation" }

  package static var blank: ManualGrantRevocation { ManualGrantRevocation(id: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "at", &at)
    try visitor.field(3, "reason", &reason)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
  }
}
