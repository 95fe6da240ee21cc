/// All states that a customer's access rests on.
package struct Dossier: Sendable {
  /// The customer by the name that all of its names lead to.
  package var customer: CustomerID
  /// All names that lead to the customer, itself included.
  package var names: [CustomerID]
  package var accounts: [AccountID]
  package var memberships: [HeldMembership]
  package var grants: [(id: GrantID, state: GrantState)]
  /// Holds on the customer as a whole.
  package var holds: [SortedMap<String, History<HoldMark>>]
  /// Whether anything at all is known of the customer.
  package var isKnown: Bool

  /// A membership with the stretches in which the customer holds it.
  package struct HeldMembership: Sendable {
    package let id: MembershipID
    package let state: MembershipState
    package let held: [Period]
  }
}

extension Fold {
  /// The name that a name leads to, by links and merges.
  package func canonicalName(
    of name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> CustomerID {
    var path = [name]
    while let last = path.last, let next = try nextName(after: last, environment) {
      if let start = path.firstIndex(of: next) {
        // Names in a circle are one customer; the least of them stands for it.
        return path[start...].min() ?? next
      }
      path.append(next)
    }
    return path.last ?? name
  }

  /// The name that a name gives way to: an account to its customer, a customer to the one that it
  /// was merged into.
  private func nextName(
    after name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> CustomerID? {
    let account = AccountID(unchecked: name.rawValue)
    if let customer = try store.account(account, environment)?.linkedCustomer { return customer }
    return try store.customer(name, environment)?.mergedInto
  }

  /// Gathers what the access of a customer rests on; any of the customer's names will do.
  package func dossier(
    of name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> Dossier {
    let customer = try canonicalName(of: name, environment)
    var dossier = Dossier(
      customer: customer, names: [], accounts: [], memberships: [], grants: [], holds: [],
      isKnown: false)
    var candidates: Set<MembershipID> = []
    var open = [customer]
    while let next = open.popLast() {
      if dossier.names.contains(next) { continue }
      guard try canonicalName(of: next, environment) == customer else { continue }
      dossier.names.append(next)
      let account = AccountID(unchecked: next.rawValue)
      if let state = try store.account(account, environment) {
        dossier.accounts.append(account)
        dossier.isKnown = true
        candidates.formUnion(state.memberships.elements)
      }
      guard let state = try store.customer(next, environment) else { continue }
      dossier.isKnown = true
      candidates.formUnion(state.memberships.elements)
      if !state.holds.isEmpty { dossier.holds.append(state.holds) }
      for id in state.grants.elements {
        if let grant = try store.grant(id, environment) { dossier.grants.append((id, grant)) }
      }
      open += state.absorbed.elements
      open += state.accounts.elements.map { CustomerID(unchecked: $0.rawValue) }
    }
    dossier.names.sort()
    dossier.accounts.sort()
    dossier.grants.sort { $0.id < $1.id }
    for id in candidates.sorted() {
      guard let state = try store.membership(id, environment) else { continue }
      let held = try stretches(of: state, heldBy: customer, environment)
      dossier.memberships.append(.init(id: id, state: state, held: held))
    }
    return dossier
  }

  /// The stretches in which the customer holds a membership: the store's owner until a transfer.
  private func stretches(
    of state: MembershipState, heldBy customer: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> [Period] {
    var held: [Period] = []
    let transfers = state.transfers.stretches
    let first = transfers.first?.period.start ?? .distantFuture
    if let owner = state.owner, try canonicalName(of: owner, environment) == customer {
      held.append(Period(start: .distantPast, end: first))
    }
    for (period, entry) in transfers
    where try canonicalName(of: entry.value.to, environment) == customer {
      if held.last?.end == period.start {
        held[held.count - 1].end = period.end
      } else {
        held.append(period)
      }
    }
    return held
  }
}
