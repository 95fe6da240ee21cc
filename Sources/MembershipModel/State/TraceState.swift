/// What a thing was connected with by an event that was corrected since.
///
/// Nothing follows from it now; it leads to what has to be read again for an earlier state of
/// knowledge.
package struct TraceState: Hashable, Sendable {
  package var customers = SortedSet<CustomerID>()
  package var accounts = SortedSet<AccountID>()
  package var memberships = SortedSet<MembershipID>()
  package var payments = SortedSet<ReferenceID>()
  package var unknownFields = UnknownFields()

  package init() {}

  /// Adds a thing; those of other kinds are connected by no provider's event.
  mutating func insert(_ key: EntityKey) {
    switch key.kind {
    case .customer: customers.insert(CustomerID(unchecked: key.id))
    case .account: accounts.insert(AccountID(unchecked: key.id))
    case .membership: memberships.insert(MembershipID(unchecked: key.id))
    case .payment: payments.insert(ReferenceID(unchecked: key.id))
    case .terms, .grant, .trace: break
    }
  }

  func keys(_ environment: Environment) -> [EntityKey] {
    customers.elements.map { .customer($0, environment) }
      + accounts.elements.map { .account($0, environment) }
      + memberships.elements.map { .membership($0, environment) }
      + payments.elements.map { .payment($0, environment) }
  }
}

extension TraceState: EntityState {
  package static var kind: EntityKind { .trace }
  package static var messageName: String { "TraceState" }
  package static var blank: TraceState { TraceState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "customers", &customers)
    try visitor.field(2, "accounts", &accounts)
    try visitor.field(3, "memberships", &memberships)
    try visitor.field(4, "payments", &payments)
  }
}
