import MembershipModel

extension StripeSubscription {
  /// Reads a snapshot of a subscription, with what changed where the document says so.
  static let read: StripeEventKind.Read = { notice, facts in
    guard let now = StripeSubscription(notice.object) else {
      facts.note("the subscription has no usable id")
      return
    }
    let snapshot = StripeSnapshot(
      notice: notice, now: now, before: notice.previous.flatMap(StripeSubscription.init))
    snapshot.stateStanding(in: &facts)
    snapshot.statePurchases(in: &facts)
    snapshot.stateTrial(in: &facts)
    snapshot.stateCancellation(in: &facts)
    snapshot.statePauses(in: &facts)
    snapshot.statePlanChanges(in: &facts)
    snapshot.statePendingUpdate(in: &facts)
  }
}

/// A subscription as a document shows it, beside what it was before where the document says so.
struct StripeSnapshot {
  let notice: StripeNotice
  let now: StripeSubscription
  let before: StripeSubscription?

  /// The event of the end is final even where the status beside it says otherwise.
  var isOver: Bool { now.standing == .ended || notice.type == "customer.subscription.deleted" }

  private var isPaused: Bool {
    now.status == "paused" || notice.type == "customer.subscription.paused"
  }

  func stateStanding(in facts: inout FactCollector) {
    var unpaused: [String] = []
    if now.collection == .running { unpaused.append(Self.collectionPause) }
    if !isPaused { unpaused.append(Self.subscriptionPause) }
    let observation = Observation(
      status: now.status, standing: isOver ? .ended : now.standing,
      isRenewing: !isOver && !now.isEnding, unpausedCauses: unpaused,
      items: isOver ? [] : now.observedItems, startedAt: now.startedAt)
    facts.state(.observed(observation), of: now.membership)
    if now.standing == .unrecognized(0) {
      facts.note("the status \"\(now.status)\" is not known")
    }
    if isOver {
      facts.state(.ended(End(at: endedAt, reason: endReason)), of: now.membership)
    } else if now.standing == .pastDue || now.standing == .unpaid {
      if let period = now.currentPeriod {
        facts.state(.paymentFailed(PaymentFailure(period: period)), of: now.membership)
      } else {
        facts.note("a payment failed for a period that is not shown")
      }
    }
  }

  /// Where an end was planned, `canceled_at` is when that was asked for, not when it happened.
  private var endedAt: Timestamp {
    now.endedAt ?? (now.isEnding ? nil : now.canceledAt) ?? notice.at
  }

  private var endReason: EndReason {
    if now.status == "incomplete_expired" { return .neverStarted }
    return now.cancellationReason == "payment_failed" ? .paymentFailed : .cancelled
  }

  func stateCancellation(in facts: inout FactCollector) {
    guard !isOver else { return }
    if now.isEnding {
      guard let instant = now.endInstant else {
        facts.note("an end is planned for an instant that is not shown")
        return
      }
      let schedule = CancellationSchedule(
        effectiveAt: instant, requestedAt: now.canceledAt, reason: now.cancellationReason)
      facts.state(.cancellationScheduled(schedule), of: now.membership)
    } else if before?.isEnding == true {
      facts.state(.cancellationWithdrawn(Withdrawal()), of: now.membership)
    }
  }

  // MARK: - Pauses

  private static let collectionPause = "collection"
  private static let subscriptionPause = "subscription"

  func statePauses(in facts: inout FactCollector) {
    if case .paused(let resumesAt) = now.collection {
      let pause = Pause(cause: Self.collectionPause, resumesAt: resumesAt)
      facts.state(.paused(pause), of: now.membership)
    } else if now.collection == .running, let before, before.collection != .running {
      facts.state(.resumed(Resumption(cause: Self.collectionPause)), of: now.membership)
    }
    if isPaused {
      facts.state(.paused(Pause(cause: Self.subscriptionPause)), of: now.membership)
    } else if before?.status == "paused" || notice.type == "customer.subscription.resumed" {
      facts.state(.resumed(Resumption(cause: Self.subscriptionPause)), of: now.membership)
    }
  }
}
