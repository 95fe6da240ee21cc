import MembershipModel

/// An invoice as one document shows it, the same for both payload generations.
struct StripeInvoice {
  let id: ReferenceID
  let state: InvoiceState
  /// Stripe's own word.
  let status: String
  let isFirst: Bool
  /// The subscription that it bills, where it bills one.
  let membership: MembershipID?
  let lines: [StripeInvoiceLine]
  /// The invoice and the payments of it.
  let references: [ReferenceID]

  init?(_ object: DocumentObject) {
    guard let id: ReferenceID = object.identifier("id") else { return nil }
    self.id = id
    status = object.text("status") ?? ""
    state = Self.state(of: object, status)
    let isFirst = object.text("billing_reason") == "subscription_create"
    self.isFirst = isFirst
    // Since 2025-03-31.basil the subscription is the parent's; before, it was the invoice's.
    let parent = object.expanded("parent")
    membership =
      parent?.text("type") == "subscription_details"
      ? parent?.expanded("subscription_details")?.identifier("subscription")
      : object.identifier("subscription")
    lines = object.list("lines").map { StripeInvoiceLine($0, isFirst: isFirst) }
    let payments = object.list("payments").compactMap { $0.expanded("payment") }
    var references = object.references("id", "payment_intent", "charge")
    for reference in payments.flatMap({ $0.references("payment_intent", "charge") })
    where !references.contains(reference) {
      references.append(reference)
    }
    self.references = references
    if object.expanded("lines")?.flag("has_more") == true {
      object.faults.note("the invoice has more lines than are shown")
    }
  }

  private static func state(of object: DocumentObject, _ status: String) -> InvoiceState {
    switch status {
    case "draft": .draft
    case "open": .open
    case "paid": .paid
    case "uncollectible": .uncollectible
    case "void", "deleted": .void
    // Invoices had no status before 2018-11-08.
    case "": object.flag("paid") == true ? .paid : .unrecognized(0)
    default: .unrecognized(0)
    }
  }

  /// The memberships billed: the invoice's own, and those that lines name instead.
  var memberships: [MembershipID] {
    var memberships = membership.map { [$0] } ?? []
    for line in lines where line.isSubscription {
      if let named = line.membership, !memberships.contains(named) { memberships.append(named) }
    }
    return memberships
  }

  func lines(of membership: MembershipID) -> [StripeInvoiceLine] {
    lines.filter { $0.isSubscription && ($0.membership ?? self.membership) == membership }
  }

  static func trackedFields(of object: DocumentObject) -> [String] {
    guard let invoice = StripeInvoice(object) else { return [] }
    return [invoice.status] + object.rendered("amount_due", "amount_paid")
      + invoice.lines.map { line in
        "\(line.name) \(line.offer.plan) \(line.net ?? 0) \(line.period?.end.description ?? "")"
      }
  }

  static let shownTime: @Sendable (DocumentObject) -> Timestamp? = { object in
    let transitions = object.expanded("status_transitions")
    let keys = ["finalized_at", "marked_uncollectible_at", "paid_at", "voided_at"]
    return ([object.instant("created")] + keys.map { transitions?.instant($0) })
      .compactMap { $0 }.max()
  }
}

/// One line of an invoice.
struct StripeInvoiceLine {
  /// Whether it bills a subscription and not something beside it.
  let isSubscription: Bool
  /// Whether it settles a change within a period; nil where that cannot be read.
  let isProration: Bool?
  let membership: MembershipID?
  /// The subscription item; empty where a very old document does not name it.
  let item: String
  /// The subscription item, else the line itself.
  let name: String
  let offer: Offer
  let quantity: Int64
  let period: Period?
  let currency: String?
  /// The amount after discounts; nil where it is not shown or makes no sense.
  let net: Int64?
  let isDiscounted: Bool
  let isTrial: Bool

  /// What it comes to after discounts.
  var amount: Money? {
    guard let net, let currency else { return nil }
    return Money(minorUnits: net, currency: currency)
  }

  /// Reads a line of the first invoice of a subscription, or of a later one.
  ///
  /// Before the first invoice there is nothing to change: a part of a period that it bills, up to a
  /// fixed day of billing, is the period bought, although it is called a proration.
  init(_ object: DocumentObject, isFirst: Bool) {
    // Since 2025-03-31.basil what a line bills is its parent's; before, it was the line's own.
    let parent = object.expanded("parent")
    let details =
      switch parent?.text("type") {
      case "subscription_item_details": parent?.expanded("subscription_item_details")
      case "invoice_item_details": parent?.expanded("invoice_item_details")
      default: Optional(object)
      }
    isSubscription =
      (parent?.text("type") ?? object.text("type")).map {
        $0 == "subscription_item_details" || $0 == "subscription"
      } ?? false
    isProration =
      isFirst || details?.given("proration") == nil ? false : details?.flag("proration")
    membership = details?.identifier("subscription")
    item = details?.id("subscription_item") ?? ""
    name = item.isEmpty ? object.text("id") ?? "" : item
    offer = object.offer
    quantity = object.quantity
    period = object.expanded("period")?.period(from: "start", to: "end")
    let gross = object.money("amount")
    currency = gross?.currency
    var net = gross?.minorUnits
    for discount in object.list("discount_amounts") {
      guard let amount = net, let part = discount.integer("amount") else { continue }
      let (difference, overflows) = amount.subtractingReportingOverflow(part)
      net = overflows ? nil : difference
    }
    self.net = net
    isDiscounted = net != gross?.minorUnits
    // Since basil a trial's line shows a unit price of zero; only its words tell it apart. A plan
    // priced in tiers shows no unit price at all; old ones say how long they are tried at first.
    let isNamedTrial = object.value["description"]?.string?.hasPrefix("Trial period") == true
    let days = object.expanded("plan")?.integer("trial_period_days") ?? 0
    let isTriedAtFirst = isFirst && object.isPriced == nil && days > 0
    isTrial =
      net == 0 && !isDiscounted && (object.isPriced == true || isNamedTrial || isTriedAtFirst)
  }
}
