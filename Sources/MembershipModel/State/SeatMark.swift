/// What was last said of a seat.
package struct SeatMark: Hashable, Sendable {
  /// For whom it is kept, or who has claimed it; nil where that is open.
  package var customer: CustomerID?
  package var isTaken: Bool
  /// Whether the customer has claimed it; until then it gives nothing.
  package var isClaimed: Bool
  package var unknownFields = UnknownFields()

  package init(customer: CustomerID? = nil, isTaken: Bool, isClaimed: Bool = false) {
    self.customer = customer
    self.isTaken = isTaken
    self.isClaimed = isClaimed
  }
}

extension SeatMark: Message {
  package static var messageName: String { "SeatMark" }
  package static var blank: SeatMark { SeatMark(isTaken: false) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "customer", &customer)
    try visitor.field(2, "isTaken", &isTaken)
    try visitor.field(3, "isClaimed", &isClaimed)
  }
}

extension SortedMap where Key == SeatID, Value == History<SeatMark> {
  /// Joins a fact about a seat; where one time is all that orders two of them, free wins over
  /// claimed, and claimed over kept.
  mutating func join(_ body: Fact.Body, _ context: FactContext) {
    func stamp(_ precedence: Int64) -> Stamp { context.stamp.with(precedence: precedence) }
    switch body {
    case .seatAssigned(let fact):
      self[fact.seat, default: History()].join(
        SeatMark(customer: fact.customer, isTaken: true), at: context.instant(fact.at), stamp(0))
    case .seatClaimed(let fact):
      self[fact.seat, default: History()].join(
        SeatMark(customer: fact.customer, isTaken: true, isClaimed: true),
        at: context.instant(fact.at), stamp(1))
    case .seatReleased(let fact):
      self[fact.seat, default: History()].join(
        SeatMark(isTaken: false), at: context.instant(fact.at), stamp(2))
    default:
      break
    }
  }
}
