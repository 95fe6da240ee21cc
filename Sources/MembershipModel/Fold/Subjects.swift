extension Event {
  /// The things that the event is about, each as narrow as possible: its membership, else the
  /// payment, else what the fact names, else the account, else the customer.
  package var subjects: Set<EntityKey> {
    var subjects: Set<EntityKey> = []
    for fact in facts {
      if let membership = fact.membership {
        subjects.insert(.membership(membership, environment))
      } else if let reference = fact.paymentReferences.first {
        subjects.insert(.payment(reference, environment))
      } else {
        subjects.formUnion(namedSubjects(of: fact.body))
      }
    }
    if subjects.isEmpty, let holder { subjects.insert(holder) }
    return subjects
  }

  private func namedSubjects(of body: Fact.Body) -> [EntityKey] {
    switch body {
    case .accountLinked(let link), .accountUnlinked(let link):
      [.account(link.account, environment)]
    case .customersMerged(let merge), .mergeUndone(let merge):
      [.customer(merge.from, environment), .customer(merge.into, environment)]
    case .customerErased(let erasure): [.customer(erasure.customer, environment)]
    case .granted(let grant): [.grant(grant.id, environment)]
    case .grantRevoked(let revocation): [.grant(revocation.id, environment)]
    case .catalogRevised, .policyRevised: [.terms]
    case .ended, .holdPlaced, .holdReleased, .claimed, .restored: holder.map { [$0] } ?? []
    default: []
    }
  }

  /// The account, or else the customer, that the event as a whole is about.
  private var holder: EntityKey? {
    if let account { return .account(account, environment) }
    if let customer { return .customer(customer, environment) }
    return nil
  }
}
