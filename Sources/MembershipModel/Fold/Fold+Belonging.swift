extension Fold {
  mutating func applyBelonging(
    _ body: Fact.Body, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    switch body {
    case .accountLinked(let link):
      if context.isDecision {
        try decide(link, isLinked: true, context, &effect)
      } else {
        try self.link(link.account, to: link.customer, context, &effect)
      }
    case .accountUnlinked(let link):
      if context.isDecision {
        try decide(link, isLinked: false, context, &effect)
      } else {
        try deny(link, context, &effect)
      }
    case .customersMerged(let merge):
      try decide(merge, isMerged: true, context, &effect)
    case .mergeUndone(let merge):
      try decide(merge, isMerged: false, context, &effect)
    case .transferred(let transfer):
      try move(transfer, context, &effect)
    default:
      break
    }
  }

  /// Joins a provider's hint on whose account it is.
  mutating func link(
    _ account: AccountID, to customer: CustomerID, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    try touchAccount(account, context.environment, &effect)
    try store.update(.account(account, context.environment), as: AccountState.self) {
      $0.hint.join(customer, context.stamp)
      $0.hinted.insert(customer)
    }
    try store.update(.customer(customer, context.environment), as: CustomerState.self) {
      $0.accounts.insert(account)
    }
    try touchAccount(account, context.environment, &effect)
    effect.names.insert(customer)
  }

  /// Joins a provider's word that an account is not this customer's.
  private mutating func deny(
    _ link: AccountLink, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    try touchAccount(link.account, context.environment, &effect)
    try store.update(.account(link.account, context.environment), as: AccountState.self) {
      $0.denials[link.customer, default: Register()].join(link.customer, context.stamp)
    }
    try touchAccount(link.account, context.environment, &effect)
    effect.names.insert(link.customer)
  }

  private mutating func decide(
    _ link: AccountLink, isLinked: Bool, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    let decision = LinkDecision(
      customer: link.customer, isLinked: isLinked, event: context.stamp.event)
    try touchAccount(link.account, context.environment, &effect)
    try store.update(.account(link.account, context.environment), as: AccountState.self) {
      $0.decisions[context.position, default: decision] = decision
    }
    try store.update(.customer(link.customer, context.environment), as: CustomerState.self) {
      $0.accounts.insert(link.account)
    }
    try touchAccount(link.account, context.environment, &effect)
    effect.names.insert(link.customer)
  }

  private mutating func decide(
    _ merge: CustomerMerge, isMerged: Bool, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    let decision = LinkDecision(
      customer: merge.into, isLinked: isMerged, event: context.stamp.event)
    let moved = try names(under: merge.from, context.environment)
    effect.names.formUnion(moved)
    try touchOthers(named: moved, context.environment, &effect)
    try store.update(.customer(merge.from, context.environment), as: CustomerState.self) {
      if context.isDecision {
        $0.merges[context.position, default: decision] = decision
      } else {
        // Of two words of one time, the one that keeps the customers apart holds.
        $0.statedMerges[merge.into, default: Register()].join(
          decision, context.stamp.with(precedence: isMerged ? 0 : 1))
      }
    }
    try store.update(.customer(merge.into, context.environment), as: CustomerState.self) {
      $0.absorbed.insert(merge.from)
    }
    effect.names.insert(merge.into)
  }

  /// Adds the account, all who go by its name, and whoever it is linked to, to the names touched.
  mutating func touchAccount(
    _ account: AccountID, _ environment: Environment, _ effect: inout Effect
  ) throws(Store.Failure) {
    let name = CustomerID(unchecked: account.rawValue)
    effect.names.formUnion(try names(under: name, environment))
    if let customer = try store.account(account, environment)?.linkedCustomer {
      effect.names.insert(customer)
    }
    try touchOthers(named: [name], environment, &effect)
  }

  /// Adds whoever else was named the owner, or a receiver, of a membership of accounts by these
  /// names, or that went to them, or gave them all that it held: whether it is theirs follows from
  /// whose the account is.
  func touchOthers(
    named names: Set<CustomerID>, _ environment: Environment, _ effect: inout Effect
  ) throws(Store.Failure) {
    effect.names.formUnion(try givers(to: names, environment))
    for name in names {
      let account = AccountID(unchecked: name.rawValue)
      let own = try store.account(account, environment)?.memberships.elements ?? []
      let received = try store.customer(name, environment)?.memberships.elements ?? []
      for membership in own + received {
        guard let state = try store.membership(membership, environment) else { continue }
        effect.names.formUnion(state.namings.keys)
        for stretch in state.transfers.stretches { effect.names.insert(stretch.entry.value.to) }
      }
    }
  }

  /// The name with all accounts and customers that may ever have gone by it.
  private func names(
    under name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> Set<CustomerID> {
    var found: Set<CustomerID> = []
    var open = [name]
    while let next = open.popLast() {
      guard found.insert(next).inserted, let state = try store.customer(next, environment)
      else { continue }
      open += state.absorbed.elements
      open += state.accounts.elements.map { CustomerID(unchecked: $0.rawValue) }
    }
    return found
  }
}
