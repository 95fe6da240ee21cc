import MembershipModel

extension WhopMembership {
  /// Reads a snapshot of a membership, with what changed where the document says so.
  static let read: WhopEventKind.Read = { notice, facts in
    guard let now = WhopMembership(notice.object) else {
      facts.note("the membership has no usable id")
      return
    }
    let snapshot = WhopSnapshot(
      notice: notice, now: now, before: notice.previous.flatMap(WhopMembership.init))
    snapshot.stateStanding(in: &facts)
    snapshot.statePurchase(in: &facts)
    snapshot.stateFailure(in: &facts)
    snapshot.stateEnd(in: &facts)
    snapshot.stateCancellation(in: &facts)
    snapshot.statePause(in: &facts)
    snapshot.statePlanChange(in: &facts)
  }
}

/// A membership as a document shows it, beside what it was before where the document says so.
struct WhopSnapshot {
  let notice: WhopNotice
  let now: WhopMembership
  let before: WhopMembership?

  /// Whether it gives access: the event's name says it, else the older generations' word, else the
  /// status; examples of Whop's own show good statuses under the name of an end.
  private var isValid: Bool {
    switch notice.type {
    case "membership.activated", "membership.went_valid": true
    case "membership.deactivated", "membership.went_invalid": false
    default: now.isValid ?? now.standing.isGoodAtWhop
    }
  }

  /// The standing that goes with both its status and its validity.
  private var standing: Standing {
    if isValid || !now.standing.isGoodAtWhop { return now.standing }
    return .ended
  }

  private var isOver: Bool { standing == .ended }

  func stateStanding(in facts: inout FactCollector) {
    let isPaused = now.isCollectionPaused
    let observation = Observation(
      status: now.status, standing: standing, at: isOver ? endedAt : nil,
      isRenewing: !isOver && !now.isEnding && now.period != nil,
      unpausedCauses: isPaused == false ? [Self.collectionPause] : [],
      items: isOver ? [] : now.observedItems)
    facts.state(.observed(observation), of: now.id)
    if now.standing == .unrecognized(0) { facts.note("the status \"\(now.status)\" is not known") }
  }

  // MARK: - What it gives

  /// What it gives rests on its standing: its payments do not show the period that they are for.
  func statePurchase(in facts: inout FactCollector) {
    guard isValid, now.standing.isGoodAtWhop else { return }
    guard now.quantity > 0 else {
      facts.note("a quantity of \(now.quantity) gives nothing")
      return
    }
    guard let period = now.period, now.status != "completed" else {
      return stateBoughtOnce(in: &facts)
    }
    let isTrial = now.status == "trialing"
    let kind = isTrial ? "trial" : "period"
    let seconds = period.start.milliseconds / 1000
    state(
      "\(kind)/\(seconds)", period, isTrial ? .trial : .paid, isFirst: isTrial || isActivation,
      in: &facts)
  }

  /// Only what is `completed` is had without an end where none is shown.
  private func stateBoughtOnce(in facts: inout FactCollector) {
    if let end = now.expiresAt {
      let period = Period(start: min(now.createdAt ?? notice.at, end), end: end)
      state("once", period, .oneTime, isFirst: true, in: &facts)
    } else if now.status == "completed" {
      state("once", nil, .oneTime, isFirst: true, in: &facts)
    } else {
      facts.note("the status \"\(now.status)\" without a period gives nothing")
    }
  }

  private var isActivation: Bool {
    notice.type == "membership.activated" || notice.type == "membership.went_valid"
  }

  private func state(
    _ name: String, _ period: Period?, _ kind: TransactionKind, isFirst: Bool,
    in facts: inout FactCollector
  ) {
    guard let id: TransactionID = try? Identifier("\(now.id.rawValue)/\(name)") else {
      facts.note("the membership's id is too long")
      return
    }
    let transaction = Transaction(
      id: id, offer: now.offer, period: period, kind: kind, quantity: now.quantity,
      isObserved: kind != .trial)
    facts.state(isFirst ? .purchased(transaction) : .renewed(transaction), of: now.id)
  }

  // MARK: - Past due

