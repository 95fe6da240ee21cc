import MembershipModel

/// What a notification is about, beyond the snapshot that it brings.
enum AppStoreEffect: Hashable {
  /// How things stand, and nothing else.
  case state
  /// The same, fetched or handed over instead of sent.
  case fetched
  /// A purchase outside of subscriptions.
  case charge
  /// A renewal failed.
  case retry
  case graceOver
  case expiry
  /// Renewal was turned on again, or off.
  case renewalOn
  /// What the next period is of may have changed.
  case preference
  case `extension`
  case refund
  case reversal
  /// A family member lost access.
  case revoke
  /// News on one transaction, which need not be the last one.
  case request
  /// News that no fact tells.
  case news

  /// Whether its transaction may be any of the subscription's.
  var isAboutAnyTransaction: Bool {
    switch self {
    case .refund, .reversal, .revoke, .request: true
    default: false
    }
  }

  /// Whether a transaction that is shown alone happened when it was bought.
  var isPurchase: Bool { self == .fetched || self == .charge }
}

/// How notifications of one type and subtype are read.
struct AppStoreEventKind: Sendable {
  let type: String
  /// Empty where there is none.
  let subtype: String
  let effect: AppStoreEffect
  /// The names of the facts that make the type what it is; each snapshot can state more.
  let facts: [String]
  /// What is to be known besides the facts.
  let remark: String?

  init(
    _ type: String, _ subtype: String = "", _ effect: AppStoreEffect, _ facts: [String] = [],
    remark: String? = nil
  ) {
    self.type = type
    self.subtype = subtype
    self.effect = effect
    self.facts = facts
    self.remark = remark
  }

  /// The type and the subtype, as notes and the documentation name them.
  var name: String { subtype.isEmpty ? type : "\(type)/\(subtype)" }
}

/// Every type and subtype that is read; all other types are noted.
enum AppStoreEventTable {
  /// The kind of a notification; one of a type whose subtype is not known is read as its type.
  static func kind(_ type: String, _ subtype: String?) -> (kind: AppStoreEventKind, isKnown: Bool)?
  {
    let ofType = kinds.filter { $0.type == type }
    if let kind = ofType.first(where: { $0.subtype == subtype ?? "" }) { return (kind, true) }
    return ofType.first.map { first in
      let plain = ofType.first { $0.subtype.isEmpty } ?? first
      return (AppStoreEventKind(type, "", plain.effect, plain.facts), false)
    }
  }

  /// What every snapshot can state, besides `accountLinked` and `noted`.
  static let snapshotFacts = [
    "purchased", "renewed", "observed", "cancellationScheduled", "planChangeScheduled",
    "paymentFailed", "ended", "refunded", "accessRevoked",
  ]

  static let kinds: [AppStoreEventKind] =
    buying + changing + stopping + money + others

  private static let buying = [
    AppStoreEventKind("SUBSCRIBED", "INITIAL_BUY", .state, ["purchased", "observed"]),
    AppStoreEventKind("SUBSCRIBED", "RESUBSCRIBE", .state, ["purchased", "observed"]),
    AppStoreEventKind("DID_RENEW", "", .state, ["renewed", "observed"]),
    AppStoreEventKind("DID_RENEW", "BILLING_RECOVERY", .state, ["renewed", "observed"]),
    AppStoreEventKind("OFFER_REDEEMED", "", .state, ["purchased", "observed"]),
    AppStoreEventKind("OFFER_REDEEMED", "INITIAL_BUY", .state, ["purchased", "observed"]),
    AppStoreEventKind("OFFER_REDEEMED", "RESUBSCRIBE", .state, ["purchased", "observed"]),
    AppStoreEventKind(
      "OFFER_REDEEMED", "UPGRADE", .preference, ["purchased", "observed", "planChangeWithdrawn"]),
    AppStoreEventKind(
      "OFFER_REDEEMED", "DOWNGRADE", .preference, ["observed", "planChangeScheduled"]),
    AppStoreEventKind("ONE_TIME_CHARGE", "", .charge, ["purchased"]),
    AppStoreEventKind("RENEWAL_EXTENDED", "", .extension, ["observed", "extended"]),
  ]

