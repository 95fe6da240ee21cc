import MembershipModel
import MembershipProviders
import Testing

/// Documents in the App Store's shape, decoded: what Apple signs, before it is signed.
enum AppStoreFixture {
  static let january = at("2026-01-01")
  static let february = at("2026-02-01")
  static let march = at("2026-03-01")
  static let april = at("2026-04-01")
  static let now = at("2026-06-01")

  static let bundle = "com.example.app"
  static let membership: MembershipID = "app-store:2000"
  static let token = "7E3FB20B-4CDB-47CC-936D-99D65F608138"

  static func at(_ text: String) -> Timestamp {
    (try? Timestamp(parsing: text.contains("T") ? text : text + "T00:00:00Z")) ?? .latest
  }

  private static func json(_ instant: Timestamp) -> JSONValue { .integer(instant.milliseconds) }

  static func transaction(
    _ id: String = "2000", original: String = "2000", product: String = "com.example.pro.monthly",
    from start: Timestamp = january, to end: Timestamp? = february, signedAt: Timestamp? = nil,
    changing changes: JSONValue = [:]
  ) -> JSONValue {
    let base: JSONValue = [
      "transactionId": .string(id), "originalTransactionId": .string(original),
      "webOrderLineItemId": .string("9\(id)"), "bundleId": .string(bundle),
      "productId": .string(product), "subscriptionGroupIdentifier": "21000000",
      "type": "Auto-Renewable Subscription", "purchaseDate": json(start),
      "originalPurchaseDate": json(january), "expiresDate": end.map(json) ?? .null, "quantity": 1,
      "inAppOwnershipType": "PURCHASED", "signedDate": json(signedAt ?? start),
      "environment": "Production", "storefront": "USA", "storefrontId": "143441",
      "transactionReason": .string(id == original ? "PURCHASE" : "RENEWAL"), "price": 9990,
      "currency": "USD", "appTransactionId": "704000000000000001",
    ]
    return base.with(changes)
  }

  static func renewal(
    original: String = "2000", product: String = "com.example.pro.monthly", next: String? = nil,
    renews: Bool = true, at renewsAt: Timestamp = february, signedAt: Timestamp = january,
    changing changes: JSONValue = [:]
  ) -> JSONValue {
    let base: JSONValue = [
      "originalTransactionId": .string(original), "productId": .string(product),
      "autoRenewProductId": .string(next ?? product), "autoRenewStatus": .integer(renews ? 1 : 0),
      "renewalDate": json(renewsAt), "renewalPrice": 9990, "currency": "USD",
      "signedDate": json(signedAt), "environment": "Production",
      "recentSubscriptionStartDate": json(january),
    ]
    return base.with(changes)
  }

  static func notification(
    _ type: String, _ subtype: String? = nil, _ transaction: JSONValue? = nil,
    _ renewal: JSONValue? = nil, status: Int64? = nil, uuid: String? = nil,
    signedAt: Timestamp = january, changing changes: JSONValue = [:], scope: String = "data"
  ) -> JSONValue {
    let parts: JSONValue = [
      "appAppleId": 41_234, "bundleId": .string(bundle), "bundleVersion": "3",
      "environment": "Production", "signedTransactionInfo": transaction ?? .null,
      "signedRenewalInfo": renewal ?? .null, "status": status.map { .integer($0) } ?? .null,
    ]
    let id = uuid ?? "\(type)-\(subtype ?? "")-\(signedAt.milliseconds)"
    return [
      "signedPayload": [
        "notificationType": .string(type), "subtype": subtype.map { .string($0) } ?? .null,
        "notificationUUID": .string(id), "version": "2.0", "signedDate": json(signedAt),
        scope: parts.with(changes),
      ] as JSONValue
    ]
  }

  // MARK: - Reading

  static let trusting = AppStoreAdapter(
    bundleID: bundle, appAppleID: 41_234, trustsUnsigned: true,
    nonRenewingDurations: (try? CalendarDuration(parsing: "P1M")).map {
      ["com.example.season": $0]
    } ?? [:])

  static func document(_ json: JSONValue, observedAt: Timestamp? = nil) -> ProviderDocument {
    ProviderDocument(body: Array(json.text().utf8), receivedAt: now, observedAt: observedAt)
  }

  static func events(
    in json: JSONValue, _ location: SourceLocation = #_sourceLocation
  ) throws -> [Event] {
    switch trusting.read(document(json)) {
    case .events(let events):
      expectSameAgain(events, of: document(json), by: trusting, location)
      return events
    case .refused(let refusal):
      Issue.record("refused: \(refusal)", sourceLocation: location)
      throw refusal
    }
  }

  static func event(
    in json: JSONValue, _ location: SourceLocation = #_sourceLocation
  ) throws -> Event {
    let events = try events(in: json, location)
    #expect(events.count == 1, sourceLocation: location)
    return try #require(events.first, sourceLocation: location)
  }

  /// The names of the facts without links of accounts.
  static func names(
    _ json: JSONValue, _ location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    try event(in: json, location).facts.map(\.body.name).filter { $0 != "accountLinked" }
  }
}
