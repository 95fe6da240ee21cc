/// A stretch in which access rests although it is paid for.
struct Interruption: Hashable {
  let period: Period
  let reason: DenialReason
  let cause: String
  let evidence: [EventID]
}

extension Interruption {
  /// All interruptions of a membership that the policy lets rest access.
  static func all(_ state: MembershipState, _ terms: TermsState) -> [Interruption] {
    var found = pauses(of: state, terms)
    found += holds(state.holds, terms)
    found += holds(state.inherited.holds, terms)
    for payment in state.payments.values {
      found += holds(payment.money.holds, terms)
      found += disputes(payment.money, terms)
    }
    return found
  }

  /// Holds; only an early warning of fraud is left to the policy.
  static func holds(
    _ holds: SortedMap<String, History<HoldMark>>, _ terms: TermsState
  ) -> [Interruption] {
    holds.entries.flatMap { entry -> [Interruption] in
      entry.value.stretches.compactMap { period, mark in
        guard mark.value.isHeld else { return nil }
        if mark.value.kind == .fraudWarning,
          terms.policy(at: period.start).fraudWarning == .ignore
        {
          return nil
        }
        return Interruption(
          period: period, reason: .held, cause: entry.key, evidence: [mark.stamp.event])
      }
    }
  }

  private static func pauses(of state: MembershipState, _ terms: TermsState) -> [Interruption] {
    state.pauses.entries.flatMap { entry -> [Interruption] in
      var history = entry.value
      // Every snapshot has its say, not only the one that wins its instant, so that chains of
      // previous values within an instant stay whole.
      for moment in state.standing.moments.entries {
        for seen in moment.value.candidates where seen.value.unpausedCauses.contains(entry.key) {
          history.join(
            PauseMark(isPaused: false), at: moment.key, seen.stamp.with(precedence: 0))
        }
      }
      return history.stretches.compactMap { stretch, mark in
        guard mark.value.isPaused, terms.policy(at: stretch.start).pause != .ignore else {
          return nil
        }
        let end = min(stretch.end, mark.value.resumesAt ?? .distantFuture)
        return Interruption(
          period: Period(start: stretch.start, end: end), reason: .paused, cause: entry.key,
          evidence: [mark.stamp.event] + terms.policyEvidence(at: stretch.start))
      }
    }
  }

  private static func disputes(_ money: MoneyState, _ terms: TermsState) -> [Interruption] {
    money.disputes.entries.compactMap { entry in
      guard let opening = entry.value.opening.winner, let start = opening.value.at else {
        return nil
      }
      let policy = terms.policy(at: start)
      let rule =
        switch opening.value.kind {
        case .inquiry: policy.inquiry
        case .dispute, .unrecognized: policy.openDispute
        }
      if rule == .ignore { return nil }
      let closure = entry.value.closure.winner
      return Interruption(
        period: Period(start: start, end: closure?.value.at ?? .distantFuture), reason: .held,
        cause: entry.key.rawValue,
        evidence: [opening.stamp.event] + terms.policyEvidence(at: start))
    }
  }
}
