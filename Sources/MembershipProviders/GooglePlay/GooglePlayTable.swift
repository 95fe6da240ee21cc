import MembershipModel

/// One kind of developer notification; each is noted, whatever it says.
struct GooglePlayNotificationKind: Sendable {
  /// The field of the developer notification that holds it.
  let field: String
  /// The names of its types by their numbers; none where it has no types.
  let types: [Int64: String]
  /// What to fetch to learn what happened; `TOKEN` stands for the purchase's.
  let remedy: String
}

/// How a resource in one state is read.
struct GooglePlayState: Sendable {
  let standing: Standing
  /// What the dates of the resource prove.
  let evidence: Evidence
  /// The names of the facts that it can state, besides `accountLinked` and `noted`.
  let facts: [String]

  /// What the dates of a subscription prove.
  enum Evidence: Sendable {
    /// Nothing was had.
    case none
    /// A time was had of which the paid part is not told.
    case time
    /// The time up to the expiry is paid for.
    case payment
  }
}

/// Every notification and every state of a resource that is known; all else is noted.
enum GooglePlayTable {
  static let notifications = [
    GooglePlayNotificationKind(
      field: "subscriptionNotification",
      types: [
        1: "RECOVERED", 2: "RENEWED", 3: "CANCELED", 4: "PURCHASED", 5: "ON_HOLD",
        6: "IN_GRACE_PERIOD", 7: "RESTARTED", 8: "PRICE_CHANGE_CONFIRMED", 9: "DEFERRED",
        10: "PAUSED", 11: "PAUSE_SCHEDULE_CHANGED", 12: "REVOKED", 13: "EXPIRED",
        17: "ITEMS_CHANGED", 18: "CANCELLATION_SCHEDULED", 19: "PRICE_CHANGE_UPDATED",
        20: "PENDING_PURCHASE_CANCELED", 22: "PRICE_STEP_UP_CONSENT_UPDATED",
      ],
      remedy: "fetch purchases.subscriptionsv2 of the token and hand it over"),
    GooglePlayNotificationKind(
      field: "oneTimeProductNotification", types: [1: "PURCHASED", 2: "CANCELED"],
      remedy: "fetch purchases.productsv2 of the token and hand it over"),
    GooglePlayNotificationKind(
      field: "voidedPurchaseNotification", types: [:],
      remedy: "fetch purchases.voidedpurchases, and the purchase of the token, and hand them over"),
    GooglePlayNotificationKind(
      field: "pendingRefundReviewNotification", types: [:],
      remedy: "answer with orders.reviewrefund within 24 hours; access stays as it is"),
    GooglePlayNotificationKind(
      field: "testNotification", types: [:], remedy: "a test; there is nothing to fetch"),
  ]

  /// The states of a subscription, by Google's names.
  static let subscriptions: [String: GooglePlayState] = [
    "SUBSCRIPTION_STATE_PENDING": GooglePlayState(
      standing: .incomplete, evidence: .none, facts: ["observed"]),
    "SUBSCRIPTION_STATE_ACTIVE": GooglePlayState(
      standing: .active, evidence: .payment,
      facts: bought + ["paymentFailed", "planChangeScheduled"]),
    "SUBSCRIPTION_STATE_IN_GRACE_PERIOD": GooglePlayState(
      standing: .pastDue, evidence: .time,
      facts: bought + ["paymentFailed", "planChangeScheduled"]),
    "SUBSCRIPTION_STATE_CANCELED": GooglePlayState(
      standing: .active, evidence: .payment, facts: bought + ["cancellationScheduled"]),
    "SUBSCRIPTION_STATE_ON_HOLD": GooglePlayState(
      standing: .pastDue, evidence: .time, facts: bought + ["paymentFailed", "holdPlaced"]),
    "SUBSCRIPTION_STATE_PAUSED": GooglePlayState(
      standing: .paused, evidence: .time, facts: bought + ["paused"]),
    "SUBSCRIPTION_STATE_EXPIRED": GooglePlayState(
      standing: .ended, evidence: .time, facts: bought + ["accessRevoked"]),
    "SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED": GooglePlayState(
      standing: .ended, evidence: .none, facts: ["observed", "ended"]),
  ]

  /// The purchase itself, and the end of the one whose place it takes.
  private static let bought = ["observed", "purchased", "renewed", "ended"]

  /// The states of a one-time purchase, by the names of the newer resource.
  static let products: [String: GooglePlayState] = [
    "PURCHASED": GooglePlayState(
      standing: .active, evidence: .payment, facts: ["observed", "purchased", "accessRevoked"]),
    "CANCELLED": GooglePlayState(
      standing: .ended, evidence: .none, facts: ["observed", "ended"]),
    "PENDING": GooglePlayState(standing: .incomplete, evidence: .none, facts: ["observed"]),
  ]

  /// The facts of a voided purchase.
  static let voided = ["accessRevoked"]
}
