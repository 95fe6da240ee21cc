/// A window in which access goes on although a period is not paid.
struct Grace: Hashable {
  let period: Period
  /// What was had before, and is kept meanwhile.
  let kept: Coverage
  /// Whether it is by the store's own word.
  let isStores: Bool
  let evidence: [EventID]
}

extension Grace {
  /// The windows of a membership: for each unpaid period, anchored at the period's start, by the
  /// store's own word or by the policy; and the trust that a renewing membership is renewed.
  static func all(
    _ state: MembershipState, _ coverages: [Coverage], _ ends: [Cut], _ terms: TermsState,
    _ provider: Provider
  ) -> [Grace] {
    let unpaid = state.failures.values.compactMap(\.winner).flatMap { failure in
      windows(after: failure, coverages, terms, provider)
    }
    return (unpaid + tolerance(state, coverages, terms, provider))
      .map { $0.ending(by: ends) }.filter { !$0.period.isEmpty }
  }

  /// The policy's grace follows on what was paid for without a gap, so that one unpaid period after
  /// the other does not add up to access for nothing; the store's grace is its own affair, and not
  /// taken back where the store tells afterwards that what is not paid ended when it was due.
  private static func windows(
    after failure: Stamped<PaymentFailure>, _ coverages: [Coverage], _ terms: TermsState,
    _ provider: Provider
  ) -> [Grace] {
    let start = failure.value.period.start
    let days = terms.policy(at: start).rules(for: provider).graceMilliseconds
    let end = failure.value.graceUntil ?? start.adding(milliseconds: days)
    let needsNoGap = failure.value.graceUntil == nil
    let evidence = [failure.stamp.event] + (needsNoGap ? terms.policyEvidence(at: start) : [])
    return coverages.lastHeld(before: start)
      .filter { coverage in
        needsNoGap
          ? coverage.cut == nil && coverage.period.end >= start
          : coverage.cut?.isDue(at: start) ?? true
      }
      .map {
        Grace(
          period: Period(start: start, end: end), kept: $0, isStores: !needsNoGap,
          evidence: evidence)
      }
  }

  private static func tolerance(
    _ state: MembershipState, _ coverages: [Coverage], _ terms: TermsState, _ provider: Provider
  ) -> [Grace] {
    coverages.compactMap { coverage in
      let end = coverage.period.end
      let policy = terms.policy(at: end).rules(for: provider).renewalToleranceMilliseconds
      let seen = state.standing.entry(at: end).flatMap { $0.value.isRenewing ? $0 : nil }
      let silent = seen == nil ? 0 : provider.silentGraceMilliseconds
      let length = max(policy, silent)
      guard length > 0, coverage.cut == nil, end < .distantFuture, !coverage.period.isEmpty,
        coverage.kind != .oneTime, state.plannedEnd(at: end) == nil, state.failures[end] == nil
      else { return nil }
      let period = Period(start: end, end: end.adding(milliseconds: length))
      let evidence =
        policy < silent ? [seen?.stamp.event].compactMap { $0 } : terms.policyEvidence(at: end)
      return Grace(period: period, kept: coverage, isStores: false, evidence: evidence)
    }
  }

  private func ending(by ends: [Cut]) -> Grace {
    let ending = ends.first { end in
      end.at > kept.period.start && !(isStores && end.isDue(at: period.start))
    }
    guard let end = ending, end.at < period.end else { return self }
    return Grace(
      period: Period(start: period.start, end: end.at), kept: kept, isStores: isStores,
      evidence: evidence)
  }

  /// Whether the coverage takes the place of what is kept: it is of the same line.
  func isSettled(by coverage: Coverage) -> Bool {
    coverage.item.isEmpty || kept.item.isEmpty || coverage.item == kept.item
  }
}

extension Cut {
  /// Whether it ends what was not paid at the instant at which it was due.
  fileprivate func isDue(at instant: Timestamp) -> Bool { isForNonPayment && at == instant }
}

extension [Coverage] {
  /// The coverages that reach furthest towards an instant, all items of them.
  fileprivate func lastHeld(before instant: Timestamp) -> [Coverage] {
    let begun = filter { !$0.period.isEmpty && $0.period.start < instant }
    let reached = begun.map { Swift.min($0.period.end, instant) }.max()
    return begun.filter { Swift.min($0.period.end, instant) == reached }
  }
}

extension Provider {
  /// How long the store goes on after the end of a renewing period before it says that payment
  /// fails: Google Play calls the subscription active for a day at least, and sends nothing.
  fileprivate var silentGraceMilliseconds: Int64 {
    self == .googlePlay ? 86_400_000 : 0
  }
}
