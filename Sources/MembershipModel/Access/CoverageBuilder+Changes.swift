extension CoverageBuilder {
  /// The plan changes in effect, in order.
  static func planChanges(of state: MembershipState) -> [Stamped<PlanChange>] {
    let said = state.changes.values.compactMap(\.winner)
    return said.compactMap { paidFor($0, among: said, state.standing) }.sorted {
      ($0.value.at, $0.value.item) < ($1.value.at, $1.value.item)
    }
  }

  /// The change as it comes into effect: at its instant, or once what was outstanding is settled.
  ///
  /// A change made while a payment was outstanding gives what is new in it once the store says that
  /// all is well again; until then what was paid for goes on. One that is taken back by then, or
  /// never paid, was never in effect.
  private static func paidFor(
    _ change: Stamped<PlanChange>, among all: [Stamped<PlanChange>],
    _ standing: History<Observation>
  ) -> Stamped<PlanChange>? {
    let made = change.value
    guard made.to != nil, let seen = standing.value(at: made.at), seen.standing.isOutstanding
    else { return change }
    let well = standing.stretches.first { stretch in
      stretch.period.start > made.at
        && (stretch.entry.value.standing == .active || stretch.entry.value.standing == .trialing)
    }
    guard let well else { return nil }
    let isTakenBack = all.contains { other in
      other.value.at > made.at && other.value.at <= well.period.start
        && other.value.item == made.item && other.value.to == made.from
    }
    if isTakenBack { return nil }
    var copy = change
    copy.value.at = well.period.start
    return copy
  }

  /// The coverage cut into pieces at the plan changes within it.
  func pieces(of coverage: Coverage) -> [Coverage] {
    if planChanges.isEmpty { return [coverage] }
    var pieces = [coverage]
    if coverage.isAssumed || coverage.kind == .trial {
      // The newest snapshot shows what is had now; what was had before follows from the changes.
      for change in planChanges.reversed() { pieces = pieces.flatMap { before(change, $0) } }
    }
    for change in planChanges { pieces = pieces.flatMap { after(change, $0) } }
    return pieces
  }

  /// A change within a period replaces what is had from its instant on.
  private func after(_ change: Stamped<PlanChange>, _ coverage: Coverage) -> [Coverage] {
    guard let from = change.value.from, isWithin(coverage, change.value),
      coverage.offer.matches(from)
    else { return [coverage] }
    var (before, after) = coverage.split(at: change.value.at)
    let event = change.stamp.event
    guard let to = change.value.to else {
      before.cut = Cut(at: change.value.at, reason: .cancelled, evidence: [event])
      before.evidence.append(event)
      return [before]
    }
    if isBoughtAnew(to, change.value, since: coverage.period.start) {
      // The new plan was bought by itself: what is left of the former one gives nothing.
      before.cut = Cut(at: change.value.at, reason: .expired, evidence: [event])
      return [before]
    }
    after.offer = to
    after.quantity = change.value.quantity
    after.evidence.append(event)
    before.cut = Cut(at: change.value.at, reason: .expired, evidence: [event])
    return [before, after]
  }

  /// What a snapshot shows after a change, had under the former offer before it.
  private func before(_ change: Stamped<PlanChange>, _ coverage: Coverage) -> [Coverage] {
    guard let to = change.value.to, isWithin(coverage, change.value), coverage.offer.matches(to)
    else { return [coverage] }
    var (before, after) = coverage.split(at: change.value.at)
    guard let from = change.value.from else {
      // Added: there was no such item before.
      return change.value.item.isEmpty || coverage.item != change.value.item ? [coverage] : [after]
    }
    let event = change.stamp.event
    before.offer = from
    before.evidence.append(event)
    before.cut = Cut(at: change.value.at, reason: .expired, evidence: [event])
    after.evidence.append(event)
    return [before, after]
  }

  /// Whether a purchase of its own, begun after the one that is changed, pays for the new plan.
  private func isBoughtAnew(
    _ offer: Offer, _ change: PlanChange, since start: Timestamp
  ) -> Bool {
    state.transactions.values.contains { transaction in
      guard let bought = transaction.purchase.value?.transaction, let period = bought.period,
        !bought.isObserved, bought.kind != .trial, bought.kind.unrecognizedNumber == nil
      else { return false }
      return period.start > start && period.contains(change.at) && bought.offer.matches(offer)
        && (change.item.isEmpty || bought.item.isEmpty || bought.item == change.item)
    }
  }

  private func isWithin(_ coverage: Coverage, _ change: PlanChange) -> Bool {
    coverage.period.start < change.at && change.at < coverage.period.end
      && (change.item.isEmpty || coverage.item.isEmpty || change.item == coverage.item)
  }

  /// What a change adds beside the other items lasts as long as they do, unless a transaction of
  /// its own speaks for it.
  func additions(to coverages: [Coverage]) -> [Coverage] {
    planChanges.compactMap { entry in
      let change = entry.value
      guard change.from == nil, let to = change.to,
        let host = coverages.filter({ $0.period.contains(change.at) })
          .max(by: { $0.period.end < $1.period.end }),
        !coverages.contains(where: {
          $0.item == change.item && $0.offer.matches(to) && $0.period.contains(change.at)
        })
      else { return nil }
      var added = host.split(at: change.at).after
      added.item = change.item
      added.offer = to
      added.quantity = change.quantity
      added.evidence.append(entry.stamp.event)
      return added
    }
  }
}

extension Offer {
  /// Whether two offers name the same plan, or the same product where a plan is not given.
  func matches(_ other: Offer) -> Bool {
    if !plan.isEmpty, !other.plan.isEmpty { return plan == other.plan }
    return product == other.product
  }
}

extension Standing {
  /// Whether a payment was to be made and was not.
  fileprivate var isOutstanding: Bool {
    switch self {
    case .pastDue, .unpaid, .incomplete: true
    case .active, .trialing, .paused, .ended, .unrecognized: false
    }
  }
}