  /// For how long Whop tries to collect a payment that failed, before it ends the membership.
  static let retries = Duration.seconds(5 * 86_400)

  func stateFailure(in facts: inout FactCollector) {
    guard now.standing == .pastDue else { return }
    guard let unpaid = unpaidPeriod else {
      facts.note("a payment failed for a period that is not shown")
      return
    }
    let isKept = isInvalidByName ? false : now.isValid ?? notice.keepsPastDue
    let failure = PaymentFailure(
      period: unpaid, graceUntil: isKept ? unpaid.start.adding(Self.retries) : nil)
    facts.state(.paymentFailed(failure), of: now.id)
  }

  /// The period shown, or, where it has run out already, the one that follows it.
  private var unpaidPeriod: Period? {
    guard let period = now.period, period.end <= notice.at else { return now.period }
    let length = period.end.milliseconds - period.start.milliseconds
    return Period(start: period.end, end: period.end.adding(milliseconds: length))
  }

  // MARK: - Ends

  private var isInvalidByName: Bool {
    notice.type == "membership.deactivated" || notice.type == "membership.went_invalid"
  }

  /// An end is final for what recurs; what was bought once can be given back by the merchant, so
  /// that its standing alone says whether it is had.
  func stateEnd(in facts: inout FactCollector) {
    guard isOver, now.period != nil, isFinal else { return }
    let reason: EndReason = now.status == "expired" ? .expired : .cancelled
    facts.state(.ended(End(at: endedAt, reason: reason)), of: now.id)
  }

  /// A good status under the name of an end may be out of date: only that of a trial, or of one that
  /// was to end, cannot become valid again in the same period.
  private var isFinal: Bool {
    switch now.status {
    case "canceled", "expired", "trialing", "canceling": true
    default: false
    }
  }

  /// When it ended: by the plan for an end at the period's end, else when it was told.
  private var endedAt: Timestamp {
    let isPlanned = now.status == "expired" || now.isEnding
    guard isPlanned, let end = now.expiresAt ?? now.period?.end else {
      return notice.isTimeStated ? notice.at : now.canceledAt ?? notice.at
    }
    return notice.isTimeStated ? min(end, notice.at) : end
  }

  func stateCancellation(in facts: inout FactCollector) {
    guard !isOver else { return }
    if now.isEnding {
      guard let end = now.period?.end ?? now.expiresAt else {
        facts.note("an end is planned for an instant that is not shown")
        return
      }
      let schedule = CancellationSchedule(
        effectiveAt: end, requestedAt: now.canceledAt, reason: now.cancellationReason)
      facts.state(.cancellationScheduled(schedule), of: now.id)
    } else if before?.isEnding == true
      || notice.type == "membership.cancel_at_period_end_changed"
    {
      facts.state(.cancellationWithdrawn(Withdrawal()), of: now.id)
    }
  }

  // MARK: - Pauses and plans

  private static let collectionPause = "collection"

  /// While collection is paused, what was paid for is had until it runs out.
  func statePause(in facts: inout FactCollector) {
    guard let isPaused = now.isCollectionPaused, !isOver else { return }
    if isPaused {
      let pause = Pause(cause: Self.collectionPause, keepsPaidPeriod: true)
      facts.state(.paused(pause), of: now.id)
    } else if before?.isCollectionPaused == true {
      facts.state(.resumed(Resumption(cause: Self.collectionPause)), of: now.id)
    }
  }

  func statePlanChange(in facts: inout FactCollector) {
    guard let before, !isOver, now.offer != Offer(), before.offer != Offer() else { return }
    if before.offer == now.offer, before.quantity == now.quantity { return }
    let change = PlanChange(
      at: notice.at, from: before.offer, to: now.offer, quantity: now.quantity)
    facts.state(.planChanged(change), of: now.id)
  }
}

extension Standing {
  /// Whether Whop's own apps give access under it, the past due aside.
  fileprivate var isGoodAtWhop: Bool { self == .active || self == .trialing }
}

extension Timestamp {
  func adding(_ duration: Duration) -> Timestamp {
    adding(milliseconds: duration.components.seconds * 1000)
  }
}
