/// Joins events into states, one event at a time, wherever the states are kept.
///
/// The order of events from providers does not matter; decisions taken inside the ledger are
/// ordered by their positions, which the records carry.
package struct Fold<Store: StateStore> {
  package var store: Store

  package init(_ store: Store) {
    self.store = store
  }

  /// What an event touched.
  package struct Effect: Hashable, Sendable {
    /// The things that the event is about, each as narrow as possible: where it is indexed.
    package var subjects: Set<EntityKey> = []
    /// The names whose access may have changed: customers, and accounts that stand for one.
    package var names: Set<CustomerID> = []
    /// Whether the terms changed, and with them anybody's access.
    package var changesTerms = false
  }

  /// Joins one record and says what it touched.
  package mutating func apply(_ record: RecordedEvent) throws(Store.Failure) -> Effect {
    var effect = Effect()
    let context = FactContext(record)
    effect.subjects = record.event.subjects
    var memberships: [MembershipID: [Fact]] = [:]
    for fact in record.event.facts {
      if let membership = fact.membership {
        memberships[membership, default: []].append(fact)
      } else {
        try applyUnanchored(fact, context.of(fact), &effect)
      }
    }
    if let account = context.account, let customer = context.customer {
      try link(account, to: customer, context, &effect)
    }
    for (membership, facts) in memberships.sorted(by: { $0.key < $1.key }) {
      try apply(facts, to: membership, context, &effect)
    }
    for fact in record.event.facts { try joinPayment(of: fact, context, &effect) }
    return effect
  }

  private mutating func applyUnanchored(
    _ fact: Fact, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    switch fact.body {
    case .catalogRevised(var revision):
      revision.from = context.instant(revision.from)
      try store.update(.terms, as: TermsState.self) { terms in
        terms.catalogs[context.position, default: Stamped(revision, context.stamp)] =
          Stamped(revision, context.stamp)
      }
      effect.changesTerms = true
    case .policyRevised(var revision):
      revision.from = context.instant(revision.from)
      try store.update(.terms, as: TermsState.self) { terms in
        terms.policies[context.position, default: Stamped(revision, context.stamp)] =
          Stamped(revision, context.stamp)
      }
      effect.changesTerms = true
    case .granted, .grantRevoked:
      try applyGrant(fact.body, context, &effect)
    case .accountLinked, .accountUnlinked, .customersMerged, .mergeUndone, .transferred:
      try applyBelonging(fact.body, context, &effect)
    case .ended, .holdPlaced, .holdReleased, .claimed:
      if fact.references.isEmpty { try applyToHolder(fact.body, context, &effect) }
    default:
      break
    }
  }

  private mutating func applyGrant(
    _ body: Fact.Body, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    switch body {
    case .granted(var grant):
      guard let customer = context.customer else { return }
      grant.from = context.instant(grant.from)
      let key = EntityKey.grant(grant.id, context.environment)
      // A grant that is given anew, to another one, is the first one's no more.
      if let former = try store.state(key, as: GrantState.self)?.customer.value {
        effect.names.insert(former)
      }
      try store.update(key, as: GrantState.self) {
        $0.customer.join(customer, context.stamp)
        $0.grant.join(grant, context.stamp)
        if let source = grant.follows { $0.followed.insert(source) }
      }
      try store.update(.customer(customer, context.environment), as: CustomerState.self) {
        $0.grants.insert(grant.id)
      }
      if let source = grant.follows {
        try store.update(.membership(source, context.environment), as: MembershipState.self) {
          $0.followers.insert(customer)
        }
      }
      effect.names.insert(customer)
    case .grantRevoked(let revocation):
      let key = EntityKey.grant(revocation.id, context.environment)
      try store.update(key, as: GrantState.self) {
        $0.revocations[context.instant(revocation.at), default: Register()].join(
          revocation, context.stamp)
      }
      if let customer = try store.state(key, as: GrantState.self)?.customer.value {
        effect.names.insert(customer)
      }
    default:
      break
    }
  }

  /// Facts about an account as a whole, or about a customer where no account is named.
  private mutating func applyToHolder(
    _ body: Fact.Body, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    if let account = context.account {
      let key = EntityKey.account(account, context.environment)
      try store.update(key, as: AccountState.self) { $0.join(body, in: context) }
      guard let state = try store.state(key, as: AccountState.self) else { return }
      for membership in state.memberships.elements {
        try store.update(
          .membership(membership, context.environment), as: MembershipState.self
        ) { if $0.account.value == account { $0.inherited = state.inheritance } }
        try touchHolders(of: membership, context.environment, &effect)
      }
    } else if let customer = context.customer {
      try store.update(.customer(customer, context.environment), as: CustomerState.self) {
        switch body {
        case .holdPlaced(let hold): $0.holds.join(hold, context)
        case .holdReleased(let release): $0.holds.join(release, context)
        default: break
        }
      }
      effect.names.insert(customer)
    }
  }
}

extension AccountState {
  fileprivate mutating func join(_ body: Fact.Body, in context: FactContext) {
    switch body {
    case .ended(let end):
      inheritance.ends[end.at, default: Register()].join(end, context.stamp)
    case .holdPlaced(let hold):
      inheritance.holds.join(hold, context)
    case .holdReleased(let release):
      inheritance.holds.join(release, context)
    case .claimed(let list):
      claim.join(list, context.stamp)
    default:
      break
    }
  }
}
