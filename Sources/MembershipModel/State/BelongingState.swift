/// All that is known of one account at a provider.
package struct AccountState: Hashable, Sendable {
  /// The customer that the provider's documents name.
  package var hint = Register<CustomerID>()
  /// All customers that they ever named: what was theirs was had under the account's name.
  package var hinted = SortedSet<CustomerID>()
  /// The customers whose account the provider's documents say that it is not.
  package var denials = SortedMap<CustomerID, Register<CustomerID>>()
  /// Links and their ends by hand, by position.
  package var decisions = SortedMap<Position, LinkDecision>()
  package var memberships = SortedSet<MembershipID>()
  /// What befell the account as a whole.
  package var inheritance = Inheritance()
  /// The provider's own list of entitlements, for comparison.
  package var claim = Register<EntitlementClaim>()
  /// To whom all that the account held went, from instant to instant.
  package var departures = History<Transfer>()
  package var unknownFields = UnknownFields()

  package init() {}

  /// The customer whose account this is said to be; nil while it stands for itself.
  package var linkedCustomer: CustomerID? { link?.customer }

  /// The link in force, with the event that says it.
  package var link: LinkDecision? {
    decisions.values.reduce(hintedLink) { link, decision in
      if decision.isLinked { return decision }
      return link?.customer == decision.customer ? nil : link
    }
  }

  /// The link that the provider's documents state, unless they deny it since.
  private var hintedLink: LinkDecision? {
    guard let hinted = hint.winner else { return nil }
    if let denied = denials[hinted.value]?.winner, denied.stamp.time >= hinted.stamp.time {
      return nil
    }
    return LinkDecision(customer: hinted.value, isLinked: true, event: hinted.stamp.event)
  }
}

extension AccountState: EntityState {
  package static var kind: EntityKind { .account }
  package static var messageName: String { "AccountState" }
  package static var blank: AccountState { AccountState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "hint", &hint)
    try visitor.field(2, "decisions", &decisions)
    try visitor.field(3, "memberships", &memberships)
    try visitor.field(4, "inheritance", &inheritance)
    try visitor.field(5, "claim", &claim)
    try visitor.field(20, "denials", &denials)
    try visitor.field(21, "departures", &departures)
    try visitor.field(22, "hinted", &hinted)
  }
}

/// A decision that two names are or are not one customer's.
package struct LinkDecision: Hashable, Sendable {
  package var customer: CustomerID
  package var isLinked: Bool
  /// The event that says it.
  package var event: EventID
  package var unknownFields = UnknownFields()

  package init(customer: CustomerID, isLinked: Bool, event: EventID) {
    self.customer = customer
    self.isLinked = isLinked
    self.event = event
  }
}

extension LinkDecision: Message {
  package static var messageName: String { "LinkDecision" }
  package static var blank: LinkDecision {
    LinkDecision(customer: .defaultValue, isLinked: false, event: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "customer", &customer)
    try visitor.field(2, "isLinked", &isLinked)
    try visitor.field(3, "event", &event)
  }
}

/// All that is known of one customer.
package struct CustomerState: Hashable, Sendable {
  /// The accounts that were ever said to be the customer's; whether they are, they say themselves.
  package var accounts = SortedSet<AccountID>()
  /// The memberships that name the customer without an account, or were ever moved to it.
  package var memberships = SortedSet<MembershipID>()
  /// The customers that were ever merged into this one; whether they are, they say themselves.
  package var absorbed = SortedSet<CustomerID>()
  /// Merges of this customer into others and their undoing by hand, by position.
  package var merges = SortedMap<Position, LinkDecision>()
  /// What the documents of providers say of merges into each other customer.
  package var statedMerges = SortedMap<CustomerID, Register<LinkDecision>>()
  /// The grants given by hand to this customer.
  package var grants = SortedSet<GrantID>()
  package var holds = SortedMap<String, History<HoldMark>>()
  /// The memberships of which a seat was ever given to the customer.
  package var seats = SortedSet<MembershipID>()
  /// The accounts of which all that they held ever went to the one of this name.
  package var received = SortedSet<AccountID>()
  package var unknownFields = UnknownFields()

  package init() {}

  /// The merge of this customer into another that is in force: the last that was not undone itself.
  ///
  /// What providers state is ordered by their own times, and goes before what is decided by hand.
  package var merge: LinkDecision? {
    let stated = statedMerges.values.compactMap(\.winner).filter(\.value.isLinked)
      .sorted { ($0.stamp.time, $0.stamp.event) < ($1.stamp.time, $1.stamp.event) }
    var merges = stated.map(\.value)
    for decision in self.merges.values {
      merges.removeAll { $0.customer == decision.customer }
      if decision.isLinked { merges.append(decision) }
    }
    return merges.last
  }
}

extension CustomerState: EntityState {
  package static var kind: EntityKind { .customer }
  package static var messageName: String { "CustomerState" }
  package static var blank: CustomerState { CustomerState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "accounts", &accounts)
    try visitor.field(2, "memberships", &memberships)
    try visitor.field(3, "absorbed", &absorbed)
    try visitor.field(4, "merges", &merges)
    try visitor.field(5, "grants", &grants)
    try visitor.field(6, "holds", &holds)
    try visitor.field(7, "seats", &seats)
    try visitor.field(20, "statedMerges", &statedMerges)
    try visitor.field(21, "received", &received)
  }
}

/// One grant given by hand, and what took it back.
package struct GrantState: Hashable, Sendable {
  /// The customer to whom it is given.
  package var customer = Register<CustomerID>()
  package var grant = Register<ManualGrant>()
  /// All memberships that it ever followed.
  package var followed = SortedSet<MembershipID>()
  /// Its revocations by the instant from which on they hold; the earliest ends it.
  package var revocations = SortedMap<Timestamp, Register<ManualGrantRevocation>>()
  package var unknownFields = UnknownFields()

  package init() {}

  /// The instant from which on it is taken back; nil while it is not.
  package var revokedAt: Timestamp? { revocations.entries.first?.key }
}

extension GrantState: EntityState {
  package static var kind: EntityKind { .grant }
  package static var messageName: String { "GrantState" }
  package static var blank: GrantState { GrantState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "customer", &customer)
    try visitor.field(2, "grant", &grant)
    try visitor.field(3, "revocations", &revocations)
    try visitor.field(4, "followed", &followed)
  }
}
