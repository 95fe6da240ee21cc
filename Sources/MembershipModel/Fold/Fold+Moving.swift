/// Transfers that name no membership: all that an account held by then goes to another.
extension Fold {
  /// Joins the word that everything an account holds is another's from an instant on.
  mutating func move(
    _ transfer: Transfer, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    guard let from = transfer.from, from != transfer.to else { return }
    let account = AccountID(unchecked: from.rawValue)
    try touchAccount(account, context.environment, &effect)
    try store.update(.account(account, context.environment), as: AccountState.self) {
      $0.departures.join(transfer, at: context.instant(transfer.at), context.stamp.ofDecision)
    }
    try store.update(.customer(transfer.to, context.environment), as: CustomerState.self) {
      $0.received.insert(account)
    }
    effect.names.formUnion(try takers(from: [from], context.environment))
  }

  /// The names with all to whom what they hold ever went, in one step or in several.
  func takers(
    from names: some Sequence<CustomerID>, _ environment: Environment
  ) throws(Store.Failure) -> Set<CustomerID> {
    var found: Set<CustomerID> = []
    var open = Array(names)
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      let state = try store.account(AccountID(unchecked: next.rawValue), environment)
      open += state?.departures.stretches.map(\.entry.value.to) ?? []
    }
    return found
  }

  /// The names of those from whom the names ever got all that they held, in one step or in several.
  func givers(
    to names: some Sequence<CustomerID>, _ environment: Environment
  ) throws(Store.Failure) -> Set<CustomerID> {
    var found: Set<CustomerID> = []
    var open = Array(names)
    while let next = open.popLast() {
      let received = try store.customer(next, environment)?.received.elements ?? []
      for giver in received.map({ CustomerID(unchecked: $0.rawValue) })
      where found.insert(giver).inserted {
        open.append(giver)
      }
    }
    return found
  }

  /// The memberships of accounts of which all that they held ever went to one of this name.
  func membershipsReceived(
    by name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> Set<MembershipID> {
    var found: Set<MembershipID> = []
    for giver in try givers(to: [name], environment) {
      let account = try store.account(AccountID(unchecked: giver.rawValue), environment)
      found.formUnion(account?.memberships.elements ?? [])
    }
    return found
  }

  /// When a membership went from hand to hand because all that an account held did, with the name
  /// it began with; nil where none of its accounts gave anything away.
  ///
  /// It starts with the account that was named first of those that gave away what they held when
  /// they had the membership.
  func moves(
    of state: MembershipState, _ environment: Environment
  ) throws(Store.Failure) -> (
    origin: CustomerID, steps: [(at: Timestamp, entry: Stamped<Transfer>)]
  )? {
    var origin: (word: FirstWord, name: CustomerID)?
    for (name, word) in state.namings.entries.map({ ($0.key, $0.value) }) {
      guard try departure(of: name, from: word.at, environment) != nil else { continue }
      if let first = origin?.word, first.isBefore(word) { continue }
      origin = (word, name)
    }
    guard let origin else { return nil }
    var steps: [(at: Timestamp, entry: Stamped<Transfer>)] = []
    var (name, instant) = (origin.name, origin.word.at)
    while let next = try departure(of: name, from: instant, environment) {
      steps.append(next)
      name = next.entry.value.to
      instant = next.at.adding(milliseconds: 1)
    }
    return (origin.name, steps)
  }

  /// The first time, not before an instant, at which an account gave away what it held.
  private func departure(
    of name: CustomerID, from instant: Timestamp, _ environment: Environment
  ) throws(Store.Failure) -> (at: Timestamp, entry: Stamped<Transfer>)? {
    let account = try store.account(AccountID(unchecked: name.rawValue), environment)
    guard let departures = account?.departures, !departures.isEmpty else { return nil }
    let next = departures.stretches.first { stretch in
      stretch.period.start >= instant && stretch.entry.value.to != name
    }
    return next.map { ($0.period.start, $0.entry) }
  }
}
