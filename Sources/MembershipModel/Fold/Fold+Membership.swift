extension Fold {
  /// Joins the facts that name a membership, and ties it to its account.
  mutating func apply(
    _ facts: [Fact], to id: MembershipID, _ context: FactContext, _ effect: inout Effect
  ) throws(Store.Failure) {
    let key = EntityKey.membership(id, context.environment)
    var state = try store.state(key, as: MembershipState.self) ?? MembershipState()
    let before = state
    for fact in facts {
      state.join(fact, in: context.of(fact))
      if case .transferred(let transfer) = fact.body {
        try store.update(.customer(transfer.to, context.environment), as: CustomerState.self) {
          $0.memberships.insert(id)
        }
      }
      if let customer = fact.body.seatCustomer {
        try store.update(.customer(customer, context.environment), as: CustomerState.self) {
          $0.seats.insert(id)
        }
      }
    }
    state.firstSeenAt = min(state.firstSeenAt, context.effectiveAt)
    if !facts.allSatisfy(\.saysNothingOfOwner) { try tie(&state, id, context) }
    if state != before { try store.set(key, to: state) }
    let touched = facts.compactMap(\.seat)
    // What befalls its account bears on all of a membership.
    let isAboutSeats = touched.count == facts.count && state.inherited == before.inherited
    for state in [before, state] {
      effect.names.formUnion(state.holders)
      effect.names.formUnion(
        isAboutSeats ? state.seatHolders(concernedBy: Set(touched)) : state.seatHolders)
    }
  }

  /// Ties a membership to the account, or else to the customer, that the event names.
  private mutating func tie(
    _ state: inout MembershipState, _ id: MembershipID, _ context: FactContext
  ) throws(Store.Failure) {
    if let account = context.account {
      state.account.join(account, context.stamp)
      state.namings[CustomerID(unchecked: account.rawValue), default: FirstWord()].join(
        context.stamp.event, at: context.effectiveAt)
      try store.update(.account(account, context.environment), as: AccountState.self) {
        $0.memberships.insert(id)
      }
    } else if let customer = context.customer {
      state.hint.join(customer, context.stamp)
      state.namings[customer, default: FirstWord()].join(
        context.stamp.event, at: context.effectiveAt)
      try store.update(.customer(customer, context.environment), as: CustomerState.self) {
        $0.memberships.insert(id)
      }
    }
    if let owner = state.account.value {
      state.inherited =
        try store.account(owner, context.environment)?.inheritance ?? Inheritance()
    }
  }

  /// Adds everyone who holds, or ever held, the membership or a seat of it, or a grant that follows
  /// it, to the names touched.
  mutating func touchHolders(
    of id: MembershipID, _ environment: Environment, _ effect: inout Effect
  ) throws(Store.Failure) {
    guard let state = try store.membership(id, environment) else { return }
    effect.names.formUnion(try takers(from: state.namings.keys, environment))
    effect.names.formUnion(state.holders)
    effect.names.formUnion(state.seatHolders)
  }
}

extension MembershipState {
  /// Whether any fact is about the membership itself.
  package var isKnown: Bool { firstSeenAt < .distantFuture }

  /// Everyone who holds, or ever held, the membership, or was given a grant that follows it.
  fileprivate var holders: Set<CustomerID> {
    Set(namings.keys).union(transfers.stretches.map(\.entry.value.to)).union(followers.elements)
  }

  /// Everyone who has, or ever had, a seat of it.
  fileprivate var seatHolders: Set<CustomerID> {
    SeatPool.customers(of: seats.entries.lazy.map { ($0.key, $0.value) })
  }

  /// Those to whom it makes a difference what is said of some of its seats: a pool of thousands is
  /// filled seat by seat, and each has nothing to do with the others while there is room.
  fileprivate func seatHolders(concernedBy touched: Set<SeatID>) -> Set<CustomerID> {
    let own = SeatPool.customers(
      of: touched.lazy.compactMap { seat in seats[seat].map { (seat, $0) } })
    let room = leastSeats
    // At one instant no seat is claimed twice.
    if Int64(seats.entries.count) <= room { return own }
    return own.union(SeatPool(seats).crowded(among: room))
  }

  /// No more than the number of seats at any instant at which there are seats at all.
  private var leastSeats: Int64 {
    var quantities = transactions.values.compactMap { $0.purchase.value?.transaction.quantity }
    quantities += changes.values.compactMap { $0.value?.quantity }
    quantities += planned.values.flatMap { $0.stretches.map(\.entry.value.quantity) }
    quantities += standing.stretches.flatMap { $0.entry.value.items.map { $0.quantity ?? 1 } }
    if quantities.contains(where: { $0 < 0 }) { return 0 }
    return quantities.filter { $0 > 0 }.min() ?? .max
  }
}

extension Fact {
  /// Whether the event's account need not be the membership's: a transfer says who holds it from
  /// then on, and not whose it was; one that was replaced is spoken of by the one in its place.
  fileprivate var saysNothingOfOwner: Bool {
    switch body {
    case .transferred: true
    case .ended(let end): end.reason == .replaced
    default: false
    }
  }
}

extension Fact {
  /// The seat that the fact is about, and nothing else of the membership; nil where it is about
  /// more.
  fileprivate var seat: SeatID? {
    switch body {
    case .seatAssigned(let assignment): assignment.seat
    case .seatClaimed(let claim): claim.seat
    case .seatReleased(let release): release.seat
    default: nil
    }
  }
}

extension Fact.Body {
  /// The customer to whom the fact gives a seat.
  fileprivate var seatCustomer: CustomerID? {
    switch self {
    case .seatAssigned(let assignment): assignment.customer
    case .seatClaimed(let claim): claim.customer
    default: nil
    }
  }
}
