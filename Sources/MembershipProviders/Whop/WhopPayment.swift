import MembershipModel

/// A payment, which Whop's apps call a receipt, as one document shows it.
struct WhopPayment {
  let id: ReferenceID
  let membership: MembershipID?
  let status: String
  let reason: String
  let paidAt: Timestamp?

  init?(_ object: DocumentObject) {
    guard let id: ReferenceID = object.identifier("id") else { return nil }
    self.id = id
    membership = object.whopMembership
    status = object.text("status") ?? ""
    reason = object.text("billing_reason") ?? ""
    paidAt = object.moment("paid_at")
  }

  static let read: WhopEventKind.Read = { notice, facts in
    guard let payment = WhopPayment(notice.object) else {
      facts.note("the payment has no usable id")
      return
    }
    guard payment.membership != nil else {
      facts.note("the payment names no membership")
      return
    }
    payment.stateReceipt(notice, in: &facts)
    payment.statePurchase(notice, in: &facts)
    payment.stateFailure(notice, in: &facts)
    payment.stateRefunds(notice.object, in: &facts)
  }

  /// Whether the money has come: the event's name says it, else the payment's status.
  private func isPaid(_ notice: WhopNotice) -> Bool {
    notice.type == "payment.succeeded" || (notice.type == "payment" && status == "paid")
  }

  private func stateReceipt(_ notice: WhopNotice, in facts: inout FactCollector) {
    let state: InvoiceState =
      switch status {
      case _ where isPaid(notice): .paid
      case "draft": .draft
      case "open", "pending", "unresolved": .open
      case "paid": .paid
      case "uncollectible": .uncollectible
      case "void": .void
      default: .unrecognized(0)
      }
    if state == .unrecognized(0) { facts.note("the payment's status \"\(status)\" is not known") }
    facts.state(.invoiced(Invoice(id: id, state: state)), of: membership, references: [id])
  }

  /// What was paid for has no dates here: it is the period that the membership is in at the time,
  /// or, where it has run out by then, one more of the same length.
  private func statePurchase(_ notice: WhopNotice, in facts: inout FactCollector) {
    guard isPaid(notice), let id: TransactionID = notice.object.identifier("id") else { return }
    let amount = notice.object.whopMoney("total", "final_amount", "subtotal")
    let transaction = Transaction(
      id: id, offer: notice.object.whopOffer, kind: amount?.minorUnits == 0 ? .free : .paid,
      amount: amount, isUndated: true)
    switch reason {
    case "subscription_create", "one_time":
      facts.state(.purchased(transaction), of: membership, references: [self.id])
    case "subscription_cycle", "subscription", "subscription_update", "manual":
      facts.state(.renewed(transaction), of: membership, references: [self.id])
    default:
      // The older generations do not say why: what is sold once says so in its plan.
      let isOnce = notice.object.expanded("plan")?.text("plan_type") == "one_time"
      facts.state(
        isOnce ? .purchased(transaction) : .renewed(transaction), of: membership,
        references: [self.id])
      if !reason.isEmpty { facts.note("the billing reason \"\(reason)\" is not known") }
    }
    stateRecovery(notice, in: &facts)
  }

  /// A payment that shows its membership well again ends what was past due.
  private func stateRecovery(_ notice: WhopNotice, in facts: inout FactCollector) {
    guard let status = notice.object.expanded("membership")?.text("status"),
      ["active", "canceling", "completed"].contains(status)
    else { return }
    facts.state(
      .observed(Observation(status: status, standing: .active, at: notice.at)), of: membership)
  }

  /// Each attempt that fails is told; all attempts of one payment are about one period.
  private func stateFailure(_ notice: WhopNotice, in facts: inout FactCollector) {
    guard notice.type == "payment.failed" else { return }
    let start = notice.object.moment("created_at") ?? notice.at
    let failure = PaymentFailure(
      period: Period(start: start, end: start),
      graceUntil: notice.keepsPastDue ? start.adding(WhopSnapshot.retries) : nil,
      failedAt: notice.at)
    facts.state(.paymentFailed(failure), of: membership)
  }

  /// How much was given back in all, where the payment shows it.
  private func stateRefunds(_ object: DocumentObject, in facts: inout FactCollector) {
    guard let amount = object.whopMoney("refunded_amount"), amount.minorUnits > 0 else { return }
    let refund = Refund(
      amount: amount, paid: object.whopMoney("total", "final_amount"),
      at: object.moment("refunded_at"))
    facts.state(.refunded(refund), of: membership, references: [id])
  }

  static let shownTime: @Sendable (DocumentObject) -> Timestamp? = { object in
    ["created_at", "paid_at", "refunded_at", "updated_at", "last_payment_attempt"]
      .compactMap(object.moment).max()
  }
}
