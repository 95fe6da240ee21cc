/// All that is known of one membership: sets and registers keyed by what they are about.
///
/// Access follows from this value, the terms and an instant alone; see `MembershipTimeline`.
package struct MembershipState: Hashable, Sendable {
  /// The account that the store names as the owner.
  package var account = Register<AccountID>()
  /// The customer that the store's documents name.
  package var hint = Register<CustomerID>()
  /// The first word on each owner that the store's documents name.
  package var namings = SortedMap<CustomerID, FirstWord>()
  /// The earliest effective time of any fact.
  package var firstSeenAt = Timestamp.distantFuture
  package var transactions = SortedMap<TransactionID, TransactionState>()
  /// Free days for whatever transaction was the latest at an instant.
  package var extensions = History<Extension>()
  /// What the store's snapshots say.
  package var standing = History<Observation>()
  /// Whether and when the membership is to end.
  package var intent = History<Intent>()
  /// The same by each other cause that plans an end.
  package var otherIntents = SortedMap<String, History<Intent>>()
  package var pauses = SortedMap<String, History<PauseMark>>()
  package var holds = SortedMap<String, History<HoldMark>>()
  package var ends = SortedMap<Timestamp, Register<End>>()
  /// What the store took back as a whole, by the instant from which on it did.
  package var revocations = SortedMap<Timestamp, Register<AccessRevocation>>()
  /// Failed payments by the start of the period that was to be paid.
  package var failures = SortedMap<Timestamp, Register<PaymentFailure>>()
  package var invoices = SortedMap<ReferenceID, Register<Invoice>>()
  package var checkouts = SortedMap<ReferenceID, Register<CheckoutClosure>>()
  /// Plan changes in effect, by instant and item.
  package var changes = SortedMap<String, Register<PlanChange>>()
  /// Planned changes by item; a withdrawal withdraws whatever was planned before it.
  package var planned = SortedMap<String, History<PlanChange>>()
  package var withdrawals = History<Withdrawal>()
  /// Who was given the membership, from instant to instant.
  package var transfers = History<Transfer>()
  /// Money given back or disputed, by the least of the references that the payment is known by.
  package var payments = SortedMap<ReferenceID, LinkedPayment>()
  /// What befell the account as a whole.
  package var inherited = Inheritance()
  /// Who was given, and who claimed, each seat, from instant to instant.
  package var seats = SortedMap<SeatID, History<SeatMark>>()
  /// The customers who were ever given a grant that follows the membership.
  package var followers = SortedSet<CustomerID>()
  /// The entitlements taken from the membership by themselves; the first instant counts.
  package var takenEntitlements = SortedMap<EntitlementKey, History<RevocationMark>>()
  package var unknownFields = UnknownFields()

  package init() {}
}

extension MembershipState: EntityState {
  package static var kind: EntityKind { .membership }
  package static var messageName: String { "MembershipState" }
  package static var blank: MembershipState { MembershipState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "account", &account)
    try visitor.field(2, "hint", &hint)
    try visitor.field(3, "firstSeenAt", &firstSeenAt)
    try visitor.field(4, "transactions", &transactions)
    try visitor.field(5, "extensions", &extensions)
    try visitor.field(6, "standing", &standing)
    try visitor.field(7, "intent", &intent)
    try visitor.field(8, "pauses", &pauses)
    try visitor.field(9, "holds", &holds)
    try visitor.field(10, "ends", &ends)
    try visitor.field(11, "revocations", &revocations)
    try visitor.field(12, "failures", &failures)
    try visitor.field(13, "invoices", &invoices)
    try visitor.field(14, "checkouts", &checkouts)
    try visitor.field(15, "changes", &changes)
    try visitor.field(16, "planned", &planned)
    try visitor.field(17, "withdrawals", &withdrawals)
    try visitor.field(18, "transfers", &transfers)
    try visitor.field(19, "payments", &payments)
    try visitor.field(20, "inherited", &inherited)
    try visitor.field(21, "otherIntents", &otherIntents)
    try visitor.field(24, "seats", &seats)
    try visitor.field(25, "followers", &followers)
    try visitor.field(26, "takenEntitlements", &takenEntitlements)
    try visitor.field(40, "namings", &namings)
  }
}

/// The event that says something first, by its effective time.
package struct FirstWord: Hashable, Sendable {
  package var at = Timestamp.distantFuture
  package var event: EventID?
  package var unknownFields = UnknownFields()

  /// Whether this was said before the other; of two words of one time, the event's id decides.
  package func isBefore(_ other: FirstWord) -> Bool {
    guard let event, let later = other.event else { return self.event == nil }
    return (at, event) < (other.at, later)
  }

  /// Keeps the earliest time, and the least of the events that say it.
  package mutating func join(_ event: EventID, at instant: Timestamp) {
    guard let known = self.event, (at, known) <= (instant, event) else {
      (at, self.event) = (instant, event)
      return
    }
  }
}

extension FirstWord: Message {
  package static var messageName: String { "FirstWord" }
  package static var blank: FirstWord { FirstWord() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "at", &at)
    try visitor.field(2, "event", &event)
  }
}

/// One transaction: its newest observation, and what was taken from or added to it.
package struct TransactionState: Hashable, Sendable {
  package var purchase = Register<Purchase>()
  /// When any observation says first that it was bought.
  package var bought = FirstWord()
  package var extension_ = Register<Extension>()
  package var revocations = History<RevocationMark>()
  package var references = SortedSet<ReferenceID>()
  /// Its newest observation as a trial; that it was one stays, whatever it turned into.
  package var trial = Register<Purchase>()
  package var unknownFields = UnknownFields()

  package init() {}
}

extension TransactionState: Message {
  package static var messageName: String { "TransactionState" }
  package static var blank: TransactionState { TransactionState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "purchase", &purchase)
    try visitor.field(2, "bought", &bought)
    try visitor.field(3, "extension", &extension_)
    try visitor.field(4, "revocations", &revocations)
    try visitor.field(5, "references", &references)
    try visitor.field(9, "trial", &trial)
  }
}

/// A transaction as observed, and whether it is a renewal.
package struct Purchase: Hashable, Sendable {
  package var transaction: Transaction
  package var isRenewal: Bool
  package var unknownFields = UnknownFields()

  package init(_ transaction: Transaction, isRenewal: Bool) {
    self.transaction = transaction
    self.isRenewal = isRenewal
  }
}

extension Purchase: Message {
  package static var messageName: String { "Purchase" }
  package static var blank: Purchase { Purchase(.blank, isRenewal: false) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "transaction", &transaction)
    try visitor.field(2, "isRenewal", &isRenewal)
  }
}

/// What befell an account as a whole, and with it each of its memberships.
package struct Inheritance: Hashable, Sendable {
  package var ends = SortedMap<Timestamp, Register<End>>()
  package var holds = SortedMap<String, History<HoldMark>>()
  package var unknownFields = UnknownFields()

  package init() {}
}

extension Inheritance: Message {
  package static var messageName: String { "Inheritance" }
  package static var blank: Inheritance { Inheritance() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "ends", &ends)
    try visitor.field(2, "holds", &holds)
  }
}
