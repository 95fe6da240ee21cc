extension Fold {
  /// Links the references of a fact, joins what it says of their money, and hands the outcome to
  /// every membership that the payment is for.
  mutating func joinPayment(
    of fact: Fact, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    let hasMoney = fact.body.isAboutMoney || (fact.membership == nil && fact.body.isHold)
    var hasChanged = false
    let references = fact.paymentReferences
    for (index, reference) in references.enumerated() {
      let changed = try store.update(
        .payment(reference, context.environment), as: PaymentState.self
      ) { payment in
        let others = index == 0 ? references[1...] : references[..<1]
        for other in others where other != reference { payment.links.insert(other) }
        if let membership = fact.membership { payment.memberships.insert(membership) }
        if index == 0, hasMoney { payment.money.join(fact.body, in: context.of(fact)) }
      }
      hasChanged = hasChanged || changed
    }
    guard hasChanged || hasMoney, let first = references.first else { return }
    try spread(from: first, context.environment, &effect)
  }

  /// Copies the money of all linked references into the memberships that they are for.
  private mutating func spread(
    from reference: ReferenceID, _ environment: Environment, _ effect: inout Effect
  ) throws(Store.Failure) {
    let payments = try linkedPayments(from: reference, environment)
    var linked = LinkedPayment()
    for payment in payments {
      linked.references.insert(payment.id)
      linked.money.join(payment.state.money)
    }
    guard !linked.money.isEmpty, let least = payments.first?.id else { return }
    for membership in Set(payments.flatMap(\.state.memberships.elements)).sorted() {
      try store.update(.membership(membership, environment), as: MembershipState.self) { state in
        for payment in payments { state.payments.remove(payment.id) }
        state.payments[least, default: linked] = linked
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
