extension MembershipTimeline {
  /// How the membership stands at an instant.
  package func membership(
    of state: MembershipState, heldBy customer: CustomerID?, seat: SeatID? = nil,
    at instant: Timestamp, _ environment: Environment
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
      willRenew: ended == nil && planned == nil
        && isRenewing(segment, state.standing.value(at: instant)),
      createdAt: state.createdAt, currentPeriodEnd: currentPeriodEnd(at: instant),
      expiresAt: expiry(at: instant), cancelAt: ended == nil ? planned : nil,
      endedAt: ended,
      pendingChange: ended == nil ? pendingChange(of: state, at: instant) : nil,
      acknowledgeBy: state.standing.value(at: instant)?.acknowledgeBy,
      holds: ended == nil
        ? Set(interruptions.filter { $0.period.contains(instant) }.map(\.cause)).sorted() : [],
      ownership: source?.ownership, repeatsTrialOf: nil,
      role: seat == nil ? .owner : .seat, seat: seat,
      seats: segment.seats(of: state, at: instant), environment: environment)
  }

  /// Whether the store is going to charge again, where nothing ends the membership.
  ///
  /// A time that ran out, or money given back, does not say so by itself: what was last seen of the
  /// store's standing does.
  private func isRenewing(_ segment: Segment, _ observed: Observation?) -> Bool {
    if !segment.sources.isEmpty, segment.sources.allSatisfy({ $0.kind == .oneTime }) {
      return false
    }
    switch observed?.standing {
    case .unpaid, .ended: return false
    case .active, .trialing, .pastDue:
      return segment.status != .canceled && observed?.isRenewing == true
    case .incomplete, .paused, .unrecognized, nil: break
    }
    return switch segment.status {
    case .active, .trialing, .pastDue, .held, .paused, .refunded, .revoked: true
    case .pending, .canceling, .completed, .canceled, .expired: false
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
}

extension MembershipState {
  /// When the membership began, as far as any fact shows, however late the fact is.
  fileprivate var createdAt: Timestamp {
    let bought = transactions.values.flatMap { [$0.purchase.value, $0.trial.value] }
      .compactMap { $0?.transaction.period?.start }
    let stated = standing.stretches.compactMap(\.entry.value.startedAt)
    return (bought + stated).reduce(firstSeenAt, min)
  }

  /// When the membership is to end, as was known at an instant before that end.
  func plannedEnd(at instant: Timestamp) -> Timestamp? {
    let stated = ends.values.compactMap(\.winner).filter { $0.stamp.time <= instant }
      .map(\.value.at)
    return (intents.compactMap { $0.value(at: instant)?.endsAt } + stated)
      .filter { $0 > instant }.min()
  }

  /// When a cause plans its end, as was known at an instant before that end.
  package func plannedEnd(at instant: Timestamp, by cause: String) -> Timestamp? {
    let intent = cause.isEmpty ? intent : otherIntents[cause]
    guard let end = intent?.value(at: instant)?.endsAt, end > instant else { return nil }
    return end
  }

  /// What plans its end, each for itself.
  var intents: [History<Intent>] { [intent] + otherIntents.values }
}

extension String {
  fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
