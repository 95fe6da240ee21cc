import MembershipModel

/// A subscription as one resource shows it.
struct GooglePlaySubscription {
  let notice: GooglePlayNotice
  /// Google's own word for the state.
  let status: String
  /// How that state is read; nil for one that is not known.
  let state: GooglePlayState?
  let startsAt: Timestamp?
  /// All items, those that are planned and not owned yet included.
  let items: [GooglePlayItem]
  /// The token whose place this one takes.
  let formerToken: String?
  let isTest: Bool
  /// Whether the store still waits to hear that the service has given what was bought.
  private let isUnacknowledged: Bool

  init(_ notice: GooglePlayNotice) {
    let object = notice.object
    self.notice = notice
    status = object.text("subscriptionState") ?? ""
    state = GooglePlayTable.subscriptions[status]
    startsAt = object.time("startTime")
    let items = object.list("lineItems")
    let latestOrder = items.count == 1 ? object.text("latestOrderId") : nil
    self.items = items.map { GooglePlayItem($0, latestOrder: latestOrder) }
    formerToken = object.text("linkedPurchaseToken")
    isTest = object.given("testPurchase") != nil
    isUnacknowledged =
      object.text("acknowledgementState") == "ACKNOWLEDGEMENT_STATE_PENDING"
  }

  /// The items that are, or were, had.
  var ownedItems: [GooglePlayItem] { items.filter { $0.expiresAt != nil } }

  /// When the last of the items is over; nil where none is owned.
  var expiresAt: Timestamp? { items.compactMap(\.expiresAt).max() }

  /// Whether the store is going to charge again.
  var isRenewing: Bool {
    switch status {
    case "SUBSCRIPTION_STATE_ACTIVE", "SUBSCRIPTION_STATE_IN_GRACE_PERIOD",
      "SUBSCRIPTION_STATE_ON_HOLD", "SUBSCRIPTION_STATE_PAUSED":
      items.contains(where: \.isRenewing)
    default: false
    }
  }

  /// The service's own id, else whoever owns the purchase that this one follows.
  ///
  /// Someone who subscribes again in the store itself, after an end, brings the ids of the former
  /// purchase along, until the service has acknowledged the new one.
  var owner: GooglePlayOwner {
    let object = notice.object
    let outside = object.object("outOfAppPurchaseContext")
    if let customer = object.object("externalAccountIdentifiers")?.obfuscatedCustomer {
      return .customer(customer)
    }
    if let formerToken, let name = accountName(of: formerToken) { return .formerToken(name) }
    if let customer = outside?.object("expiredExternalAccountIdentifiers")?.obfuscatedCustomer {
      return .customer(customer)
    }
    let expired = outside?.text("expiredPurchaseToken").flatMap(accountName)
    return expired.map { .formerToken($0) } ?? .unknown
  }

  private func accountName(of token: String) -> CustomerID? {
    DocumentObject.identifier(token, notice.object.faults)
  }

  /// Until when the purchase is to be acknowledged, lest the store gives the money back: three
  /// days, or half of what is prepaid where that is less than a week.
  var acknowledgeBy: Timestamp? {
    guard isUnacknowledged, let startsAt else { return nil }
    let day: Int64 = 86_400_000
    var time = 3 * day
    if items.contains(where: \.isPrepaid), let expiresAt {
      let (length, overflows) = expiresAt.milliseconds
        .subtractingReportingOverflow(startsAt.milliseconds)
      if !overflows, length >= 0, length < 7 * day { time = length / 2 }
    }
    return startsAt.adding(milliseconds: time)
  }
}

/// One item of a subscription.
struct GooglePlayItem {
  let offer: Offer
  /// When it is over unless it is extended; nil for one that is planned and not owned yet.
  let expiresAt: Timestamp?
  /// The order that was paid last for it.
  let order: String?
  let kind: TransactionKind
  let price: Money?
  let isRenewing: Bool
  let isPrepaid: Bool
  /// What takes its place when it is over.
  let replacement: String?
  /// Whether it is dropped when it is over.
  let isRemoved: Bool
  /// Whether it is to end after payments that are still owed.
  let isEndingLater: Bool

  init(_ object: DocumentObject, latestOrder: String?) {
    offer = Offer(
      product: object.text("productId") ?? "",
      plan: object.object("offerDetails")?.text("basePlanId") ?? "")
    expiresAt = object.time("expiryTime")
    order = object.text("latestSuccessfulOrderId") ?? latestOrder
    kind = Self.kind(object.object("offerPhase"))
    let plan = object.object("autoRenewingPlan")
    price = kind == .paid ? plan?.moneyOfUnits("recurringPrice") : nil
    isRenewing = plan?.flag("autoRenewEnabled") ?? false
    isPrepaid = object.given("prepaidPlan") != nil
    replacement = object.object("deferredItemReplacement")?.text("productId")
    isRemoved = object.given("deferredItemRemoval") != nil
    isEndingLater = plan?.object("installmentDetails")?.given("pendingCancellation") != nil
  }

  private static func kind(_ phase: DocumentObject?) -> TransactionKind {
    if phase?.given("freeTrial") != nil { return .trial }
    if phase?.given("introductoryPrice") != nil { return .intro }
    return .paid
  }

  /// Whether the order is one of a further period: such orders end in two dots and a number.
  var isRenewal: Bool { order?.contains("..") ?? false }
}
