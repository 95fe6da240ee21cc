internal import LedgerStorage

extension Ledger {
  /// All memberships at an instant by what a store holds: each customer's, then those of nobody.
  func memberships(
    _ environment: Environment, at instant: Timestamp, in store: OverlayStore,
    _ position: Position, _ snapshot: Snapshot
  ) throws(LedgerError) -> [Membership] {
    var found: [Membership] = []
    for customer in try customers(environment, in: store) {
      found += try CustomerQuery(customer, environment, in: store, position: position)
        .access.memberships(at: instant)
    }
    return found + (try unheldMemberships(environment, at: instant, in: store, snapshot))
  }

  /// The memberships of which nothing says whose they are at an instant, sorted by id.
  private func unheldMemberships(
    _ environment: Environment, at instant: Timestamp, in store: OverlayStore, _ snapshot: Snapshot
  ) throws(LedgerError) -> [Membership] {
    let terms = try store.terms()
    var found: [Membership] = []
    try store.forEachState(of: .membership, in: environment) { (key, state) throws(LedgerError) in
      guard let state = state as? MembershipState, state.isKnown,
        state.namings.isEmpty, state.transfers.value(at: instant) == nil
      else { return }
      let id = try membershipID(of: key, environment, in: store, snapshot)
      found.append(
        MembershipTimeline(id, state, terms)
          .membership(of: state, heldBy: nil, at: instant, environment))
    }
    return found.sorted { $0.id < $1.id }
  }

  /// The id that the key of a membership's state stands for: where the key has only its hash, an
  /// event about the membership tells it.
  private func membershipID(
    of key: [UInt8], _ environment: Environment, in store: OverlayStore, _ snapshot: Snapshot
  ) throws(LedgerError) -> MembershipID {
    if let id = StoredKey.plainID(ofEntity: key).flatMap({ try? MembershipID($0) }) { return id }
    var index = store
    // A correction stands under what it corrects, too, and need not name the membership.
    for position in try index.allIndexed(StoredKey.indexPrefix(ofEntity: key)).reversed() {
      let facts = try tables.event(at: position, in: snapshot).event.facts
      let id = facts.compactMap(\.membership).first {
        StoredKey.entity(.membership($0, environment)) == key
      }
      if let id { return id }
    }
    throw LedgerError(.damaged, "the key of a membership cannot be read; run ledger rebuild")
  }
}
