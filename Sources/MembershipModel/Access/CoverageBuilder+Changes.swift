extension CoverageBuilder {
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
