/// A window in which access goes on although a period is not paid.
struct Grace: Hashable {
  let period: Period
  /// What was had before, and is kept meanwhile.
  let kept: Coverage
  let evidence: [EventID]
}

extension Grace {
  /// The windows of a membership: one for each unpaid period, anchored at the period's start, by the
  /// store's own word or by the policy; and the trust that a renewing membership is renewed.
  static func all(
    _ state: MembershipState, _ coverages: [Coverage], _ ends: [Cut], _ terms: TermsState,
    _ provider: Provider
  ) -> [Grace] {
    var windows: [Grace] = []
    for failure in state.failures.values.compactMap(\.winner) {
      let start = failure.value.period.start
      let days = terms.policy(at: start).rules(for: provider).graceMilliseconds
      let end = failure.value.graceUntil ?? start.adding(milliseconds: days)
      guard start < end, let kept = coverages.last(endingBy: start) else { continue }
      windows.append(
        Grace(period: Period(start: start, end: end), kept: kept, evidence: [failure.stamp.event]))
    }
    windows += tolerance(state, coverages, terms, provider)
    return windows.map { $0.ending(by: ends) }.filter { !$0.period.isEmpty }
  }

  private static func tolerance(
    _ state: MembershipState, _ coverages: [Coverage], _ terms: TermsState, _ provider: Provider
  ) -> [Grace] {
    coverages.compactMap { coverage in
      let end = coverage.period.end
      guard coverage.cut == nil, end < .distantFuture, !coverage.period.isEmpty,
        coverage.kind != .oneTime, state.intent.value(at: end)?.endsAt == nil,
        state.failures[end] == nil
      else { return nil }
      let rules = terms.policy(at: end).rules(for: provider)
      let until = end.adding(milliseconds: rules.renewalToleranceMilliseconds)
      return Grace(period: Period(start: end, end: until), kept: coverage, evidence: [])
    }
  }

  private func ending(by ends: [Cut]) -> Grace {
    guard let end = ends.first(where: { $0.at > kept.period.start }), end.at < period.end else {
      return self
    }
    return Grace(
      period: Period(start: period.start, end: end.at), kept: kept, evidence: evidence)
  }
}

extension [Coverage] {
  /// The coverage that ends last among those that end by an instant and held anything.
  func last(endingBy instant: Timestamp) -> Coverage? {
    filter { !$0.period.isEmpty && $0.period.end <= instant }.max {
      ($0.period.end, $0.period.start, $0.transaction) < (
        $1.period.end, $1.period.start, $1.transaction
      )
    }
  }
}