  private static let changing = [
    AppStoreEventKind(
      "DID_CHANGE_RENEWAL_PREF", "UPGRADE", .preference,
      ["purchased", "observed", "planChangeWithdrawn"]),
    AppStoreEventKind(
      "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", .preference, ["observed", "planChangeScheduled"]),
    AppStoreEventKind(
      "DID_CHANGE_RENEWAL_PREF", "", .preference, ["observed", "planChangeWithdrawn"]),
    AppStoreEventKind(
      "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", .state,
      ["observed", "cancellationScheduled"]),
    AppStoreEventKind(
      "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", .renewalOn,
      ["observed", "cancellationWithdrawn"]),
  ]

  private static let stopping = [
    AppStoreEventKind("DID_FAIL_TO_RENEW", "GRACE_PERIOD", .retry, ["observed", "paymentFailed"]),
    AppStoreEventKind("DID_FAIL_TO_RENEW", "", .retry, ["observed", "paymentFailed"]),
    AppStoreEventKind("GRACE_PERIOD_EXPIRED", "", .graceOver, ["observed", "paymentFailed"]),
    AppStoreEventKind("EXPIRED", "VOLUNTARY", .expiry, ["observed", "ended"]),
    AppStoreEventKind("EXPIRED", "BILLING_RETRY", .expiry, ["observed", "ended"]),
    AppStoreEventKind("EXPIRED", "PRICE_INCREASE", .expiry, ["observed", "ended"]),
    AppStoreEventKind("EXPIRED", "PRODUCT_NOT_FOR_SALE", .expiry, ["observed", "ended"]),
    AppStoreEventKind("EXPIRED", "", .expiry, ["observed", "ended"]),
  ]

  private static let money = [
    AppStoreEventKind("REFUND", "", .refund, ["refunded"]),
    AppStoreEventKind("REFUND_REVERSED", "", .reversal, ["refundReversed"]),
    AppStoreEventKind("REVOKE", "", .revoke, ["accessRevoked"]),
    AppStoreEventKind(
      "REFUND_DECLINED", "", .request, remark: "a refund was asked for and is not given"),
    AppStoreEventKind(
      "CONSUMPTION_REQUEST", "", .request,
      remark: "a refund was asked for: the App Store wants to know how the purchase was used"),
  ]

  private static let others = [
    AppStoreEventKind(
      "PRICE_INCREASE", "PENDING", .news,
      remark: "the customer was told of a higher price and has not consented"),
    AppStoreEventKind(
      "PRICE_INCREASE", "ACCEPTED", .news,
      remark: "the customer consented to a higher price, or need not"),
    AppStoreEventKind(
      "PRICE_CHANGE", "", .news, remark: "a price was changed by the service's own call"),
    AppStoreEventKind(
      "METADATA_UPDATE", "", .news, remark: "names were changed by the service's own call"),
    AppStoreEventKind(
      "MIGRATION", "", .news, remark: "a subscription was moved by the service's own call"),
    AppStoreEventKind(
      "RENEWAL_EXTENSION", "SUMMARY", .news, remark: "an extension for many subscribers is done"),
    AppStoreEventKind(
      "RENEWAL_EXTENSION", "FAILURE", .news, remark: "the extension for this subscription failed"),
    AppStoreEventKind(
      "EXTERNAL_PURCHASE_TOKEN", "CREATED", .news,
      remark: "a token for purchases elsewhere was made"),
    AppStoreEventKind(
      "EXTERNAL_PURCHASE_TOKEN", "ACTIVE_TOKEN_REMINDER", .news,
      remark: "a token for purchases elsewhere is still active"),
    AppStoreEventKind(
      "EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", .news,
      remark: "the App Store waits for a report on a token for purchases elsewhere"),
    AppStoreEventKind(
      "RESCIND_CONSENT", "", .news,
      remark: "a parent withdrew the consent to a child's use of the app: stop its sessions"),
    AppStoreEventKind("TEST", "", .news, remark: "a test that the service asked for"),
  ]
}
