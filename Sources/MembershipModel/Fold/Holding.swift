/// A stretch in which one customer holds a membership.
package struct Holding: Hashable, Sendable {
  package var period: Period
  /// The customer, by the name that all of its names lead to.
  package let customer: CustomerID
  /// The name that the store or the transfer gives.
  package let name: CustomerID
  /// The transfer that it begins with; nil where the store itself names the owner.
  package let transfer: Stamped<Transfer>?
  /// The links and merges by which the name leads to the customer.
  package let succession: [EventID]
}

extension Fold {
  /// Who holds a membership from stretch to stretch: the store's owner until the first transfer,
  /// then whom each transfer names, without gaps and one at a time.
  ///
  /// A provider's word that moves a membership from a customer to an account of nobody's moves
  /// nothing, unless and until the account is somebody's: an anonymous account takes from nobody.
  package func holdings(
    of state: MembershipState, _ environment: Environment
  ) throws(Store.Failure) -> [Holding] {
    var holdings: [Holding] = []
    let transfers = state.transfers.stretches
    if let owner = try owner(of: state, environment) {
      let end = transfers.first?.period.start ?? .distantFuture
      holdings.append(
        try holding(Period(start: .distantPast, end: end), by: owner, nil, environment))
    }
    for (period, entry) in transfers {
      let next = try holding(period, by: entry.value.to, entry, environment)
      if let last = holdings.last, entry.stamp.decision == 0, next.customer.isAnonymous,
        !last.customer.isAnonymous
      {
        holdings[holdings.count - 1].period.end = period.end
      } else {
        holdings.append(next)
      }
    }
    return holdings
  }

  /// Who holds the membership where no transfer says otherwise, by the name the store gives.
  ///
  /// That is the account named last. While it is nobody's, it takes the membership from no customer
  /// who was named before it or since: of those, the one that came in last holds.
  private func owner(
    of state: MembershipState, _ environment: Environment
  ) throws(Store.Failure) -> CustomerID? {
    guard
      let last = state.account.value.map({ CustomerID(unchecked: $0.rawValue) })
        ?? state.hint.value
    else { return nil }
    if state.namings.entries.count == 1 { return last }
    if try !succession(of: last, environment).customer.isAnonymous { return last }
    var known: (word: FirstWord, name: CustomerID)?
    for (name, word) in state.namings.entries.map({ ($0.key, $0.value) })
    where !(try succession(of: name, environment).customer.isAnonymous) {
      if let other = known?.word, !other.isBefore(word) { continue }
      known = (word, name)
    }
    return known?.name ?? last
  }

  private func holding(
    _ period: Period, by name: CustomerID, _ transfer: Stamped<Transfer>?,
    _ environment: Environment
  ) throws(Store.Failure) -> Holding {
    let (customer, lineage) = try succession(of: name, environment)
    return Holding(
      period: period, customer: customer, name: name, transfer: transfer, succession: lineage)
  }
}

extension Identifier where Kind == IdentifierKind.Customer {
  /// Whether this is the name of an account at a store: one that stands for itself is nobody's that
  /// the service knows.
  package var isAnonymous: Bool {
    Provider.known.contains { provider in
      provider != .manual && rawValue.hasPrefix("\(provider.rawValue):")
        && rawValue.utf8.count > provider.rawValue.utf8.count + 1
    }
  }
}
