import MembershipModel

/// A schedule of what a subscription changes to, phase by phase.
struct StripeSchedule {
  private let membership: MembershipID
  private let status: String
  private let current: Phase?
  private let phases: [Phase]
  /// Whether the subscription ends with the last phase.
  private let isEnding: Bool

  /// What a planned end by a schedule is told by; the subscription's own is withdrawn for itself.
  private static let cause = "schedule"

  private struct Phase {
    let start: Timestamp
    let end: Timestamp?
    let items: [StripeSubscriptionItem]

    init?(_ object: DocumentObject) {
      guard let start = object.instant("start_date") else { return nil }
      self.start = start
      end = object.instant("end_date")
      items = object.list("items").map { StripeSubscriptionItem($0, period: nil) }
    }

    func has(_ item: StripeSubscriptionItem) -> Bool {
      items.contains { $0.offer == item.offer && $0.quantity == item.quantity }
    }
  }

  /// The schedule; nil where no subscription belongs to it.
  private init?(_ object: DocumentObject, at now: Timestamp) {
    guard
      let membership: MembershipID = object.identifier("subscription")
        ?? object.identifier("released_subscription")
    else { return nil }
    self.membership = membership
    status = object.text("status") ?? ""
    phases = object.list("phases").compactMap(Phase.init)
    isEnding = object.text("end_behavior") == "cancel"
    let started = object.expanded("current_phase")?.instant("start_date") ?? now
    current = phases.last { $0.start <= started }
  }

  static let read: StripeEventKind.Read = { notice, facts in
    guard let schedule = StripeSchedule(notice.object, at: notice.at) else {
      facts.note("the schedule has no subscription yet")
      return
    }
    let before = notice.previous.flatMap { StripeSchedule($0, at: notice.at) }
    switch notice.type {
    case "subscription_schedule.aborted":
      let end = End(at: notice.object.instant("canceled_at") ?? notice.at, reason: .paymentFailed)
      schedule.stateWithdrawal(before: before, in: &facts)
      facts.state(.ended(end), of: schedule.membership)
    case "subscription_schedule.canceled", "subscription_schedule.released":
      schedule.stateWithdrawal(before: before, in: &facts)
    default:
      schedule.statePlan(before: before, in: &facts)
    }
  }

  static func trackedFields(of object: DocumentObject) -> [String] {
    object.rendered("status", "end_behavior")
      + object.list("phases").map { phase in
        (phase.rendered("start_date", "end_date")
          + phase.list("items").map { "\($0.offer.plan) \($0.quantity)" }).joined(separator: " ")
      }
  }

  /// Whatever was planned is not to happen any more.
  private func stateWithdrawal(before: StripeSchedule?, in facts: inout FactCollector) {
    facts.state(.planChangeWithdrawn(Withdrawal()), of: membership)
    if isEnding || before?.isEnding == true { stateNoEnd(in: &facts) }
  }

  private func stateNoEnd(in facts: inout FactCollector) {
    facts.state(.cancellationWithdrawn(Withdrawal(cause: Self.cause)), of: membership)
  }

  /// The end of the last phase, where the subscription ends with it.
  private func stateEnd(before: StripeSchedule?, in facts: inout FactCollector) {
    guard isEnding else {
      if before?.isEnding == true { stateNoEnd(in: &facts) }
      return
    }
    guard let last = phases.max(by: { $0.start < $1.start })?.end else {
      facts.note("an end is planned for an instant that is not shown")
      return
    }
    let schedule = CancellationSchedule(effectiveAt: last, cause: Self.cause)
    facts.state(.cancellationScheduled(schedule), of: membership)
  }

  private func statePlan(before: StripeSchedule?, in facts: inout FactCollector) {
    switch status {
    case "active", "not_started":
      let changes = plannedChanges
      for change in changes { facts.state(.planChangeScheduled(change), of: membership) }
      if changes.isEmpty, before?.plannedChanges.isEmpty == false {
        facts.state(.planChangeWithdrawn(Withdrawal()), of: membership)
      }
      stateEnd(before: before, in: &facts)
    case "released", "canceled":
      stateWithdrawal(before: before, in: &facts)
    case "completed":
      break
    default:
      facts.note("the schedule's status \"\(status)\" is not known")
    }
  }

  /// What the next phase has that the present one has not, item against item in their order.
  private var plannedChanges: [PlanChange] {
    guard let current, let next = phases.first(where: { $0.start > current.start }) else {
      return []
    }
    let dropped = current.items.filter { !next.has($0) }
    let added = next.items.filter { !current.has($0) }
    return (0..<max(dropped.count, added.count)).map { index in
      let from = index < dropped.count ? dropped[index] : nil
      let to = index < added.count ? added[index] : nil
      return PlanChange(
        at: next.start, from: from?.offer, to: to?.offer, quantity: to?.quantity ?? 0)
    }
  }
}
