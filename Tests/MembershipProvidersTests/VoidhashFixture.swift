import MembershipModel
import MembershipProviders
import Testing

/// Documents in Voidhash's shape, and what reading them gives.
enum Voidhash {
  static let january = "2026-01-01T00:00:00.000Z"
  static let february = "2026-02-01T00:00:00.000Z"
  static let march = "2026-03-01T00:00:00.000Z"

  static func at(_ text: String) -> Timestamp {
    (try? Timestamp(parsing: text)) ?? .distantPast
  }

  static let period = Period(start: at(january), end: at(february))
  static let offer = Offer(product: "prod_1", plan: "com.example.monthly")
  static let references: [ReferenceID] = ["voidhash:1000", "app-store:1000"]

  private static let common: JSONValue = [
    "projectId": "proj_1", "personId": "person_1", "distinctId": "user_42", "productId": "prod_1",
    "productSlug": "monthly", "providerProductId": "com.example.monthly",
    "provider": "apple-app-store", "environment": "production",
    "providerTransactionId": "1000",
  ]

  static func subscription(
    _ type: String, at time: String = january, changing changes: JSONValue = [:]
  ) -> JSONValue {
    common.with([
      "type": .string(type), "occurredAt": .string(time), "subscriptionId": "sub_1",
      "status": "active", "providerSubscriptionId": "900", "startsAt": .string(january),
      "expiresAt": .string(february), "isTrial": false,
      "amount": ["currency": "USD", "grossAmount": 999],
    ]).with(changes)
  }

  static func purchase(
    _ type: String, at time: String = january, changing changes: JSONValue = [:]
  ) -> JSONValue {
    common.with([
      "type": .string(type), "occurredAt": .string(time), "purchaseId": "pur_1",
      "purchaseKind": "one_time", "purchasedAt": .string(january),
      "amount": ["currency": "USD", "grossAmount": 999],
    ]).with(changes)
  }

  /// An action of the server, with what came of it where that is given.
  static func action(
    _ action: String, at time: String = january, changing changes: JSONValue = [:]
  ) -> JSONValue {
    let base: JSONValue = [
      "action": .string(action), "idempotencyKey": "apple:1000:purchase:1767225600000",
      "source": "webhook", "providerId": "apple-app-store", "providerEventType": "DID_RENEW",
      "providerEnvironment": "production", "projectId": "proj_1", "organizationId": "org_1",
      "personId": "person_1", "paymentProviderConfigurationProductId": "com.example.monthly",
      "productId": "prod_1", "providerTransactionId": "1000", "providerSubscriptionId": "900",
      "providerWebhookNotificationId": nil, "occurredAt": .string(time),
      "receivedAt": .string(time), "rawProviderPayload": nil,
    ]
    return base.with(changes)
  }

  static func transfer(mode: String?, result: JSONValue = nil) -> JSONValue {
    [
      "action": "transferSubscription", "subscriptionId": "sub_1", "fromPersonId": "person_1",
      "toPersonId": "person_2", "transferMode": mode.map(JSONValue.string) ?? nil,
      "providerId": "apple-app-store", "occurredAt": .string(february), "source": "sdk",
      "triggerReason": "appstore_restore", "result": result,
    ]
  }

  static func person(_ grants: [JSONValue], mode: String = "persisted") -> JSONValue {
    [
      "personId": "person_1", "distinctId": "user_42", "email": "j@example.com", "name": "J",
      "entitlements": ["grants": .array(grants)],
      "subscriptions": [
        "current": nil,
        "history": [
          [
            "subscriptionId": "sub_1", "status": "active", "startsAt": .string(january),
            "expiresAt": .string(february), "canceledAt": nil, "isTrial": false,
            "sourcePersonId": "person_1",
          ]
        ],
      ],
      "purchases": ["history": []],
      "snapshotContext": [
        "mode": .string(mode), "migrationJobId": nil, "includedPersonIds": ["person_1"],
      ],
    ]
  }

  static func grant(
    _ perk: String, status: String = "active", source: String = "subscription",
    changing changes: JSONValue = [:]
  ) -> JSONValue {
    let base: JSONValue = [
      "perkId": .string(perk), "status": .string(status), "source": .string(source),
      "sourceId": nil, "sourcePersonId": "person_1", "expiresAt": nil,
    ]
    return base.with(changes)
  }

  // MARK: - Reading

  static let trusting = VoidhashAdapter(trustsUnsigned: true)

  static func document(_ json: JSONValue, observedAt: Timestamp? = nil) -> ProviderDocument {
    ProviderDocument(
      body: Array(json.text().utf8), receivedAt: at(march), observedAt: observedAt)
  }

  /// The event of a document that is trusted as it is.
  static func event(
    in json: JSONValue, observedAt: Timestamp? = nil, by adapter: VoidhashAdapter = trusting,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Event {
    let reading = adapter.read(document(json, observedAt: observedAt))
    guard case .events(let events) = reading, events.count == 1 else {
      Issue.record("not one event: \(reading)", sourceLocation: location)
      throw Unread()
    }
    expectSameAgain(events, of: document(json, observedAt: observedAt), by: adapter, location)
    return events[0]
  }

  static func facts(
    in json: JSONValue, by adapter: VoidhashAdapter = trusting,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> [Fact] {
    try event(in: json, by: adapter, location).facts
  }

  private struct Unread: Error {}
}
