extension Fold {
  /// Links the references of a fact, joins what it says of their money, and hands the outcome to
  /// every membership that the payment is for.
  mutating func joinPayment(
    of fact: Fact, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    let hasMoney = fact.body.isAboutMoney || (fact.membership == nil && fact.body.isHold)
    var hasChanged = false
    for (index, reference) in fact.references.enumerated() {
      let changed = try store.update(
        .payment(reference, context.environment), as: PaymentState.self
      ) { payment in
        let others = index == 0 ? fact.references[1...] : fact.references[..<1]
        for other in others where other != reference { payment.links.insert(other) }
        if let membership = fact.membership { payment.memberships.insert(membership) }
        if index == 0, hasMoney { payment.money.join(fact.body, in: context) }
      }
      hasChanged = hasChanged || changed
    }
    guard hasChanged || hasMoney, let first = fact.references.first else { return }
    try spread(from: first, context.environment, &effect)
  }

  /// Copies the money of all linked references into the memberships that they are for.
  private mutating func spread(
    from reference: ReferenceID, _ environment: Environment, _ effect: inout Effect
  ) throws(Store.Failure) {
    let payments = try linkedPayments(from: reference, environment)
    let withMoney = payments.filter { !$0.state.money.isEmpty }
    if withMoney.isEmpty { return }
    var references = SortedSet<ReferenceID>()
    for payment in payments { references.insert(payment.id) }
    for membership in Set(payments.flatMap(\.state.memberships.elements)).sorted() {
      try store.update(.membership(membership, environment), as: MembershipState.self) { state in
        for payment in withMoney {
          state.payments[payment.id, default: LinkedPayment()].references = references
          state.payments[payment.id, default: LinkedPayment()].money = payment.state.money
        }
      }
      try touchHolders(of: membership, environment, &effect)
    }
  }

  /// All references that are one payment with the given one, with their states, in order.
  package func linkedPayments(
    from reference: ReferenceID, _ environment: Environment
  ) throws(Store.Failure) -> [(id: ReferenceID, state: PaymentState)] {
    var found: [ReferenceID: PaymentState] = [:]
    var open = [reference]
    while let next = open.popLast() {
      if found[next] != nil { continue }
      let state = try store.payment(next, environment) ?? PaymentState()
      found[next] = state
      open += state.links.elements
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Fact.Body {
  fileprivate var isHold: Bool {
    switch self {
    case .holdPlaced, .holdReleased: true
    default: false
    }
  }
}
