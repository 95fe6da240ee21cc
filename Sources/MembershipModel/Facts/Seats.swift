/// A seat of a membership is kept, for a customer or for whoever claims it; it gives nothing yet.
public struct SeatAssignment: Hashable, Sendable {
  /// The seat, by an id that the service chooses.
  public var seat: SeatID
  /// For whom it is kept; nil where that is open.
  public var customer: CustomerID?
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(seat: SeatID, customer: CustomerID? = nil, at: Timestamp? = nil) {
    self.seat = seat
    self.customer = customer
    self.at = at
  }
}

extension SeatAssignment: Message {
  package static var messageName: String { "SeatAssignment" }

  package static var blank: SeatAssignment { SeatAssignment(seat: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "seat", &seat)
    try visitor.field(2, "customer", &customer)
    try visitor.field(3, "at", &at)
  }

  package func validate() throws(WireError) {
    try require(seat, "seat")
  }
}

/// A customer takes a seat of a membership, and has what the seat gives while the pool has room.
public struct SeatClaim: Hashable, Sendable {
  /// The seat, by an id that the service chooses.
  public var seat: SeatID
  /// Who takes it; whoever had it before has it no more.
  public var customer: CustomerID
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(seat: SeatID, customer: CustomerID, at: Timestamp? = nil) {
    self.seat = seat
    self.customer = customer
    self.at = at
  }
}

extension SeatClaim: Message {
  package static var messageName: String { "SeatClaim" }

  package static var blank: SeatClaim {
    SeatClaim(seat: .defaultValue, customer: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "seat", &seat)
    try visitor.field(2, "customer", &customer)
    try visitor.field(3, "at", &at)
  }

  package func validate() throws(WireError) {
    try require(seat, "seat")
    try require(customer, "customer")
  }
}

/// A seat of a membership is free again: nobody has what it gives.
public struct SeatRelease: Hashable, Sendable {
  /// The seat, by an id that the service chooses.
  public var seat: SeatID
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// The reason in words.
  public var reason: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(seat: SeatID, at: Timestamp? = nil, reason: String = "") {
    self.seat = seat
    self.at = at
    self.reason = reason
  }
}

extension SeatRelease: Message {
  package static var messageName: String { "SeatRelease" }

  package static var blank: SeatRelease { SeatRelease(seat: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "seat", &seat)
    try visitor.field(2, "at", &at)
    try visitor.field(3, "reason", &reason)
  }

  package func validate() throws(WireError) {
    try require(seat, "seat")
  }
}
