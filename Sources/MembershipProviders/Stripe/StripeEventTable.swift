import MembershipModel

/// How events of one type are read.
struct StripeEventKind: Sendable {
  typealias Read = @Sendable (StripeNotice, inout FactCollector) -> Void

  let types: [String]
  /// The kind of object that the event shows.
  let object: String
  /// The names of the facts that it can state, besides `accountLinked` and `noted`.
  let facts: [String]
  let read: Read

  init(
    _ types: [String], about object: String, states facts: [String], read: @escaping Read
  ) {
    self.types = types
    self.object = object
    self.facts = facts
    self.read = read
  }
}

/// How bare objects of one kind are read.
struct StripeObjectKind: Sendable {
  /// The latest instant that the object shows to have passed.
  let shownTime: @Sendable (DocumentObject) -> Timestamp?
  let read: StripeEventKind.Read
}

/// Every event type and every kind of bare object that is read; all other events are noted.
enum StripeEventTable {
  static let events: [String: StripeEventKind] = Dictionary(
    uniqueKeysWithValues: kinds.flatMap { kind in kind.types.map { ($0, kind) } })

  static let bareObjects: [String: StripeObjectKind] = [
    "subscription": StripeObjectKind(
      shownTime: StripeSubscription.shownTime, read: StripeSubscription.read),
    "invoice": StripeObjectKind(shownTime: StripeInvoice.shownTime, read: StripeInvoice.read),
    "checkout.session": StripeObjectKind(
      shownTime: StripeCheckout.shownTime, read: StripeCheckout.read),
  ]

  static let kinds: [StripeEventKind] =
    subscriptions + invoices + payments + checkouts + schedules + customers

  private static let subscriptions = [
    StripeEventKind(
      [
        "customer.subscription.created", "customer.subscription.updated",
        "customer.subscription.deleted", "customer.subscription.paused",
        "customer.subscription.resumed", "customer.subscription.pending_update_applied",
        "customer.subscription.pending_update_expired",
      ],
      about: "subscription",
      states: [
        "observed", "purchased", "renewed", "cancellationScheduled", "cancellationWithdrawn",
        "paused", "resumed", "paymentFailed", "ended", "planChanged", "planChangeScheduled",
        "planChangeWithdrawn",
      ],
      read: StripeSubscription.read),
    // It comes in the same second as the change that it announces, and must not compete with it.
    StripeEventKind(
      ["customer.subscription.trial_will_end"], about: "subscription", states: [],
      read: { _, _ in }),
  ]

  private static let invoices = [
    StripeEventKind(
      [
        "invoice.created", "invoice.deleted", "invoice.finalization_failed", "invoice.finalized",
        "invoice.marked_uncollectible", "invoice.overpaid", "invoice.paid",
        "invoice.payment_attempt_required", "invoice.payment_succeeded", "invoice.sent",
        "invoice.updated", "invoice.voided", "invoice.will_be_due",
      ],
      about: "invoice", states: ["invoiced", "purchased", "renewed"], read: StripeInvoice.read),
    StripeEventKind(
      ["invoice.overdue", "invoice.payment_action_required", "invoice.payment_failed"],
      about: "invoice", states: ["invoiced", "paymentFailed", "purchased", "renewed"],
      read: StripeInvoice.read),
    StripeEventKind(
      ["invoice.upcoming"], about: "invoice", states: [],
      read: { _, facts in facts.note("an upcoming invoice is a forecast") }),
    StripeEventKind(
      ["invoice_payment.paid"], about: "invoice_payment", states: ["paymentLinked"],
      read: StripePayment.readInvoicePayment),
  ]

  private static let payments = [
    StripeEventKind(
      ["charge.captured", "charge.succeeded", "charge.updated"], about: "charge",
      states: ["paymentLinked"], read: StripePayment.readCharge),
    StripeEventKind(
      ["payment_intent.succeeded"], about: "payment_intent", states: ["paymentLinked"],
      read: StripePayment.readPaymentIntent),
    StripeEventKind(
      ["charge.refunded"], about: "charge", states: ["refunded"],
      read: StripeRefund.readCharge),
    StripeEventKind(
      ["charge.refund.updated", "refund.created", "refund.failed", "refund.updated"],
      about: "refund", states: ["refunded", "refundReversed"], read: StripeRefund.read),
    StripeEventKind(
      [
        "charge.dispute.closed", "charge.dispute.created", "charge.dispute.funds_reinstated",
        "charge.dispute.funds_withdrawn", "charge.dispute.updated",
      ],
      about: "dispute", states: ["disputeOpened", "disputeClosed"], read: StripeDispute.read),
    StripeEventKind(
      ["radar.early_fraud_warning.created"], about: "radar.early_fraud_warning",
      states: ["holdPlaced"], read: StripeDispute.readFraudWarning),
  ]

  private static let checkouts = [
    StripeEventKind(
      ["checkout.session.async_payment_succeeded", "checkout.session.completed"],
      about: "checkout.session", states: ["checkoutClosed", "purchased"],
      read: StripeCheckout.read),
    StripeEventKind(
      ["checkout.session.async_payment_failed", "checkout.session.expired"],
      about: "checkout.session", states: ["checkoutClosed"], read: StripeCheckout.read),
  ]

  private static let schedules = [
    StripeEventKind(
      ["subscription_schedule.created", "subscription_schedule.updated"],
      about: "subscription_schedule",
      states: [
        "planChangeScheduled", "planChangeWithdrawn", "cancellationScheduled",
        "cancellationWithdrawn",
      ], read: StripeSchedule.read),
    StripeEventKind(
      ["subscription_schedule.canceled", "subscription_schedule.released"],
      about: "subscription_schedule", states: ["planChangeWithdrawn", "cancellationWithdrawn"],
      read: StripeSchedule.read),
    StripeEventKind(
      ["subscription_schedule.aborted"], about: "subscription_schedule",
      states: ["planChangeWithdrawn", "cancellationWithdrawn", "ended"],
      read: StripeSchedule.read),
    StripeEventKind(
      ["subscription_schedule.completed", "subscription_schedule.expiring"],
      about: "subscription_schedule", states: [], read: { _, _ in }),
  ]

  private static let customers = [
    StripeEventKind(
      ["customer.created", "customer.updated"], about: "customer", states: [],
      read: { _, _ in }),
    StripeEventKind(
      ["customer.deleted"], about: "customer", states: ["ended"],
      read: StripeCustomer.readDeletion),
    StripeEventKind(
      ["entitlements.active_entitlement_summary.updated"],
      about: "entitlements.active_entitlement_summary", states: ["claimed"],
      read: StripeCustomer.readEntitlements),
  ]
}
