import MembershipModel

/// A subscription as one document shows it, the same for both payload generations.
struct StripeSubscription {
  let membership: MembershipID
  /// Stripe's own word.
  let status: String
  let items: [StripeSubscriptionItem]
  /// Whether there are no more items than those shown.
  private let showsAllItems: Bool
  let trial: Period?
  let cancelAt: Timestamp?
  /// Whether an end is planned, be its instant usable or not.
  let isEnding: Bool
  let canceledAt: Timestamp?
  let endedAt: Timestamp?
  /// Why it was cancelled, as Stripe's code.
  let cancellationReason: String
  let collection: Collection
  /// What waits for a payment before it takes effect.
  let pendingItems: [StripeSubscriptionItem]?
  /// When that lapses without the payment.
  let pendingExpiry: Timestamp?

  /// Whether payment is collected.
  enum Collection: Equatable {
    case running
    case paused(resumesAt: Timestamp?)
    /// The field is there and cannot be read: neither is said.
    case unclear
  }

  init?(_ object: DocumentObject) {
    guard let membership: MembershipID = object.identifier("id") else { return nil }
    self.membership = membership
    status = object.text("status") ?? ""
    items = StripeSubscriptionItem.items(of: object)
    showsAllItems = object.expanded("items")?.flag("has_more") != true
    trial = object.period(from: "trial_start", to: "trial_end")
    cancelAt = object.instant("cancel_at")
    isEnding = object.flag("cancel_at_period_end") == true || object.given("cancel_at") != nil
    canceledAt = object.instant("canceled_at")
    endedAt = object.instant("ended_at")
    cancellationReason = object.expanded("cancellation_details")?.text("reason") ?? ""
    if object.given("pause_collection") == nil {
      collection = .running
    } else if let pause = object.object("pause_collection") {
      collection = .paused(resumesAt: pause.instant("resumes_at"))
    } else {
      collection = .unclear
    }
    pendingExpiry = object.object("pending_update")?.instant("expires_at")
    pendingItems = object.object("pending_update").map { update in
      update.list("subscription_items").map { StripeSubscriptionItem($0, period: nil) }
    }
  }

  var standing: Standing {
    switch status {
    case "active": .active
    case "trialing": .trialing
    case "past_due": .pastDue
    case "unpaid": .unpaid
    case "incomplete": .incomplete
    case "paused": .paused
    case "canceled", "incomplete_expired": .ended
    default: .unrecognized(0)
    }
  }

  /// All that the subscription consists of; nothing where some of it cannot be told.
  var observedItems: [ObservedItem] {
    guard showsAllItems, items.allSatisfy({ $0.offer != Offer() }) else { return [] }
    return items.map {
      ObservedItem(item: $0.id, offer: $0.offer, quantity: $0.isQuantityGiven ? $0.quantity : nil)
    }
  }

  /// When a planned end takes effect; with items of several intervals, at the earliest.
  var endInstant: Timestamp? {
    cancelAt ?? items.compactMap { $0.period?.end }.min()
  }

  /// The period that began last, which is the one that a failed payment is about.
  var currentPeriod: Period? {
    items.compactMap(\.period).max { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  static func trackedFields(of object: DocumentObject) -> [String] {
    guard let subscription = StripeSubscription(object) else { return [] }
    let times = [
      subscription.cancelAt, subscription.canceledAt, subscription.endedAt,
      subscription.trial?.start, subscription.trial?.end,
    ]
    return [subscription.status, "\(subscription.isEnding)", "\(subscription.collection)"]
      + times.map { $0?.description ?? "" }
      + subscription.items.map(\.trackedField)
      + ["pending"] + (subscription.pendingItems ?? []).map(\.trackedField)
  }

  static let shownTime: @Sendable (DocumentObject) -> Timestamp? = { object in
    let times = ["created", "start_date", "trial_start", "canceled_at", "ended_at"]
      .map(object.instant)
    let starts = StripeSubscriptionItem.items(of: object).map { $0.period?.start }
    return (times + starts).compactMap { $0 }.max()
  }
}

/// One item of a subscription.
struct StripeSubscriptionItem {
  /// The item's id; empty where a very old document shows a plan without items.
  let id: String
  let offer: Offer
  let quantity: Int64
  /// Whether the document says how many; what is billed for its use has no number.
  let isQuantityGiven: Bool
  let period: Period?
  /// Whether it costs nothing; false where the document does not say.
  let isFree: Bool

  init(_ object: DocumentObject, period fallback: Period?) {
    id = object.text("id") ?? ""
    offer = object.offer
    quantity = object.quantity
    isQuantityGiven = object.given("quantity") != nil
    // Since 2025-03-31.basil the period is the item's; before, it was the subscription's.
    period = object.period(from: "current_period_start", to: "current_period_end") ?? fallback
    isFree = object.isPriced == false
  }

  static func items(of subscription: DocumentObject) -> [StripeSubscriptionItem] {
    let period = subscription.period(from: "current_period_start", to: "current_period_end")
    let items = subscription.list("items").filter { $0.flag("deleted") != true }
    if subscription.expanded("items")?.flag("has_more") == true {
      subscription.faults.note("the subscription has more items than are shown")
    }
    if items.isEmpty, subscription.given("plan") != nil {
      return [StripeSubscriptionItem(withoutID: subscription, period: period)]
    }
    return items.map { StripeSubscriptionItem($0, period: period) }
  }

  private init(withoutID subscription: DocumentObject, period: Period?) {
    id = ""
    offer = subscription.offer
    quantity = subscription.quantity
    isQuantityGiven = subscription.given("quantity") != nil
    self.period = period
    isFree = subscription.isPriced == false
  }

  var trackedField: String {
    let times = [period?.start, period?.end].map { $0?.description ?? "" }
    return ([id, offer.product, offer.plan, "\(quantity)"] + times).joined(separator: " ")
  }
}
