import MembershipModel
import MembershipProviders
import Testing

/// Google Play's documents in their real shape, and short ways to read them.
enum GooglePlay {
  static let start = "2026-01-01T00:00:00Z"
  static let seen = "2026-01-10T12:00:00Z"
  static let end = "2026-02-01T00:00:00Z"
  static let membership: MembershipID = "google-play:token_1"
  static let order = "GPA.3333-4137-0319-36762"

  static func time(_ text: String) throws -> Timestamp { try Timestamp(parsing: text) }

  // MARK: Documents

  static func item(
    _ product: String = "pro_monthly", until: String? = end, order: String? = order,
    changing changes: JSONValue = [:]
  ) -> JSONValue {
    let item: JSONValue = [
      "productId": .string(product),
      "expiryTime": until.map { .string($0) } ?? .null,
      "latestSuccessfulOrderId": order.map { .string($0) } ?? .null,
      "autoRenewingPlan": [
        "autoRenewEnabled": true,
        "recurringPrice": ["currencyCode": "USD", "units": "9", "nanos": 990_000_000],
      ],
      "offerDetails": ["basePlanId": "monthly"],
      "offerPhase": ["basePrice": [:]],
    ]
    return item.with(changes)
  }

  static func subscription(
    _ state: String = "ACTIVE", items: [JSONValue] = [item()], changing changes: JSONValue = [:]
  ) -> JSONValue {
    let subscription: JSONValue = [
      "kind": "androidpublisher#subscriptionPurchaseV2",
      "startTime": .string(start), "regionCode": "US",
      "subscriptionState": .string("SUBSCRIPTION_STATE_\(state)"),
      "acknowledgementState": "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED",
      "lineItems": .array(items),
      "externalAccountIdentifiers": ["obfuscatedExternalAccountId": "user_1"],
      "etag": "abc",
    ]
    return subscription.with(changes)
  }

  static func fetched(
    _ subscription: JSONValue, token: String = "token_1", at observedAt: String = seen,
    because notification: JSONValue? = nil
  ) -> JSONValue {
    wrapped("subscription", subscription, token: token, at: observedAt, because: notification)
  }

  static func wrapped(
    _ kind: String, _ resource: JSONValue, token: String = "token_1",
    at observedAt: String = seen, because notification: JSONValue? = nil
  ) -> JSONValue {
    let wrapping: JSONValue = [
      "packageName": "com.example.app", "purchaseToken": .string(token),
      "observedAt": .string(observedAt),
    ]
    let notice: JSONValue = notification.map { ["notification": $0] } ?? [:]
    return wrapping.with(.object([.init(kind, resource)])).with(notice)
  }

  static func notification(_ field: String, _ content: JSONValue, at time: String = seen)
    -> JSONValue
  {
    let milliseconds = (try? Timestamp(parsing: time))?.milliseconds ?? 0
    return .object([
      .init("version", "1.0"), .init("packageName", "com.example.app"),
      .init("eventTimeMillis", .string("\(milliseconds)")), .init(field, content),
    ])
  }

  static func subscriptionNotification(_ type: Int64, at time: String = seen) -> JSONValue {
    notification(
      "subscriptionNotification",
      ["version": "1.0", "notificationType": .integer(type), "purchaseToken": "token_1"], at: time)
  }

  static let olderProduct: JSONValue = [
    "kind": "androidpublisher#productPurchase", "purchaseTimeMillis": "1767225600000",
    "purchaseState": 0, "consumptionState": 0, "orderId": "GPA.1111-2222-3333-44444",
    "acknowledgementState": 1, "productId": "lifetime", "regionCode": "US",
    "obfuscatedExternalAccountId": "user_1",
  ]

  static let newerProduct: JSONValue = [
    "kind": "androidpublisher#productPurchaseV2", "orderId": "GPA.1111-2222-3333-44444",
    "purchaseCompletionTime": .string(start),
    "purchaseStateContext": ["purchaseState": "PURCHASED"],
    "acknowledgementState": "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED",
    "productLineItem": [
      [
        "productId": "lifetime",
        "productOfferDetails": ["purchaseOptionId": "buy", "quantity": 1, "refundableQuantity": 1],
      ]
    ],
    "obfuscatedExternalAccountId": "user_1",
  ]

  static let voided: JSONValue = [
    "kind": "androidpublisher#voidedPurchase", "purchaseToken": "token_1",
    "orderId": .string(order), "purchaseTimeMillis": "1767225600000",
    "voidedTimeMillis": "1768046400000", "voidedReason": 7, "voidedSource": 0,
  ]

  // MARK: Reading

  static let trusting = GooglePlayAdapter(trustsUnsigned: true)

  static func document(_ json: JSONValue) -> ProviderDocument {
    ProviderDocument(body: Array(json.text().utf8), receivedAt: at(1_800_000_000))
  }

  static func events(in json: JSONValue) throws -> [Event] {
    guard case .events(let events) = trusting.read(document(json)) else { throw Unread() }
    expectSameAgain(events, of: document(json), by: GooglePlayAdapter())
    return events
  }

  static func event(
    in json: JSONValue, _ location: SourceLocation = #_sourceLocation
  ) throws -> Event {
    let reading = trusting.read(document(json))
    guard case .events(let events) = reading, events.count == 1 else {
      Issue.record("not one event: \(reading)", sourceLocation: location)
      throw Unread()
    }
    expectSameAgain(events, of: document(json), by: GooglePlayAdapter(), location)
    return events[0]
  }

  /// The facts of a fetched subscription, without links of accounts.
  static func facts(
    _ subscription: JSONValue, at observedAt: String = seen, because notification: JSONValue? = nil
  ) throws -> [Fact] {
    try event(in: fetched(subscription, at: observedAt, because: notification)).facts
      .filter { $0.body.name != "accountLinked" }
  }

  static func names(_ facts: [Fact]) -> [String] { facts.map(\.body.name) }

  private struct Unread: Error {}
}
