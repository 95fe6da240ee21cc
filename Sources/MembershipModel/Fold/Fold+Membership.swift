extension Fold {
  /// Joins the facts that name a membership, and ties it to its account.
  mutating func apply(
    _ facts: [Fact], to id: MembershipID, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    try touchHolders(of: id, context.environment, &effect)
    let key = EntityKey.membership(id, context.environment)
    var state = try store.state(key, as: MembershipState.self) ?? MembershipState()
    let before = state
    for fact in facts {
      state.join(fact, in: context)
      if case .transferred(let transfer) = fact.body {
        try store.update(.customer(transfer.to, context.environment), as: CustomerState.self) {
          $0.memberships.insert(id)
        }
      }
      if let customer = fact.body.seatCustomer {
        try store.update(.customer(customer, context.environment), as: CustomerState.self) {
          $0.seats.insert(id)
        }
      }
    }
    state.firstSeenAt = min(state.firstSeenAt, context.effectiveAt)
    // A transfer says who holds it from then on, and nothing of whose it was.
    if !facts.allSatisfy(\.isTransfer) { try tie(&state, id, context) }
    if state != before { try store.set(key, to: state) }
    try touchHolders(of: id, context.environment, &effect)
  }

  /// Ties a membership to the account, or else to the customer, that the event names.
  private mutating func tie(
    _ state: inout MembershipState, _ id: MembershipID, _ context: FactContext
  ) throws(Store.Failure) {
    if let account = context.account {
      state.account.join(account, context.stamp)
      state.namings[CustomerID(unchecked: account.rawValue), default: FirstWord()].join(
        context.stamp.event, at: context.effectiveAt)
      try store.update(.account(account, context.environment), as: AccountState.self) {
        $0.memberships.insert(id)
      }
    } else if let customer = context.customer {
      state.hint.join(customer, context.stamp)
      state.namings[customer, default: FirstWord()].join(
        context.stamp.event, at: context.effectiveAt)
      try store.update(.customer(customer, context.environment), as: CustomerState.self) {
        $0.memberships.insert(id)
      }
    }
    if let owner = state.account.value {
      state.inherited =
        try store.account(owner, context.environment)?.inheritance ?? Inheritance()
    }
  }

  /// Adds everyone who holds, or ever held, the membership or a seat of it, or a grant that follows
  /// it, to the names touched.
  mutating func touchHolders(
    of id: MembershipID, _ environment: Environment, _ effect: inout Effect
  ) throws(Store.Failure) {
    guard let state = try store.membership(id, environment) else { return }
    effect.names.formUnion(try takers(from: state.namings.keys, environment))
    for stretch in state.transfers.stretches { effect.names.insert(stretch.entry.value.to) }
    for stretch in SeatPool(state.seats).stretches {
      if let customer = stretch.customer { effect.names.insert(customer) }
    }
    effect.names.formUnion(state.followers.elements)
  }
}

extension MembershipState {
  /// Whether any fact is about the membership itself.
  package var isKnown: Bool { firstSeenAt < .distantFuture }
}

extension Fact {
  fileprivate var isTransfer: Bool {
    if case .transferred = body { true } else { false }
  }
}

extension Fact.Body {
  /// The customer to whom the fact gives a seat.
  fileprivate var seatCustomer: CustomerID? {
    switch self {
    case .seatAssigned(let assignment): assignment.customer
    case .seatClaimed(let claim): claim.customer
    default: nil
    }
  }
}
