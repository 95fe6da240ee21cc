/// What a decision by hand may not contradict in the state that it meets.
///
/// What providers say is history and is recorded whatever it says; what people decide is refused
/// where it cannot mean anything.
struct DecisionRules {
  let fold: Fold<OverlayStore>
  let event: Event

  func check() throws(LedgerError) {
    guard event.provider == .manual else { return }
    for fact in event.facts {
      switch fact.body {
      case .transferred(let transfer):
        if let membership = fact.membership { try check(transfer, of: membership) }
      case .accountLinked(let link):
        try checkTaker(link.customer, from: CustomerID(unchecked: link.account.rawValue))
      case .customersMerged(let merge):
        try checkTaker(merge.into, from: merge.from)
      case .cancellationWithdrawn(let withdrawal):
        if let membership = fact.membership { try check(withdrawal, of: membership) }
      default:
        break
      }
    }
  }

  private func check(
    _ transfer: Transfer, of membership: MembershipID
  ) throws(LedgerError) {
    let lineage = try fold.lineage(of: membership, event.environment)
    if let undone = transfer.undoes {
      guard let open = lineage?.transferInForce, open.moved.event == undone,
        open.before?.name == transfer.to
      else {
        throw LedgerError(
          .nothingToUndo,
          "\(undone) is not the newest transfer of \(membership) in force, or it did not take it "
            + "from \(transfer.to): look at its timeline")
      }
      let instant = transfer.at ?? event.effectiveAt
      if let start = open.moved.from, instant < start {
        throw LedgerError(
          .invalidEvent,
          "the transfer of \(membership) that is to be undone acts from \(start) on, and cannot be "
            + "undone from \(instant) on, before that; undo it from \(start) on or later")
      }
    } else if let holder = lineage?.holder(at: transfer.at ?? event.effectiveAt) {
      try checkTaker(transfer.to, from: holder.customer)
    }
  }

  /// An account that is nobody's takes nothing from a customer.
  private func checkTaker(_ taker: CustomerID, from giver: CustomerID) throws(LedgerError) {
    let environment = event.environment
    guard try fold.canonicalName(of: taker, environment).isAnonymous,
      try !fold.canonicalName(of: giver, environment).isAnonymous
    else { return }
    throw LedgerError(
      .anonymousCustomer,
      "\(taker) is nobody's account and takes nothing from \(giver): link it to a customer first")
  }

  private func check(
    _ withdrawal: Withdrawal, of membership: MembershipID
  ) throws(LedgerError) {
    let instant = withdrawal.at ?? event.effectiveAt
    let state = try fold.store.membership(membership, event.environment)
    let view = try state.map { (state) throws(LedgerError) in
      MembershipTimeline(membership, state, try fold.store.terms())
        .membership(of: state, heldBy: nil, at: instant, event.environment)
    }
    if let end = view?.endedAt {
      throw LedgerError(
        .alreadyEffective,
        "the end of \(membership) is in effect since \(end): it cannot be withdrawn; a new "
          + "purchase or a grant gives access again")
    }
    if state?.plannedEnd(at: instant, by: withdrawal.cause) == nil {
      throw LedgerError(
        .nothingPending, "no cancellation of \(membership) is pending at \(instant)")
    }
  }
}
