extension TimelineSweep {
  func status(
    at instant: Timestamp, _ access: MembershipTimeline.Access, _ covering: [Coverage]
  ) -> MembershipStatus {
    switch access {
    case .granted: statusOfAccess(at: instant, covering)
    case .grace: .pastDue
    case .denied(let reason): statusOfDenial(at: instant, reason)
    }
  }

  private func statusOfAccess(at instant: Timestamp, _ covering: [Coverage]) -> MembershipStatus {
    if isPastDue(at: instant) { return .pastDue }
    if state.plannedEnd(at: instant) != nil { return .canceling }
    if covering.allSatisfy({ $0.kind == .oneTime }) { return .completed }
    // An invoice of nothing for a trial may not say that it is for one; the store's standing does.
    let isTrial =
      covering.contains { $0.kind == .trial }
      || state.standing.value(at: instant)?.standing == .trialing
    return isTrial && covering.allSatisfy { $0.kind == .trial || $0.kind == .free }
      ? .trialing : .active
  }

  private func statusOfDenial(
    at instant: Timestamp, _ reason: DenialReason
  ) -> MembershipStatus {
    switch reason {
    case .held: .held
    case .paused: .paused
    case .refunded: .refunded
    case .revoked: .revoked
    case .cancelled: .canceled
    case .none, .notStarted: .pending
    case .expired:
      (isPastDue(at: instant) || isAwaited(at: instant))
        && ends.inEffect(at: instant, coverages) == nil ? .pastDue : .expired
    }
  }

  /// Whether the store goes on, and the next period has begun and is not paid yet.
  private func isAwaited(at instant: Timestamp) -> Bool {
    state.standing.value(at: instant)?.standing.isGood == true
      && awaited.contains { $0.contains(instant) }
  }

  private func isPastDue(at instant: Timestamp) -> Bool {
    if failures.contains(where: { $0.period.contains(instant) }) { return true }
    guard let observed = state.standing.value(at: instant) else { return false }
    return observed.standing == .pastDue || observed.standing == .unpaid
  }
}

extension MembershipState {
  /// The periods that are to be paid: those of invoices that are not settled, and those that
  /// snapshots alone show.
  var awaitedPeriods: [Period] {
    let bills = invoices.values.compactMap(\.value).compactMap { invoice in
      invoice.period.map { (period: $0, state: invoice.state) }
    }
    let shown = transactions.values.compactMap(\.purchase.value?.transaction)
      .filter(\.isObserved).compactMap(\.period)
      .filter { period in !bills.contains { !$0.period.intersection(period).isEmpty } }
    return bills.filter { $0.state == .draft || $0.state == .open }.map(\.period) + shown
  }
}

/// A payment that failed and was not made up for.
struct OpenFailure {
  /// From the start of the unpaid period until a later one was paid; which attempt at the payment
  /// is told of plays no part.
  let period: Period

  /// The failures that no payment, and no giving up of the invoice, has settled.
  static func all(of state: MembershipState, _ coverages: [Coverage]) -> [OpenFailure] {
    state.failures.values.compactMap(\.winner).compactMap { failure in
      let start = failure.value.period.start
      let paid = coverages.filter { !$0.isAssumed && !$0.period.isEmpty }
      if paid.contains(where: { $0.period.contains(start) }) { return nil }
      if let id = failure.value.invoice, let invoice = state.invoices[id]?.value {
        switch invoice.state {
        case .paid, .void, .uncollectible: return nil
        case .draft, .open, .unrecognized: break
        }
      }
      let failedAt = failure.value.failedAt ?? failure.stamp.time
      let later = paid.lazy.map(\.period.start).first { $0 > start }
      let recovered = failure.value.invoice == nil ? recovery(of: state, after: failedAt) : nil
      return OpenFailure(
        period: Period(
          start: start, end: min(later ?? .distantFuture, recovered ?? .distantFuture)))
    }
  }

  /// When the store called the membership well again; that settles what no invoice speaks of.
  private static func recovery(
    of state: MembershipState, after instant: Timestamp
  ) -> Timestamp? {
    state.standing.stretches.first { stretch in
      stretch.period.start > instant && stretch.entry.value.standing == .active
    }?.period.start
  }
}
