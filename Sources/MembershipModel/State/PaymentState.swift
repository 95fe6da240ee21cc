/// All that is known of one payment, invoice or order, by one of the references it has.
package struct PaymentState: Hashable, Sendable {
  /// The other references that some document names beside this one.
  package var links = SortedSet<ReferenceID>()
  /// The memberships that transactions with this reference belong to.
  package var memberships = SortedSet<MembershipID>()
  package var money = MoneyState()
  package var unknownFields = UnknownFields()

  package init() {}
}

extension PaymentState: EntityState {
  package static var kind: EntityKind { .payment }
  package static var messageName: String { "PaymentState" }
  package static var blank: PaymentState { PaymentState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "links", &links)
    try visitor.field(2, "memberships", &memberships)
    try visitor.field(3, "money", &money)
  }
}

/// What became of the money of a payment.
package struct MoneyState: Hashable, Sendable {
  /// The totals given back so far, by the instant from which on they hold.
  package var totals = History<Refund>()
  /// Single refunds by id: whether each stands, from instant to instant.
  package var refunds = SortedMap<ReferenceID, History<RefundMark>>()
  package var disputes = SortedMap<ReferenceID, DisputeState>()
  package var holds = SortedMap<String, History<HoldMark>>()
  package var unknownFields = UnknownFields()

  package init() {}

  package var isEmpty: Bool { self == MoneyState() }
}

extension MoneyState: Joinable {
  package mutating func join(_ other: MoneyState) {
    totals.join(other.totals)
    refunds.join(other.refunds)
    disputes.join(other.disputes)
    holds.join(other.holds)
  }
}

extension MoneyState: Message {
  package static var messageName: String { "MoneyState" }
  package static var blank: MoneyState { MoneyState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "totals", &totals)
    try visitor.field(2, "refunds", &refunds)
    try visitor.field(3, "disputes", &disputes)
    try visitor.field(4, "holds", &holds)
  }
}

/// One refund: its total, and whether it was undone.
package struct RefundMark: Hashable, Sendable {
  package var amount: Money?
  package var paid: Money?
  package var revokes: Bool?
  package var isReversed: Bool
  package var unknownFields = UnknownFields()
}

extension RefundMark: Message {
  package static var messageName: String { "RefundMark" }
  package static var blank: RefundMark { RefundMark(isReversed: false) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "amount", &amount)
    try visitor.field(2, "paid", &paid)
    try visitor.field(3, "revokes", &revokes)
    try visitor.field(4, "isReversed", &isReversed)
  }
}

/// One dispute: how serious it was seen to be, and its end.
package struct DisputeState: Hashable, Sendable {
  /// What was seen of it while it was open, by the instant at which it was seen.
  package var openings = History<Dispute>()
  package var closure = Register<DisputeClosure>()
  package var unknownFields = UnknownFields()

  package init() {}
}

extension DisputeState: Joinable {
  package mutating func join(_ other: DisputeState) {
    openings.join(other.openings)
    closure.join(other.closure)
  }
}

extension DisputeState: Message {
  package static var messageName: String { "DisputeState" }
  package static var blank: DisputeState { DisputeState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "openings", &openings)
    try visitor.field(2, "closure", &closure)
  }
}

/// The money of a payment, put together from all references that the payment is known by.
package struct LinkedPayment: Hashable, Sendable {
  package var references = SortedSet<ReferenceID>()
  package var money = MoneyState()
  package var unknownFields = UnknownFields()

  package init() {}
}

extension LinkedPayment: Message {
  package static var messageName: String { "LinkedPayment" }
  package static var blank: LinkedPayment { LinkedPayment() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "references", &references)
    try visitor.field(2, "money", &money)
  }
}
