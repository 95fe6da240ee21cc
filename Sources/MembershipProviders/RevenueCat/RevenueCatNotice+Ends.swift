import MembershipModel

extension RevenueCatNotice {
  /// The cause of a pause by the customer; a store pauses for no other.
  static let pauseCause = "subscription"

  /// States what a cancellation is: a planned end, money given back, or a gift taken back.
  func stateCancellation(in facts: inout FactCollector) {
    let reason = object.text("cancel_reason") ?? ""
    switch reason {
    case "CUSTOMER_SUPPORT":
      stateRefund(of: amount, in: &facts)
    case "BILLING_ERROR":
      facts.note("a failed payment ends nothing by itself: BILLING_ISSUE tells of its grace")
    case _ where store.isPromotional:
      state(.ended(End(at: min(expiresAt ?? writtenAt, writtenAt), reason: .cancelled)), in: &facts)
    default:
      guard let expiresAt else {
        facts.note("the event does not say when the cancellation takes effect")
        return
      }
      state(
        .cancellationScheduled(CancellationSchedule(effectiveAt: expiresAt, reason: reason)),
        in: &facts)
    }
  }

  /// States the end; a refund may be undone and ends its transaction alone, and a pause no more than
  /// rests.
  func stateExpiration(in facts: inout FactCollector) {
    let reason = object.text("expiration_reason") ?? ""
    switch reason {
    case "CUSTOMER_SUPPORT":
      stateRefund(of: nil, in: &facts)
    case "SUBSCRIPTION_PAUSED":
      statePause(in: &facts)
    default:
      let end = End(at: expiresAt ?? writtenAt, reason: Self.endReason(reason))
      state(.ended(end), in: &facts)
    }
  }

  private static func endReason(_ reason: String) -> EndReason {
    switch reason {
    case "UNSUBSCRIBE", "DEVELOPER_INITIATED", "PRICE_INCREASE": .cancelled
    case "BILLING_ERROR": .paymentFailed
    default: .expired
    }
  }

  /// States a pause from the end of the paid period on.
  func statePause(in facts: inout FactCollector) {
    let pause = Pause(
      cause: Self.pauseCause, at: expiresAt ?? writtenAt,
      resumesAt: object.milliseconds("auto_resume_at_ms"))
    state(.paused(pause), in: &facts)
  }

  /// States a refund: it takes access back where RevenueCat let the period end with it.
  ///
  /// An amount of nothing is one that is not told.
  private func stateRefund(of amount: Money?, in facts: inout FactCollector) {
    guard let membership, let transaction else {
      facts.note("the event names no transaction")
      return
    }
    let at = min(expiresAt ?? writtenAt, writtenAt)
    let given = Money(
      minorUnits: Int64(clamping: amount?.minorUnits.magnitude ?? 0),
      currency: amount?.currency ?? "XXX")
    let isOver = expiresAt.map { $0 <= writtenAt } ?? true
    facts.state(
      .refunded(
        Refund(amount: given, revokes: isOver ? true : nil, at: at, transaction: transaction)),
      of: membership, references: references)
  }

  func stateRefundReversal(in facts: inout FactCollector) {
    guard let membership, let transaction else {
      facts.note("the event names no transaction")
      return
    }
    facts.state(
      .refundReversed(RefundReversal(transaction: transaction)), of: membership,
      references: references)
  }

  /// States the period that is not paid: the one after the last that is.
  func stateBillingIssue(in facts: inout FactCollector) {
    guard let expiresAt else {
      facts.note("the event does not say which period is not paid")
      return
    }
    let grace = object.milliseconds("grace_period_expiration_at_ms")
    let period = Period(start: expiresAt, end: max(grace ?? expiresAt, expiresAt))
    state(.paymentFailed(PaymentFailure(period: period, graceUntil: grace)), in: &facts)
  }
}
