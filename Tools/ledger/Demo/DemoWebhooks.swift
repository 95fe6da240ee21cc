/// The webhooks of the tour, in the order in which things happened at Stripe.
enum DemoWebhooks {
  static let all = [
    subscribed, signedUp, trialOver, firstPayment, cancelled, kept, renewing, overdue, unpaid,
    secondPayment, secondPaymentLink, recovered, disputed, disputeWon, thirdPayment,
    thirdPaymentLink, refunded, deleted,
  ]

  private static let trial = DemoSubscription(
    status: "trialing", start: "01-05 10:00", end: "01-12 10:00")
  private static let january = DemoSubscription(
    start: "01-12 10:00", end: "02-12 10:00", invoice: "in_Demo01")
  private static let february = DemoSubscription(
    start: "02-12 10:00", end: "03-12 10:00", invoice: "in_Demo02")

  private static func updated(
    _ name: String, number: Int, at time: String, _ subscription: DemoSubscription,
    previous: String
  ) -> DemoWebhook {
    DemoWebhook(
      name, number: number, "customer.subscription.updated", created: time, subscription.json,
      previous: previous)
  }

  // MARK: - A trial

  static let subscribed = DemoWebhook(
    "subscribed", number: 1, "customer.subscription.created", created: "01-05 10:00", trial.json)
  static let signedUp = DemoWebhook(
    "signed-up", number: 2, "checkout.session.completed", created: "01-05 10:00:02",
    DemoCheckout.json)

  // MARK: - The first month

  static let trialOver = updated(
    "trial-over", number: 3, at: "01-12 10:00", january,
    previous: """
      {"items":{"data":[{"id":"si_Demo42","current_period_end":\(DemoTime.seconds("01-12 10:00")),\
      "current_period_start":\(DemoTime.seconds("01-05 10:00"))}]},"latest_invoice":null,\
      "status":"trialing"}
      """)
  static let firstInvoice = DemoInvoice(
    number: 1, start: "01-12 10:00", end: "02-12 10:00", paidAt: "01-12 11:00")
  static let firstPayment = DemoWebhook(
    "first-payment", number: 4, "invoice.paid", created: "01-12 11:00", firstInvoice.json)

  static let cancelled: DemoWebhook = {
    var ending = january
    ending.isEnding = true
    ending.canceledAt = "01-20 18:30"
    return updated(
      "cancelled", number: 5, at: "01-20 18:30", ending,
      previous: """
        {"cancel_at":null,"cancel_at_period_end":false,"canceled_at":null,\
        "cancellation_details":{"reason":null}}
        """)
  }()
  static let kept = updated(
    "kept", number: 6, at: "01-22 08:15", january,
    previous: """
      {"cancel_at":\(DemoTime.seconds("02-12 10:00")),"cancel_at_period_end":true,\
      "canceled_at":\(DemoTime.seconds("01-20 18:30")),\
      "cancellation_details":{"reason":"cancellation_requested"}}
      """)

  // MARK: - The second month

  static let renewing = updated(
    "renewing", number: 7, at: "02-12 10:00", february,
    previous: """
      {"items":{"data":[{"id":"si_Demo42","current_period_end":\(DemoTime.seconds("02-12 10:00")),\
      "current_period_start":\(DemoTime.seconds("01-12 10:00"))}]},"latest_invoice":"in_Demo01"}
      """)
  static let overdue = DemoWebhook(
    "overdue", number: 8, "invoice.payment_failed", created: "02-12 11:00",
    DemoInvoice(number: 2, status: "open", start: "02-12 10:00", end: "03-12 10:00").json)
  static let unpaid: DemoWebhook = {
    var late = february
    late.status = "past_due"
    return updated(
      "unpaid", number: 9, at: "02-12 11:00:01", late, previous: #"{"status":"active"}"#)
  }()
  static let secondInvoice = DemoInvoice(
    number: 2, start: "02-12 10:00", end: "03-12 10:00", attempts: 2, paidAt: "02-16 09:00")
  static let secondPayment = DemoWebhook(
    "second-payment", number: 10, "invoice.paid", created: "02-16 09:00", secondInvoice.json)
  static let secondPaymentLink = DemoWebhook(
    "second-link", number: 11, "invoice_payment.paid", created: "02-16 09:00",
    secondInvoice.payment(at: "02-16 09:00"))
  static let recovered = updated(
    "recovered", number: 12, at: "02-16 09:00:01", february, previous: #"{"status":"past_due"}"#)

  // MARK: - A dispute

  static let disputed = DemoWebhook(
    "disputed", number: 13, "charge.dispute.created", created: "02-20 14:00",
    secondInvoice.dispute(status: "needs_response", at: "02-20 14:00"))
  static let disputeWon = DemoWebhook(
    "dispute-won", number: 14, "charge.dispute.closed", created: "03-02 16:00",
    secondInvoice.dispute(status: "won", at: "02-20 14:00"))

  // MARK: - The end

  static let thirdInvoice = DemoInvoice(
    number: 3, start: "03-12 10:00", end: "04-12 10:00", paidAt: "03-12 11:00")
  static let thirdPayment = DemoWebhook(
    "third-payment", number: 15, "invoice.paid", created: "03-12 11:00", thirdInvoice.json)
  static let thirdPaymentLink = DemoWebhook(
    "third-link", number: 16, "invoice_payment.paid", created: "03-12 11:00",
    thirdInvoice.payment(at: "03-12 11:00"))
  static let refunded = DemoWebhook(
    "refunded", number: 17, "charge.refunded", created: "03-20 15:00",
    thirdInvoice.charge(refunded: 999, at: "03-12 11:00"))
  static let deleted = DemoWebhook(
    "deleted", number: 18, "customer.subscription.deleted", created: "03-20 15:05",
    DemoSubscription(
      status: "canceled", start: "03-12 10:00", end: "04-12 10:00", canceledAt: "03-20 15:05",
      endedAt: "03-20 15:05", invoice: "in_Demo03"
    ).json)
}
