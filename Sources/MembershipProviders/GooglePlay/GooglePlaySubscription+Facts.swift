import MembershipModel

extension GooglePlaySubscription {
  func state(in facts: inout FactCollector) {
    stateStanding(in: &facts)
    guard let state else {
      facts.note("the state \"\(status)\" is not known")
      return
    }
    if state.evidence != .none { statePurchases(state.evidence, in: &facts) }
    switch status {
    case "SUBSCRIPTION_STATE_ACTIVE":
      stateSilentGrace(in: &facts)
      statePlannedChanges(in: &facts)
    case "SUBSCRIPTION_STATE_IN_GRACE_PERIOD":
      stateGrace(in: &facts)
      statePlannedChanges(in: &facts)
    case "SUBSCRIPTION_STATE_CANCELED": stateCancellation(in: &facts)
    case "SUBSCRIPTION_STATE_ON_HOLD": stateHold(in: &facts)
    case "SUBSCRIPTION_STATE_PAUSED": statePause(in: &facts)
    case "SUBSCRIPTION_STATE_EXPIRED": stateEnd(in: &facts)
    case "SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED":
      facts.state(.ended(End(at: notice.at, reason: .neverStarted)), of: notice.membership)
    default: break
    }
    // A purchase that is not made takes nobody's place.
    if state.evidence != .none { stateReplacement(in: &facts) }
  }

  private static let accountHold = "account hold"
  private static let pause = "subscription"

  private func stateStanding(in facts: inout FactCollector) {
    var over: [String] = []
    if state != nil {
      if status != "SUBSCRIPTION_STATE_PAUSED" { over.append(Self.pause) }
      if status != "SUBSCRIPTION_STATE_ON_HOLD" { over.append(Self.accountHold) }
    }
    let isTrial = status == "SUBSCRIPTION_STATE_ACTIVE" && items.contains { $0.kind == .trial }
    if items.contains(where: \.isEndingLater) {
      facts.note("an end is planned after the payments still owed, at an instant not shown")
    }
    let observation = Observation(
      status: status, standing: isTrial ? .trialing : state?.standing ?? .unrecognized(0),
      isRenewing: isRenewing && !items.contains(where: \.isEndingLater), unpausedCauses: over,
      acknowledgeBy: acknowledgeBy)
    facts.state(.observed(observation), of: notice.membership)
  }

  // MARK: - Trouble with payment

  /// Hours for which the store goes on after the end of a period that is not paid, and says so only
  /// by calling the subscription active: at least the first, never more than the second.
  private static let silentHours: [Int64] = [24, 48]

  private func stateSilentGrace(in facts: inout FactCollector) {
    guard isRenewing, let expiresAt, expiresAt <= notice.at else { return }
    let ends = Self.silentHours.map { expiresAt.adding(milliseconds: $0 * 3_600_000) }
    guard let end = ends.first(where: { $0 > notice.at }) else {
      facts.note("it is called active long after its end at \(expiresAt)")
      return
    }
    stateFailure(from: expiresAt, graceUntil: end, in: &facts)
  }

  /// In a grace period the expiry is its end; when it began, the notification of it says best.
  private func stateGrace(in facts: inout FactCollector) {
    guard let expiresAt else { return }
    stateFailure(from: min(graceStart, expiresAt), graceUntil: expiresAt, in: &facts)
  }

  private var graceStart: Timestamp { notice.triggered(by: 6) ?? notice.at }

  private func stateHold(in facts: inout FactCollector) {
    let end = min(expiresAt ?? notice.at, notice.at)
    let heldFrom = max(notice.triggered(by: 5) ?? end, end)
    stateFailure(from: end, graceUntil: heldFrom > end ? heldFrom : nil, in: &facts)
    facts.state(.holdPlaced(Hold(cause: Self.accountHold, at: heldFrom)), of: notice.membership)
  }

  private func stateFailure(
    from start: Timestamp, graceUntil: Timestamp?, in facts: inout FactCollector
  ) {
    let failure = PaymentFailure(
      period: Period(start: start, end: max(start, graceUntil ?? start)), graceUntil: graceUntil,
      failedAt: start)
    facts.state(.paymentFailed(failure), of: notice.membership)
  }

  // MARK: - Stopping

  private func stateCancellation(in facts: inout FactCollector) {
    guard let expiresAt else {
      facts.note("an end is planned for an instant that is not shown")
      return
    }
    let asked = cancellation?.object("userInitiatedCancellation")?.time("cancelTime")
    let schedule = CancellationSchedule(
      effectiveAt: expiresAt, requestedAt: asked, reason: cancellationReason)
    facts.state(.cancellationScheduled(schedule), of: notice.membership)
  }

  private var cancellation: DocumentObject? { notice.object.object("canceledStateContext") }

  private static let cancellationReasons: [(field: String, reason: String, end: EndReason)] = [
    ("userInitiatedCancellation", "by the user", .cancelled),
    ("systemInitiatedCancellation", "by the store", .paymentFailed),
    ("developerInitiatedCancellation", "by the developer", .cancelled),
    ("replacementCancellation", "replaced", .replaced),
  ]

  private var givenCancellation: (field: String, reason: String, end: EndReason)? {
    Self.cancellationReasons.first { cancellation?.given($0.field) != nil }
  }

  private var cancellationReason: String { givenCancellation?.reason ?? "" }

  private func statePause(in facts: inout FactCollector) {
    let pause = Pause(
      cause: Self.pause, at: min(expiresAt ?? notice.at, notice.at),
      resumesAt: notice.object.object("pausedStateContext")?.time("autoResumeTime"))
    facts.state(.paused(pause), of: notice.membership)
  }

  /// The store calls what it took back expired; that it was taken back, the notification tells.
  private func stateEnd(in facts: inout FactCollector) {
    let end = min(expiresAt ?? notice.at, notice.at)
    if notice.triggered(by: 12) != nil {
      let revocation = AccessRevocation(at: end, reason: "revoked at the store")
      facts.state(.accessRevoked(revocation), of: notice.membership)
    } else {
      let reason = givenCancellation?.end ?? .expired
      facts.state(.ended(End(at: end, reason: reason)), of: notice.membership)
    }
  }

  /// The purchase with the former token is over from the start of this one, whatever it says.
  private func stateReplacement(in facts: inout FactCollector) {
    guard let formerToken, formerToken != notice.token,
      let former: MembershipID = DocumentObject.identifier(formerToken, facts.faults)
    else { return }
    let end = End(at: startsAt ?? notice.at, reason: .replaced)
    facts.state(.ended(end), of: former)
  }

  // MARK: - Changing

  private func statePlannedChanges(in facts: inout FactCollector) {
    for item in ownedItems {
      guard let at = item.expiresAt, item.replacement != nil || item.isRemoved else { continue }
      let next = item.replacement.map { product in
        items.first { $0.offer.product == product && $0.expiresAt == nil }?.offer
          ?? Offer(product: product)
      }
      let change = PlanChange(
        at: at, from: item.offer, to: next, item: line(of: item), quantity: next == nil ? 0 : 1)
      facts.state(.planChangeScheduled(change), of: notice.membership)
    }
  }

  /// The name of an item among several; what stands alone needs none.
  func line(of item: GooglePlayItem) -> String {
    ownedItems.count > 1 ? item.offer.product : ""
  }
}
