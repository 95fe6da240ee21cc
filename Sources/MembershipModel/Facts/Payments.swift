/// The state of a store's invoice.
@nonexhaustive public enum InvoiceState: Hashable, Sendable {
  /// Being prepared.
  case draft
  /// To be paid.
  case open
  /// Paid.
  case paid
  /// Given up.
  case uncollectible
  /// Cancelled.
  case void
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension InvoiceState: OpenEnum {
  package static let known: [(value: InvoiceState, number: Int64, name: String)] = [
    (.draft, 1, "draft"), (.open, 2, "open"), (.paid, 3, "paid"),
    (.uncollectible, 4, "uncollectible"), (.void, 5, "void"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// How serious a dispute is.
@nonexhaustive public enum DisputeKind: Hashable, Sendable {
  /// The money was taken back meanwhile.
  case dispute
  /// A question; no money moved.
  case inquiry
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension DisputeKind: OpenEnum {
  package static let known: [(value: DisputeKind, number: Int64, name: String)] = [
    (.dispute, 1, "dispute"), (.inquiry, 2, "inquiry"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// How a dispute ended.
@nonexhaustive public enum DisputeOutcome: Hashable, Sendable {
  /// For the merchant.
  case won
  /// For the customer.
  case lost
  /// Without a decision.
  case withdrawn
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension DisputeOutcome: OpenEnum {
  package static let known: [(value: DisputeOutcome, number: Int64, name: String)] = [
    (.won, 1, "won"), (.lost, 2, "lost"), (.withdrawn, 3, "withdrawn"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// Money given back for the payment that the fact's references name.
///
/// Amounts are totals: of the whole payment so far, or of the one refund that is named.
public struct Refund: Hashable, Sendable {
  /// The refund; nil where the amount is the payment's total so far.
  public var refund: ReferenceID?
  /// The total given back; nothing where the source does not tell it and says that it revokes.
  public var amount: Money
  /// What had been paid, where the source says it.
  public var paid: Money?
  /// Whether the source itself takes access back; nil leaves it to the policy.
  public var revokes: Bool?
  /// When; nil for the event's effective time.
  public var at: Timestamp?
  /// The transaction refunded, where the source names it.
  public var transaction: TransactionID?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    refund: ReferenceID? = nil, amount: Money, paid: Money? = nil, revokes: Bool? = nil,
    at: Timestamp? = nil, transaction: TransactionID? = nil
  ) {
    self.refund = refund
    self.amount = amount
    self.paid = paid
    self.revokes = revokes
    self.at = at
    self.transaction = transaction
  }
}

extension Refund: Message {
  package static var messageName: String { "Refund" }

  package static var blank: Refund { Refund(amount: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "refund", &refund)
    try visitor.field(2, "amount", &amount)
    try visitor.field(3, "paid", &paid)
    try visitor.field(4, "revokes", &revokes)
    try visitor.field(5, "at", &at)
    try visitor.field(6, "transaction", &transaction)
  }

  package func validate() throws(WireError) {
    try require(amount, "amount")
  }
}

/// A refund that failed or was taken back: the money stays with the merchant.
public struct RefundReversal: Hashable, Sendable {
  /// The refund undone; nil where all of the payment's refunds are.
  public var refund: ReferenceID?
  /// The total of the refund undone.
  public var amount: Money?
  /// When; nil for the event's effective time.
  public var at: Timestamp?
  /// The transaction restored, where the source names it.
  public var transaction: TransactionID?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    refund: ReferenceID? = nil, amount: Money? = nil, at: Timestamp? = nil,
    transaction: TransactionID? = nil
  ) {
    self.refund = refund
    self.amount = amount
    self.at = at
    self.transaction = transaction
  }
}

extension RefundReversal: Message {
  package static var messageName: String { "RefundReversal" }

  package static var blank: RefundReversal { RefundReversal() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "refund", &refund)
    try visitor.field(2, "amount", &amount)
    try visitor.field(3, "at", &at)
    try visitor.field(4, "transaction", &transaction)
  }
}

/// The payer's bank questions the payment that the fact's references name.
public struct Dispute: Hashable, Sendable {
  /// The dispute.
  public var id: ReferenceID
  /// How serious it is.
  public var kind: DisputeKind
  /// The amount in question.
  public var amount: Money?
  /// When it was opened; nil for the event's effective time.
  public var at: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(id: ReferenceID, kind: DisputeKind, amount: Money? = nil, at: Timestamp? = nil) {
    self.id = id
    self.kind = kind
    self.amount = amount
    self.at = at
  }
}

extension Dispute: Message {
  package static var messageName: String { "Dispute" }

  package static var blank: Dispute { Dispute(id: .defaultValue, kind: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "kind", &kind)
    try visitor.field(3, "amount", &amount)
    try visitor.field(4, "at", &at)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
  }
}

/// The end of a dispute.
public struct DisputeClosure: Hashable, Sendable {
  /// The dispute.
  public var id: ReferenceID
  /// How it ended.
  public var outcome: DisputeOutcome
  /// When; nil for the event's effective time.
  public var at: Timestamp?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(id: ReferenceID, outcome: DisputeOutcome, at: Timestamp? = nil) {
    self.id = id
    self.outcome = outcome
    self.at = at
  }
}

extension DisputeClosure: Message {
  package static var messageName: String { "DisputeClosure" }

  package static var blank: DisputeClosure {
    DisputeClosure(id: .defaultValue, outcome: .defaultValue)
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

/// The references of the fact belong to one payment.
public struct PaymentLink: Hashable, Sendable {
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init() {}
}

extension PaymentLink: Message {
  package static var messageName: String { "PaymentLink" }

  package static var blank: PaymentLink { PaymentLink() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {}
}

/// A change within a period, and what it costs for the rest of it.
public struct Proration: Hashable, Sendable {
  /// From when on the change is charged for.
  public var at: Timestamp
  /// The store's line of the subscription that changed; empty where it has one only.
  public var item: String
  /// What is charged for it, less what is given back for what it replaces.
  public var amount: Money?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(at: Timestamp, item: String = "", amount: Money? = nil) {
    self.at = at
    self.item = item
    self.amount = amount
  }
}

extension Proration: Message {
  package static var messageName: String { "Proration" }

  package static var blank: Proration { Proration(at: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "at", &at)
    try visitor.field(2, "item", &item)
    try visitor.field(3, "amount", &amount)
  }
}

/// An invoice for a membership, with its state; it grants nothing by itself.
public struct Invoice: Hashable, Sendable {
  /// The invoice.
  public var id: ReferenceID
  /// Its state.
  public var state: InvoiceState
  /// The period that it bills; nil where it bills none, as when it only settles changes within one.
  public var period: Period?
  /// The changes within a period that it settles.
  public var prorations: [Proration]
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    id: ReferenceID, state: InvoiceState, period: Period? = nil, prorations: [Proration] = []
  ) {
    self.id = id
    self.state = state
    self.period = period
    self.prorations = prorations
  }
}

extension Invoice: Message {
  package static var messageName: String { "Invoice" }

  package static var blank: Invoice { Invoice(id: .defaultValue, state: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "state", &state)
    try visitor.field(3, "period", &period)
    try visitor.field(4, "prorations", &prorations)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
  }
}
