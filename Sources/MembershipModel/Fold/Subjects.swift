extension Event {
  /// The things that the event is about, each as narrow as possible: its membership, else the
  /// payment and what the fact names, else the account, else the customer.
  ///
  /// Whatever state the event changes is reached from one of them, so that a fold of the events
  /// about them leaves nothing out.
  package var subjects: Set<EntityKey> {
    var subjects: Set<EntityKey> = []
    var linked = customer == nil ? nil : account
    for fact in facts {
      if let membership = fact.membership {
        subjects.insert(.membership(membership, environment))
        // The account leads to its memberships, and so to the link that comes with them.
        linked = nil
      } else {
        if let reference = fact.paymentReferences.first {
          subjects.insert(.payment(reference, environment))
        }
        subjects.formUnion(namedSubjects(of: fact))
      }
    }
    if let linked { subjects.insert(.account(linked, environment)) }
    if subjects.isEmpty, let holder { subjects.insert(holder) }
    return subjects
  }

  private func namedSubjects(of fact: Fact) -> [EntityKey] {
    switch fact.body {
    case .accountLinked(let link), .accountUnlinked(let link):
      [.account(link.account, environment)]
    case .customersMerged(let merge), .mergeUndone(let merge):
      [.customer(merge.from, environment), .customer(merge.into, environment)]
    case .transferred(let transfer):
      [
        .account(AccountID(unchecked: (transfer.from ?? transfer.to).rawValue), environment),
        .customer(transfer.to, environment),
      ]
    case .customerErased(let erasure): [.customer(erasure.customer, environment)]
    case .granted(let grant): [.grant(grant.id, environment)]
    case .grantRevoked(let revocation): [.grant(revocation.id, environment)]
    case .catalogRevised, .policyRevised: [.terms]
    case .ended, .holdPlaced, .holdReleased, .claimed, .restored:
      fact.references.isEmpty ? holder.map { [$0] } ?? [] : []
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
