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
    found += holds(healed(state.holds, by: state.standing), terms)
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

  /// Holds by the store, released where its snapshots show them not to be in effect.
  private static func healed(
    _ holds: SortedMap<String, History<HoldMark>>, by standing: History<Observation>
  ) -> SortedMap<String, History<HoldMark>> {
    var healed = holds
    for (cause, history) in holds.entries.map({ ($0.key, $0.value) })
    where !history.hasDecision {
      for moment in standing.moments.entries {
        for seen in moment.value.candidates where seen.value.unpausedCauses.contains(cause) {
          healed[cause, default: history].join(HoldMark(isHeld: false), at: moment.key, seen.stamp)
        }
      }
    }
    return healed
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
        guard mark.value.isPaused, !mark.value.keepsPaidPeriod,
          terms.policy(at: stretch.start).pause != .ignore
        else { return nil }
        let end = min(stretch.end, mark.value.resumesAt ?? .distantFuture)
        return Interruption(
          period: Period(start: stretch.start, end: end), reason: .paused, cause: entry.key,
          evidence: [mark.stamp.event] + terms.policyEvidence(at: stretch.start))
      }
    }
  }

  /// An open dispute rests all of the membership, whichever of its payments is disputed; what it
  /// takes when it is lost is for its own transaction alone.
  private static func disputes(_ money: MoneyState, _ terms: TermsState) -> [Interruption] {
    money.disputes.entries.flatMap { entry -> [Interruption] in
      let closedAt = entry.value.closure.winner?.value.at ?? .distantFuture
      return entry.value.openStretches.compactMap { period, opening in
        let policy = terms.policy(at: period.start)
        let rule =
          switch opening.value.kind {
          case .inquiry: policy.inquiry
          case .dispute, .unrecognized: policy.openDispute
          }
        let held = Period(start: period.start, end: min(period.end, closedAt))
        if rule == .ignore || held.isEmpty { return nil }
        return Interruption(
          period: held, reason: .held, cause: entry.key.rawValue,
          evidence: [opening.stamp.event] + terms.policyEvidence(at: held.start))
      }
    }
  }
}

extension DisputeState {
  /// What it was from when to when, were it never closed: what was seen first holds from its
  /// opening on, and what it became later from the time at which that was seen.
  fileprivate var openStretches: [(period: Period, entry: Stamped<Dispute>)] {
    var stretches = openings.stretches
    if let first = stretches.first, let opened = first.entry.value.at {
      stretches[0].period.start = min(opened, first.period.start)
    }
    return stretches
  }
}

extension History<HoldMark> {
  /// Whether any of it was decided in the ledger, which no store's snapshot undoes.
  fileprivate var hasDecision: Bool {
    moments.values.contains { $0.candidates.contains { $0.stamp.decision > 0 } }
  }
}
