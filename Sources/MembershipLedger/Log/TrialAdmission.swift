extension Projector {
  /// Throws where an event opens a checkout with a trial that the customer has used already, or of
  /// which that cannot be told.
  ///
  /// Only what is about to happen is judged: what a provider says has happened is recorded.
  func checkTrial(in event: Event) throws(LedgerError) {
    guard event.provenance.origin == .checkout || event.provenance.origin == .manual else { return }
    for fact in event.facts {
      guard case .checkoutOpened(let opening) = fact.body, opening.isTrial else { continue }
      try check(opening, of: event)
    }
  }

  private func check(_ opening: CheckoutOpening, of event: Event) throws(LedgerError) {
    guard let name = event.customer ?? event.account.map({ CustomerID(unchecked: $0.rawValue) })
    else {
      throw LedgerError(
        .invalidEvent,
        "event \(event.id): a checkout with a trial names its customer; add the customer")
    }
    let terms = try store.terms()
    let (at, provider) = (event.effectiveAt, event.provider == .manual ? nil : event.provider)
    let revision = terms.revision(pinned: 0, bought: at, transacted: at, at: at)
    guard let plan = revision?.value.catalog.plan(named: opening.plan, at: provider) else {
      throw LedgerError(
        .invalidEvent,
        "event \(event.id): the catalog has no plan \"\(opening.plan)\", so that it cannot be told "
          + "whose trial this is; name a plan of the catalog, or apply a catalog that has it")
    }
    let used = try fold.dossier(of: name, event.environment).trialUse(of: plan.product, terms)
    guard let used else { return }
    throw LedgerError(
      .trialUsed,
      "event \(event.id): \(name) used the trial of \(plan.product) on \(used.at) in "
        + "\(used.membership), as event \(used.event) says; open the checkout without a trial")
  }
}
