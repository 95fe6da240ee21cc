/// Where a fold keeps the states: the stored projections, or memory for a replay.
package protocol StateStore {
  associatedtype Failure: Error

  /// The state of a thing; nil where nothing is known of it.
  func state<State: EntityState>(_ key: EntityKey, as type: State.Type) throws(Failure) -> State?
  mutating func set<State: EntityState>(_ key: EntityKey, to state: State) throws(Failure)
  /// Forgets a thing, as if nothing had ever been known of it.
  mutating func remove(_ key: EntityKey) throws(Failure)
}

extension StateStore {
  package func terms() throws(Failure) -> TermsState {
    try state(.terms, as: TermsState.self) ?? TermsState()
  }

  package func customer(
    _ id: CustomerID, _ environment: Environment
  ) throws(Failure) -> CustomerState? {
    try state(.customer(id, environment), as: CustomerState.self)
  }

  package func account(
    _ id: AccountID, _ environment: Environment
  ) throws(Failure) -> AccountState? {
    try state(.account(id, environment), as: AccountState.self)
  }

  /// The state of a membership; nil where only grants name it.
  package func membership(
    _ id: MembershipID, _ environment: Environment
  ) throws(Failure) -> MembershipState? {
    let state = try state(.membership(id, environment), as: MembershipState.self)
    return state?.isKnown == true ? state : nil
  }

  package func payment(
    _ id: ReferenceID, _ environment: Environment
  ) throws(Failure) -> PaymentState? {
    try state(.payment(id, environment), as: PaymentState.self)
  }

  package func grant(
    _ id: GrantID, _ environment: Environment
  ) throws(Failure) -> GrantState? {
    try state(.grant(id, environment), as: GrantState.self)
  }

  /// Changes the state of a thing, from a blank one where nothing was known; says whether it
  /// differs.
  @discardableResult
  mutating func update<State: EntityState>(
    _ key: EntityKey, as type: State.Type = State.self, _ change: (inout State) -> Void
  ) throws(Failure) -> Bool {
    let old = try state(key, as: type)
    var new = old ?? .blank
    change(&new)
    if new == old { return false }
    try set(key, to: new)
    return true
  }
}

/// States in memory.
package struct MemoryStore: StateStore {
  package private(set) var states: [EntityKey: any EntityState] = [:]

  package init() {}

  package func state<State: EntityState>(_ key: EntityKey, as type: State.Type) -> State? {
    states[key] as? State
  }

  package mutating func set<State: EntityState>(_ key: EntityKey, to state: State) {
    states[key] = state
  }

  package mutating func remove(_ key: EntityKey) {
    states[key] = nil
  }
}
