extension Fold {
  /// Every thing that does, or by some decision ever did or could, bear on a customer's access.
  ///
  /// Following all links both ways, undone ones too, gathers more than a customer has now, so that
  /// the events about these things answer for any earlier state of knowledge as well.
  package func related(
    to name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> Set<EntityKey> {
    try reached(from: [
      .customer(name, environment), .account(AccountID(unchecked: name.rawValue), environment),
    ])
  }

  /// Every thing that does, or ever did or could, bear on who holds a membership.
  package func related(
    toHoldersOf id: MembershipID, _ environment: Environment
  ) throws(Store.Failure) -> Set<EntityKey> {
    try reached(from: [.membership(id, environment)])
  }

  func reached(from keys: [EntityKey]) throws(Store.Failure) -> Set<EntityKey> {
    var found: Set<EntityKey> = []
    var open = keys
    while let next = open.popLast() {
      if found.insert(next).inserted { open += try neighbours(of: next) }
    }
    return found
  }

  /// Every thing that bears on one membership: its holders' affairs are not among them.
  package func related(
    toMembership id: MembershipID, _ environment: Environment
  ) throws(Store.Failure) -> Set<EntityKey> {
    var found: Set<EntityKey> = [.membership(id, environment)]
    guard let state = try store.membership(id, environment) else { return found }
    if let account = state.account.value { found.insert(.account(account, environment)) }
    for reference in state.references {
      for payment in try linkedPayments(from: reference, environment) {
        found.insert(.payment(payment.id, environment))
      }
    }
    return found
  }

  /// Every thing that the timeline of a membership follows from, apart from the accounts that were
  /// ever said to be its owner: the membership, its payments, and what is linked with them.
  package func foundation(
    ofMembership id: MembershipID, _ environment: Environment
  ) throws(Store.Failure) -> Set<EntityKey> {
    var found: Set<EntityKey> = []
    var open: [EntityKey] = [.membership(id, environment)]
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      open += try neighbours(of: next).filter { $0.kind == .payment || $0.kind == .membership }
    }
    return found
  }

  private func neighbours(of key: EntityKey) throws(Store.Failure) -> [EntityKey] {
    let former = try store.state(.trace(of: key), as: TraceState.self)?.keys(key.environment) ?? []
    return try present(neighboursOf: key) + former
  }

  private func present(neighboursOf key: EntityKey) throws(Store.Failure) -> [EntityKey] {
    let environment = key.environment
    func customers(_ names: some Sequence<CustomerID>) -> [EntityKey] {
      names.flatMap { name -> [EntityKey] in
        [
          .customer(name, environment),
          .account(AccountID(unchecked: name.rawValue), environment),
        ]
      }
    }
    switch key.kind {
    case .terms, .trace: return []
    case .grant:
      guard let state = try store.grant(GrantID(unchecked: key.id), environment) else { return [] }
      return state.followed.elements.map { .membership($0, environment) }
    case .customer:
      guard let state = try store.customer(CustomerID(unchecked: key.id), environment) else {
        return []
      }
      return customers(state.absorbed.elements)
        + customers(state.merges.values.map(\.customer) + state.statedMerges.keys)
        + customers(state.accounts.elements.map { CustomerID(unchecked: $0.rawValue) })
        + state.memberships.elements.map { .membership($0, environment) }
        + state.seats.elements.map { .membership($0, environment) }
        + state.grants.elements.map { .grant($0, environment) }
        + customers(state.received.elements.map { CustomerID(unchecked: $0.rawValue) })
    case .account:
      guard let state = try store.account(AccountID(unchecked: key.id), environment) else {
        return []
      }
      return customers(state.decisions.values.map(\.customer))
        + customers(state.hinted.elements)
        + customers(state.departures.stretches.map(\.entry.value.to))
        + state.memberships.elements.map { .membership($0, environment) }
    case .membership:
      guard let state = try store.membership(MembershipID(unchecked: key.id), environment) else {
        return []
      }
      return customers(state.account.candidates.map { CustomerID(unchecked: $0.value.rawValue) })
        + customers(state.hint.candidates.map(\.value)) + customers(state.namings.keys)
        + customers(state.transfers.stretches.map(\.entry.value.to))
        + state.references.map { .payment($0, environment) }
    case .payment:
      guard let state = try store.payment(ReferenceID(unchecked: key.id), environment) else {
        return []
      }
      return state.links.elements.map { .payment($0, environment) }
        + state.memberships.elements.map { .membership($0, environment) }
    }
  }
}

extension MembershipState {
  /// The references of payments that its transactions name.
  fileprivate var references: Set<ReferenceID> {
    var references: Set<ReferenceID> = []
    for transaction in transactions.values { references.formUnion(transaction.references.elements) }
    for payment in payments.values { references.formUnion(payment.references.elements) }
    return references
  }
}
