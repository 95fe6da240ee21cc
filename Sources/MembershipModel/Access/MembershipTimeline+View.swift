extension MembershipTimeline {
  /// How the membership stands at an instant.
  package func membership(
    of state: MembershipState, heldBy customer: CustomerID?, at instant: Timestamp,
    _ environment: Environment
  ) -> Membership {
    let segment = segment(at: instant)
    let source = segment.sources.first
    let planned = state.plannedEnd(at: instant)
    let ended = ends.inEffect(at: instant, coverages)?.at
    return Membership(
      id: id, customer: customer, provider: id.provider, product: source?.product,
      plan: source?.plan, storeProduct: source?.offer.product.nilIfEmpty,
      storePlan: source?.offer.plan.nilIfEmpty, status: segment.status,
      storeStatus: state.standing.value(at: instant)?.status.nilIfEmpty,
      isActive: segment.access.isGiven,
      willRenew: ended == nil && planned == nil && isRenewing(segment),
      createdAt: state.firstSeenAt, currentPeriodEnd: currentPeriodEnd(at: instant),
      expiresAt: expiry(at: instant), cancelAt: ended == nil ? planned : nil,
      endedAt: ended,
      pendingChange: pendingChange(of: state, at: instant),
      holds: Set(interruptions.filter { $0.period.contains(instant) }.map(\.cause)).sorted(),
      environment: environment)
  }

  private func isRenewing(_ segment: Segment) -> Bool {
    if !segment.sources.isEmpty, segment.sources.allSatisfy({ $0.kind == .oneTime }) {
      return false
    }
    return switch segment.status {
    case .active, .trialing, .pastDue, .held, .paused: true
    default: false
    }
  }

  private func currentPeriodEnd(at instant: Timestamp) -> Timestamp? {
    let begun = coverages.filter { $0.period.start <= instant && !$0.period.isEmpty }
    let end = begun.map(\.period.end).max()
    return end == .distantFuture ? nil : end
  }

  /// The end of the stretch of access that the instant lies in, else of the last one before it.
  private func expiry(at instant: Timestamp) -> Timestamp? {
    var end: Timestamp?
    for segment in segments where segment.access.isGiven {
      if segment.period.start > instant, end != segment.period.start { break }
      end = segment.period.end
    }
    return end == .distantFuture ? nil : end
  }

  private func pendingChange(of state: MembershipState, at instant: Timestamp) -> PlanChange? {
    let withdrawn = state.withdrawals.entry(at: instant)
    let planned = state.planned.values.compactMap { history -> PlanChange? in
      guard let entry = history.entry(at: instant), entry.value.at > instant else { return nil }
      if let withdrawn, withdrawn.stamp.undoes(entry.stamp) { return nil }
      return entry.value
    }
    return planned.min { ($0.at, $0.item) < ($1.at, $1.item) }
  }
}

extension MembershipState {
  /// When the membership is to end, as was known at an instant before that end.
  func plannedEnd(at instant: Timestamp) -> Timestamp? {
    guard let end = intent.value(at: instant)?.endsAt, end > instant else { return nil }
    return end
  }
}

extension Stamp {
  /// Whether a withdrawal with this stamp came after the plan with the other one.
  ///
  /// An event that states both withdraws an older plan and makes a new one.
  fileprivate func undoes(_ plan: Stamp) -> Bool {
    if time != plan.time { return time > plan.time }
    return event != plan.event && !plan.follows(self)
  }
}

extension String {
  fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
