extension CoverageBuilder {
  /// The plan changes in effect, in order: those stated, and those that snapshots show.
  static func planChanges(of state: MembershipState) -> [EffectiveChange] {
    let stated = state.changes.values.compactMap(\.winner)
    let entered = stated.compactMap { paidFor($0, among: stated, state.standing) }
      .map { EffectiveChange(change: $0.value, evidence: [$0.stamp.event], isSeen: false) }
    return (entered + SeenChanges.all(of: state, besides: stated)).sorted {
      ($0.change.at, $0.order, $0.change.item) < ($1.change.at, $1.order, $1.change.item)
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
      stretch.period.start > made.at && stretch.entry.value.standing.isGood
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
    if !coverage.isPaidFor {
      // The newest snapshot shows what is had now; what was had before follows from the changes.
      for change in planChanges.reversed() { pieces = pieces.flatMap { before(change, $0) } }
    }
    for change in planChanges { pieces = pieces.flatMap { after(change, $0) } }
    return pieces
  }

  /// A change within a period replaces what is had from its instant on.
  private func after(_ entry: EffectiveChange, _ coverage: Coverage) -> [Coverage] {
    let change = entry.change
    guard let from = change.from, coverage.offer.matches(from),
      isWithin(coverage, entry)
    else { return [coverage] }
    var (before, after) = coverage.split(at: change.at)
    guard let to = change.to else {
      before.cut = Cut(at: change.at, reason: .cancelled, evidence: entry.evidence)
      before.evidence += entry.evidence
      return [before]
    }
    before.cut = Cut(at: change.at, reason: .expired, evidence: entry.evidence)
    // Where the new plan was bought by itself, what is left of the former one gives nothing.
    if isBoughtAnew(to, change, since: coverage.period.start) { return [before] }
    after.offer = to
    after.quantity = change.quantity
    after.change = change.entering(coverage, from: before.offer)
    after.evidence += entry.evidence
    return [before, after]
  }

  /// What a snapshot shows after a change, had under the former offer before it.
  private func before(_ entry: EffectiveChange, _ coverage: Coverage) -> [Coverage] {
    let change = entry.change
    guard let to = change.to, isWithin(coverage, entry), coverage.offer.matches(to)
    else { return [coverage] }
    var (before, after) = coverage.split(at: change.at)
    guard let from = change.from else {
      // Added: there was no such item before.
      return change.item.isEmpty || coverage.item != change.item ? [coverage] : [after]
    }
    before.offer = from
    after.change = change.entering(coverage, from: from)
    before.evidence += entry.evidence
    before.cut = Cut(at: change.at, reason: .expired, evidence: entry.evidence)
    after.evidence += entry.evidence
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

  /// Whether the change is about the coverage and within its time.
  ///
  /// A snapshot fetched by itself may not say when it was taken: it counts from the start of the
  /// period that it shows.
  private func isWithin(_ coverage: Coverage, _ entry: EffectiveChange) -> Bool {
    let (change, period) = (entry.change, coverage.period)
    let isAtStart = entry.isSeen && coverage.isPaidFor && change.at == period.start
    return (period.start < change.at || isAtStart) && change.at < period.end
      && (change.item.isEmpty || coverage.item.isEmpty || change.item == coverage.item)
  }

  /// What a change adds beside the other items lasts as long as they do, unless a transaction of
  /// its own speaks for it.
  func additions(to coverages: [Coverage]) -> [Coverage] {
    planChanges.compactMap { entry in
      let change = entry.change
      guard change.from == nil, let to = change.to,
        let host = coverages.filter({ $0.period.contains(change.at) })
          .max(by: { $0.period.end < $1.period.end }),
        !coverages.contains(where: {
          $0.item == change.item && $0.offer.matches(to) && $0.period.contains(change.at)
        })
      else { return nil }
      var added = host.split(at: change.at).after
      added.item = change.item
      added.change = change.entering(added, from: nil)
      added.offer = to
      added.quantity = change.quantity
      added.evidence += entry.evidence
      return added
    }
  }
}

extension PlanChange {
  fileprivate func entering(_ coverage: Coverage, from former: Offer?) -> EnteredChange {
    EnteredChange(change: self, former: former, formerQuantity: coverage.quantity)
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
