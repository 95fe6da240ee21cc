/// What a customer gave for a transaction.
@nonexhaustive public enum TransactionKind: Hashable, Sendable {
  /// Paid at the full price.
  case paid
  /// A free trial that turns into payment.
  case trial
  /// Paid at an introductory price.
  case intro
  /// Given by the store without payment, such as by a full discount.
  case free
  /// Bought once; without a period it never expires.
  case oneTime
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension TransactionKind: OpenEnum {
  package static let known: [(value: TransactionKind, number: Int64, name: String)] = [
    (.paid, 1, "paid"), (.trial, 2, "trial"), (.intro, 3, "intro"), (.free, 4, "free"),
    (.oneTime, 5, "oneTime"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// How the customer came to a transaction.
@nonexhaustive public enum Ownership: Hashable, Sendable {
  /// Bought by the customer.
  case purchased
  /// Shared by a family member who bought it.
  case familyShared
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension Ownership: OpenEnum {
  package static let known: [(value: Ownership, number: Int64, name: String)] = [
    (.purchased, 1, "purchased"), (.familyShared, 2, "familyShared"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// What is sold on which terms, in the store's own names.
public struct Offer: Hashable, Sendable {
  /// The store's product; empty where the store gave none.
  public var product: String
  /// The store's price, base plan or offer; empty where the store gave none.
  public var plan: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(product: String = "", plan: String = "") {
    self.product = product
    self.plan = plan
  }
}

extension Offer: Message {
  package static var messageName: String { "Offer" }

  package static var blank: Offer { Offer() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "product", &product)
    try visitor.field(2, "plan", &plan)
  }
}

/// One purchase or renewal: what was given, for how long and on which terms.
///
/// The newest observation of a transaction id wins over older ones.
public struct Transaction: Hashable, Sendable {
  /// The store's transaction, unique within its provider.
  public var id: TransactionID
  /// The store's product and plan.
  public var offer: Offer
  /// The period paid for, half-open; nil only for one-time purchases that never expire, and where
  /// `isUndated` says that the store does not show it.
  public var period: Period?
  /// What was given for it.
  public var kind: TransactionKind
  /// How many were bought, such as seats.
  public var quantity: Int64
  /// What was paid after discounts.
  public var amount: Money?
  /// How the customer came to it.
  public var ownership: Ownership
  /// The store's line of the subscription, where one has several; else empty.
  public var item: String
  /// Whether a standing of the store is all that speaks for it: no payment was seen.
  ///
  /// Whether such a transaction gives access is for the policy to say.
  public var isObserved: Bool
  /// The position of the catalog revision it is pinned to; 0 pins by effective time.
  public var catalogRevision: UInt64
  /// Whether it pays for a period that the store's payments do not show: the one that the
  /// membership is in at the time, or, where a renewal finds that one run out, one more as long.
  ///
  /// Such a transaction has no period of its own.
  public var isUndated: Bool
  /// Whether the source shows that nothing of it is taken back, as a source does that would show it:
  /// whatever was taken back before is given again from then on.
  public var isIntact: Bool
  /// Whether it takes the place of what the membership gave before: every transaction that began
  /// earlier gives nothing from its start on.
  public var replacesEarlier: Bool
  /// Whether the source says when the membership began, and not when this period did.
  ///
  /// The period's start is then the membership's. It counts from where the one before it, of the
  /// same product, ended; where that product is new, or the membership was not in good standing,
  /// from when it was first seen.
  public var hasUnknownStart: Bool
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    id: TransactionID, offer: Offer = Offer(), period: Period? = nil, kind: TransactionKind,
    quantity: Int64 = 1, amount: Money? = nil, ownership: Ownership = .purchased,
    item: String = "", isObserved: Bool = false, catalogRevision: UInt64 = 0,
    isUndated: Bool = false, isIntact: Bool = false, replacesEarlier: Bool = false,
    hasUnknownStart: Bool = false
  ) {
    self.id = id
    self.offer = offer
    self.period = period
    self.kind = kind
    self.quantity = quantity
    self.amount = amount
    self.ownership = ownership
    self.item = item
    self.isObserved = isObserved
    self.catalogRevision = catalogRevision
    self.isUndated = isUndated
    self.isIntact = isIntact
    self.replacesEarlier = replacesEarlier
    self.hasUnknownStart = hasUnknownStart
  }
}

extension Transaction: Message {
  package static var messageName: String { "Transaction" }

  package static var blank: Transaction {
    Transaction(
      id: .defaultValue, kind: .defaultValue, quantity: .defaultValue, ownership: .defaultValue)
  }

  package static var jsonBlank: Transaction { Transaction(id: .defaultValue, kind: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "offer", &offer)
    try visitor.field(3, "period", &period)
    try visitor.field(4, "kind", &kind)
    try visitor.field(5, "quantity", &quantity)
    try visitor.field(6, "amount", &amount)
    try visitor.field(7, "ownership", &ownership)
    try visitor.field(8, "item", &item)
    try visitor.field(9, "isObserved", &isObserved)
    try visitor.field(10, "catalogRevision", &catalogRevision)
    try visitor.field(11, "hasUnknownStart", &hasUnknownStart)
    try visitor.field(13, "isUndated", &isUndated)
    try visitor.field(15, "isIntact", &isIntact)
    try visitor.field(16, "replacesEarlier", &replacesEarlier)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
    if let period, period.isEmpty, period.start != period.end {
      throw .invalid(field: "period", rule: "a period does not end before it starts")
    }
  }
}

/// Free days: the period of a transaction ends later than was paid for.
public struct Extension: Hashable, Sendable {
  /// The transaction extended; nil for the latest one.
  public var transaction: TransactionID?
  /// The new end.
  public var until: Timestamp
  /// The source's reason.
  public var reason: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(transaction: TransactionID? = nil, until: Timestamp, reason: String = "") {
    self.transaction = transaction
    self.until = until
    self.reason = reason
  }
}

extension Extension: Message {
  package static var messageName: String { "Extension" }

  package static var blank: Extension { Extension(until: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "transaction", &transaction)
    try visitor.field(2, "until", &until)
    try visitor.field(3, "reason", &reason)
  }
}
