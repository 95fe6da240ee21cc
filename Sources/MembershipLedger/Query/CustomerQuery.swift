/// Answers about one customer, from whatever store: the stored projections, or a refold of a part of
/// the log.
struct CustomerQuery {
  let access: CustomerAccess
  let name: CustomerID
  let position: Position
  let knownAt: Position?

  init(
    _ name: CustomerID, _ environment: Environment, in store: OverlayStore, position: Position,
    knownAt: Position? = nil
  ) throws(LedgerError) {
    let dossier = try Fold(store).dossier(of: name, environment)
    access = CustomerAccess(dossier, try store.terms(), environment)
    self.name = name
    self.position = position
    self.knownAt = knownAt
  }

  func decision(on entitlement: EntitlementKey, at instant: Timestamp) -> Decision {
    var decision = access.decision(on: entitlement, at: instant, askedAs: name)
    decision.position = position
    decision.knownAt = knownAt
    return decision
  }
}
