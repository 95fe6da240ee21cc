/// What a restore made of one transaction.
@nonexhaustive public enum RestoreOutcome: Hashable, Sendable {
  /// It gives access again.
  case restored
  /// The customer held it before.
  case alreadyHeld
  /// It moved from another customer.
  case transferredFrom
  /// Another customer keeps it.
  case ownedByAnother
  /// It has run out.
  case expired
  /// It was taken back.
  case revoked
  /// The store reports nothing.
  case nothingFound
  /// A value of a newer version, by its number; it never grants.
  case unrecognized(Int64)
}

extension RestoreOutcome: OpenEnum {
  package static let known: [(value: RestoreOutcome, number: Int64, name: String)] = [
    (.restored, 1, "restored"), (.alreadyHeld, 2, "alreadyHeld"),
    (.transferredFrom, 3, "transferredFrom"), (.ownedByAnother, 4, "ownedByAnother"),
    (.expired, 5, "expired"), (.revoked, 6, "revoked"), (.nothingFound, 7, "nothingFound"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// One transaction that a store reported at a restore.
public struct RestoredTransaction: Hashable, Sendable {
  /// The transaction; nil where there was none.
  public var transaction: TransactionID?
  /// What became of it.
  public var outcome: RestoreOutcome
  /// The other customer concerned.
  public var otherCustomer: CustomerID?
  /// The membership that it belongs to; nil where the store reported nothing.
  public var membership: MembershipID?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    transaction: TransactionID? = nil, outcome: RestoreOutcome, otherCustomer: CustomerID? = nil,
    membership: MembershipID? = nil
  ) {
    self.transaction = transaction
    self.outcome = outcome
    self.otherCustomer = otherCustomer
    self.membership = membership
  }
}

extension RestoredTransaction: Message {
  package static var messageName: String { "RestoredTransaction" }

  package static var blank: RestoredTransaction { RestoredTransaction(outcome: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "transaction", &transaction)
    try visitor.field(2, "outcome", &outcome)
    try visitor.field(3, "otherCustomer", &otherCustomer)
    try visitor.field(4, "membership", &membership)
  }
}

/// What a store still reported when the customer asked to restore.
public struct Restoration: Hashable, Sendable {
  /// One entry for each transaction.
  public var transactions: [RestoredTransaction]
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(transactions: [RestoredTransaction] = []) {
    self.transactions = transactions
  }
}

extension Restoration: Message {
  package static var messageName: String { "Restoration" }

  package static var blank: Restoration { Restoration() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "transactions", &transactions)
  }
}

/// A membership moves to another customer from an instant on; or, of a fact that names none, all that
/// an account held by then moves.
public struct Transfer: Hashable, Sendable {
  /// Who holds it from then on.
  public var to: CustomerID
  /// Who held it before, for the record; where no membership is named, the account that held all.
  public var from: CustomerID?
  /// From when on; nil for the event's effective time.
  public var at: Timestamp?
  /// The reason in words.
  public var reason: String
  /// The event of the transfer that this one undoes; nil where it undoes none.
  public var undoes: EventID?
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(
    to: CustomerID, from: CustomerID? = nil, at: Timestamp? = nil, reason: String = "",
    undoes: EventID? = nil
  ) {
    self.to = to
    self.from = from
    self.at = at
    self.reason = reason
    self.undoes = undoes
  }
}

extension Transfer: Message {
  package static var messageName: String { "Transfer" }

  package static var blank: Transfer { Transfer(to: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "to", &to)
    try visitor.field(2, "from", &from)
    try visitor.field(3, "at", &at)
    try visitor.field(4, "reason", &reason)
    try visitor.field(5, "undoes", &undoes)
  }

  package func validate() throws(WireError) {
    try require(to, "to")
  }
}

/// An account at a provider is, or is not, this customer's; says who it always was.
public struct AccountLink: Hashable, Sendable {
  /// The account.
  public var account: AccountID
  /// The customer.
  public var customer: CustomerID
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(account: AccountID, customer: CustomerID) {
    self.account = account
    self.customer = customer
  }
}

extension AccountLink: Message {
  package static var messageName: String { "AccountLink" }

  package static var blank: AccountLink {
    AccountLink(account: .defaultValue, customer: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "account", &account)
    try visitor.field(2, "customer", &customer)
  }

  package func validate() throws(WireError) {
    try require(account, "account")
    try require(customer, "customer")
  }
}

/// Two customers are one: what the first has is the second's.
public struct CustomerMerge: Hashable, Sendable {
  /// The customer that is taken in.
  public var from: CustomerID
  /// The customer that stays.
  public var into: CustomerID
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(from: CustomerID, into: CustomerID) {
    self.from = from
    self.into = into
  }
}

extension CustomerMerge: Message {
  package static var messageName: String { "CustomerMerge" }

  package static var blank: CustomerMerge {
    CustomerMerge(from: .defaultValue, into: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "from", &from)
    try visitor.field(2, "into", &into)
  }

  package func validate() throws(WireError) {
    try require(from, "from")
    try require(into, "into")
  }
}

/// The documents about a customer are to be destroyed; ids and dates stay.
public struct CustomerErasure: Hashable, Sendable {
  /// The customer.
  public var customer: CustomerID
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(customer: CustomerID) {
    self.customer = customer
  }
}

extension CustomerErasure: Message {
  package static var messageName: String { "CustomerErasure" }

  package static var blank: CustomerErasure { CustomerErasure(customer: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "customer", &customer)
  }

  package func validate() throws(WireError) {
    try require(customer, "customer")
  }
}
