/// What the policy makes of one membership that a store reports.
struct Ruling {
  let results: [RestoreResult]
  /// The transfer to the customer who asks; nil where the membership stays where it is.
  let transfer: Transfer?

  init(
    of reported: ReportedMembership, for request: Restoring, _ before: Batch, _ batch: Batch,
    now: Timestamp
  ) throws(LedgerError) {
    let fold = batch.fold
    let environment = request.environment
    guard let state = try fold.store.membership(reported.id, environment) else {
      // Every document that speaks of it was refused.
      (results, transfer) = ([], nil)
      return
    }
    let terms = try fold.store.terms()
    let timeline = MembershipTimeline(reported.id, state, terms)
    let claim = Claim(
      holder: try fold.holdings(of: state, environment).first { $0.period.contains(now) }?.customer,
      customer: try fold.canonicalName(of: request.customer, environment),
      isActive: timeline.worth(at: now) == .live, rule: terms.policy(at: now).restores)
    let wasHeld = try Self.wasHeld(reported.id, by: claim.customer, before, environment, now)
    let worths = Self.worths(of: reported, timeline, now)
    let expiry = timeline.membership(
      of: state, heldBy: claim.customer, at: now, environment
    ).expiresAt
    let moves = claim.moves(worths.map(\.worth))
    results = worths.map { transaction, worth in
      RestoreResult(
        transaction: transaction, membership: reported.id,
        outcome: claim.outcome(of: worth, wasHeld: wasHeld),
        otherCustomer: claim.holder == claim.customer ? nil : claim.holder, reason: worth.reason,
        until: worth == .live ? expiry : nil, isTransferred: moves, isPingPong: false)
    }
    transfer =
      moves
      ? Transfer(to: request.customer, from: claim.holder, at: now, reason: "restore") : nil
  }

  /// The transactions reported with what they are worth.
  ///
  /// One for whose period another transaction stands, such as a snapshot's beside an invoice's,
  /// gives way to the one that the membership shows; a report without any is about the membership
  /// alone.
  private static func worths(
    of reported: ReportedMembership, _ timeline: MembershipTimeline, _ now: Timestamp
  ) -> [(transaction: TransactionID?, worth: Worth)] {
    let counted = reported.transactions.filter(timeline.counts)
    if !counted.isEmpty { return counted.map { ($0, timeline.worth(of: $0, at: now)) } }
    return [(timeline.shownTransaction(at: now), timeline.worth(at: now))]
  }

  /// Whether the customer had access by it before the store's report was read.
  private static func wasHeld(
    _ id: MembershipID, by customer: CustomerID, _ before: Batch, _ environment: Environment,
    _ now: Timestamp
  ) throws(LedgerError) -> Bool {
    let fold = before.fold
    guard let state = try fold.store.membership(id, environment),
      try fold.holdings(of: state, environment).first(where: { $0.period.contains(now) })?
        .customer == customer
    else { return false }
    return MembershipTimeline(id, state, try fold.store.terms()).worth(at: now).isHeld
  }
}

/// A customer's claim on a membership that somebody, or nobody, holds.
private struct Claim {
  /// Who holds it; nil for nobody.
  let holder: CustomerID?
  let customer: CustomerID
  /// Whether it gives access now.
  let isActive: Bool
  let rule: Policy.RestoreRule

  /// Whether the membership moves to the customer for what its transactions are worth: for one that
  /// is held, or, where inactive ones are free to be taken, for one that has run out.
  func moves(_ worths: [Worth]) -> Bool {
    if holder == customer || !wins { return false }
    if worths.contains(where: \.isHeld) { return true }
    let hasRunOut = worths.contains { if case .over = $0 { true } else { false } }
    return hasRunOut && rule == .transferIfInactive && !isActive
  }

  /// Whether the customer wins it from whoever holds it.
  private var wins: Bool {
    guard let holder else { return true }
    switch (holder.isAnonymous, customer.isAnonymous) {
    case (false, true): return false
    case (true, false): return true
    default: break
    }
    switch rule {
    case .transfer: return true
    case .transferIfInactive: return !isActive
    case .keepWithOwner, .unrecognized: return false
    }
  }

  func outcome(of transaction: Worth, wasHeld: Bool) -> RestoreOutcome {
    switch transaction {
    case .takenBack: return .revoked
    case .over: return .expired
    case .live, .resting: break
    }
    if holder == customer { return wasHeld ? .alreadyHeld : .restored }
    if !wins { return .ownedByAnother }
    let isClaimed = holder.map { $0.isAnonymous && !customer.isAnonymous } ?? true
    return isClaimed ? .restored : .transferredFrom
  }
}
