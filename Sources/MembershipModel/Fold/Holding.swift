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
    let moves = try moves(of: state, environment)
    let transfers = Self.changes(of: state, moves?.steps ?? [])
    var holdings: [Holding] = []
    let first = if let moves { moves.origin } else { try owner(of: state, environment) }
    if let owner = first {
      let end = transfers.first?.at ?? .distantFuture
      holdings.append(
        try holding(Period(start: .distantPast, end: end), by: owner, nil, environment))
    }
    for (index, (at, entry)) in transfers.enumerated() {
      let end = index + 1 < transfers.count ? transfers[index + 1].at : .distantFuture
      let period = Period(start: at, end: end)
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

  /// The transfers of the membership itself and the moves of all that its accounts held, in order.
  ///
  /// What is said of the membership itself goes before what is said of all, from its instant on: who
  /// has it then is not who gave all away.
  private static func changes(
    of state: MembershipState, _ moves: [(at: Timestamp, entry: Stamped<Transfer>)]
  ) -> [(at: Timestamp, entry: Stamped<Transfer>)] {
    let own = state.transfers.stretches.map { (at: $0.period.start, entry: $0.entry) }
    guard let first = own.first else { return moves }
    return moves.filter { $0.at < first.at } + own
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
