extension CoverageBuilder {
  /// The plan changes in effect, in order.
  var planChanges: [Stamped<PlanChange>] {
    state.changes.values.compactMap(\.winner).sorted {
      ($0.value.at, $0.value.item) < ($1.value.at, $1.value.item)
    }
  }

  /// A change within a period replaces what is had from its instant on.
  func apply(_ change: Stamped<PlanChange>, to coverage: Coverage) -> [Coverage] {
    let (at, period) = (change.value.at, coverage.period)
    guard period.start < at, at < period.end, let from = change.value.from,
      change.value.item.isEmpty || coverage.item.isEmpty || change.value.item == coverage.item
    else { return [coverage] }
    var (before, after) = coverage.split(at: at)
    after.evidence.append(change.stamp.event)
    if coverage.offer.matches(from) {
      guard let to = change.value.to else {
        before.cut = Cut(at: at, reason: .cancelled, evidence: [change.stamp.event])
        return [before]
      }
      after.offer = to
      after.quantity = change.value.quantity
      return [before, after]
    }
    if coverage.isAssumed, let to = change.value.to, coverage.offer.matches(to) {
      // The snapshot shows the new plan for a period that began under the old one.
      before.offer = from
      before.evidence.append(change.stamp.event)
      return [before, after]
    }
    return [coverage]
  }

  /// What a change adds beside the other items lasts as long as they do.
  func additions(to coverages: [Coverage]) -> [Coverage] {
    planChanges.compactMap { change in
      guard change.value.from == nil, let to = change.value.to,
        !coverages.contains(where: { $0.item == change.value.item && $0.offer.matches(to) }),
        var added = coverages.filter({ $0.period.contains(change.value.at) })
          .max(by: { $0.period.end < $1.period.end })
      else { return nil }
      added = added.split(at: change.value.at).after
      added.offer = to
      added.quantity = change.value.quantity
      added.evidence.append(change.stamp.event)
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
