/// All states that a customer's access rests on.
package struct Dossier: Sendable {
  /// The customer by the name that all of its names lead to.
  package var customer: CustomerID
  /// All names that lead to the customer, itself included.
  package var names: [CustomerID]
  package var accounts: [AccountID]
  package var memberships: [HeldMembership]
  package var grants: [GivenGrant]
  /// Holds on the customer as a whole.
  package var holds: [SortedMap<String, History<HoldMark>>]
  /// The events by which the name asked about leads to the customer.
  package var lineage: [EventID]
  /// Whether anything at all is known of the customer.
  package var isKnown: Bool

  /// A grant given by hand.
  package struct GivenGrant: Sendable {
    package let id: GrantID
    package let state: GrantState
    /// The events by which the receiver's name leads to the customer.
    package let lineage: [EventID]
    /// The membership that it follows; nil where it follows none, or one that is not known.
    package let source: MembershipState?
  }

  /// A membership with the stretches in which the customer holds it.
  package struct HeldMembership: Sendable {
    package let id: MembershipID
    package let state: MembershipState
    package let held: [Period]
    /// The events by which the customer came to hold it: links, merges and transfers.
    package let lineage: [EventID]
    /// The seat of it that the customer claims in those stretches; nil where the membership itself
    /// is held.
    package let seat: SeatTenure?
  }
}

extension Fold {
  /// The name that a name leads to, by links and merges.
  package func canonicalName(
    of name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> CustomerID {
    try succession(of: name, environment).customer
  }

  /// The name that a name leads to, with the events that say so.
  func succession(
    of name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> (customer: CustomerID, lineage: [EventID]) {
    var path = [name]
    var lineage: [EventID] = []
    while let last = path.last, let next = try successor(of: last, environment) {
      lineage.append(next.event)
      if let start = path.firstIndex(of: next.customer) {
        // Names in a circle are one customer; the least of them stands for it.
        return (path[start...].min() ?? next.customer, lineage)
      }
      path.append(next.customer)
    }
    return (path.last ?? name, lineage)
  }

  /// What a name gives way to: an account to its customer, a customer to the one that it was merged
  /// into.
  private func successor(
    of name: CustomerID, _ environment: Environment
  ) throws(Store.Failure) -> LinkDecision? {
    let account = AccountID(unchecked: name.rawValue)
    if let link = try store.account(account, environment)?.link { return link }
    return try store.customer(name, environment)?.merge
  }

  /// Gathers what the access of a customer rests on; any of the customer's names will do.
  ///
  /// Whoever gathers it for many from one state hands over the same pools each time.
  package func dossier(
    of name: CustomerID, _ environment: Environment, sharing pools: SeatPools = SeatPools()
  ) throws(Store.Failure) -> Dossier {
    let (customer, lineage) = try succession(of: name, environment)
    var dossier = Dossier(
      customer: customer, names: [], accounts: [], memberships: [], grants: [], holds: [],
      lineage: lineage, isKnown: false)
    var candidates: Set<MembershipID> = []
    var shared: Set<MembershipID> = []
    var open = [customer]
    while let next = open.popLast() {
      if dossier.names.contains(next) { continue }
      let (successor, lineage) = try succession(of: next, environment)
      guard successor == customer else { continue }
      dossier.names.append(next)
      let account = AccountID(unchecked: next.rawValue)
      if let state = try store.account(account, environment) {
        dossier.accounts.append(account)
        dossier.isKnown = true
        candidates.formUnion(state.memberships.elements)
      }
      guard let state = try store.customer(next, environment) else { continue }
      dossier.isKnown = true
      candidates.formUnion(try membershipsReceived(by: next, environment))
      candidates.formUnion(state.memberships.elements)
      shared.formUnion(state.seats.elements)
      if !state.holds.isEmpty { dossier.holds.append(state.holds) }
      for id in state.grants.elements {
        if let grant = try store.grant(id, environment), grant.customer.value == next {
          var source: MembershipState?
          if let followed = grant.grant.value?.follows {
            source = try store.membership(followed, environment)
          }
          dossier.grants.append(
            Dossier.GivenGrant(id: id, state: grant, lineage: lineage, source: source))
        }
      }
      open += state.absorbed.elements
      open += state.accounts.elements.map { CustomerID(unchecked: $0.rawValue) }
    }
    dossier.names.sort()
    dossier.accounts.sort()
    dossier.grants.sort { $0.id < $1.id }
    for id in candidates.sorted() {
      guard let state = try store.membership(id, environment) else { continue }
      dossier.memberships.append(try held(id, state, by: customer, environment))
    }
    for id in shared.sorted() {
      guard let state = try store.membership(id, environment) else { continue }
      let pool = pools.pool(of: .membership(id, environment), state)
      dossier.memberships += try seats(of: id, state, pool, claimedBy: dossier.names, environment)
    }
    return dossier
  }

  /// The stretches in which the customer holds a membership.
  private func held(
    _ id: MembershipID, _ state: MembershipState, by customer: CustomerID,
    _ environment: Environment
  ) throws(Store.Failure) -> Dossier.HeldMembership {
    var held: [Period] = []
    var lineage: [EventID] = []
    for holding in try holdings(of: state, environment) where holding.customer == customer {
      let word = holding.transfer?.stamp.event ?? state.namings[holding.name]?.event
      lineage += [word].compactMap { $0 } + holding.succession
      if held.last?.end == holding.period.start {
        held[held.count - 1].end = holding.period.end
      } else {
        held.append(holding.period)
      }
    }
    return Dossier.HeldMembership(id: id, state: state, held: held, lineage: lineage, seat: nil)
  }

  /// The seats of a membership that a customer of these names claims at some time.
  private func seats(
    of id: MembershipID, _ state: MembershipState, _ pool: SeatPool,
    claimedBy names: [CustomerID], _ environment: Environment
  ) throws(Store.Failure) -> [Dossier.HeldMembership] {
    var claims: [SeatID: [SeatTenure.Claim]] = [:]
    var lineage: [EventID] = []
    for name in names {
      let own = pool.claims(of: name)
      for claim in own { claims[claim.stretch.seat, default: []].append(claim) }
      if !own.isEmpty { lineage += try succession(of: name, environment).lineage }
    }
    for seat in claims.keys {
      claims[seat]?.sort { $0.stretch.period.start < $1.stretch.period.start }
    }
    return claims.sorted { $0.key < $1.key }.map { seat, claims in
      Dossier.HeldMembership(
        id: id, state: state, held: claims.map(\.stretch.period), lineage: lineage,
        seat: SeatTenure(seat: seat, claims: claims))
    }
  }
}
