import MembershipLedger
import MembershipProviders
import Testing

/// Resources of Google Play as a service fetches them, of our own making.
enum PlayStore {
  static func time(_ day: Double) -> String {
    Timestamp(milliseconds: 1_700_000_000_000 + Int64(day * 86_400_000)).description
  }

  /// One item of a subscription; without an end it is planned and not had.
  static func item(
    _ product: String = "prod_pro", until end: Double?, order: String? = "GPA.1",
    changing changes: [String: String] = [:]
  ) -> String {
    object(
      [
        "productId": "\"\(product)\"", "expiryTime": end.map { "\"\(time($0))\"" } ?? "null",
        "latestSuccessfulOrderId": order.map { "\"\($0)\"" } ?? "null",
        "autoRenewingPlan": #"{"autoRenewEnabled": true}"#, "offerPhase": #"{"basePrice": {}}"#,
      ], changes)
  }

  static func subscription(
    _ state: String = "ACTIVE", _ items: String..., token: String = "token_1",
    from start: Double = 1, seen: Double, customer: String? = "user_1", because type: Int? = nil,
    changing changes: [String: String] = [:]
  ) -> String {
    let ids = customer.map { #"{"obfuscatedExternalAccountId": "\#($0)"}"# } ?? "null"
    let resource = object(
      [
        "startTime": "\"\(time(start))\"", "subscriptionState": "\"SUBSCRIPTION_STATE_\(state)\"",
        "acknowledgementState": "\"ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED\"",
        "lineItems": "[\(items.joined(separator: ", "))]", "externalAccountIdentifiers": ids,
      ], changes)
    return wrapped("subscription", resource, token: token, seen: seen, because: type)
  }

  static func product(
    _ state: Int = 0, _ product: String = "prod_pro", token: String = "token_p",
    order: String = "GPA.7", bought: Double = 1, seen: Double, customer: String = "user_1"
  ) -> String {
    wrapped(
      "product",
      """
      {"purchaseState": \(state), "purchaseTimeMillis": "\(day(0).milliseconds
        + Int64(bought * 86_400_000))", "orderId": "\(order)", "productId": "\(product)",
       "acknowledgementState": 1, "obfuscatedExternalAccountId": "\(customer)"}
      """, token: token, seen: seen)
  }

  static func voided(_ order: String, at day: Int64, token: String = "token_1") -> String {
    wrapped(
      "voided",
      """
      {"purchaseToken": "\(token)", "orderId": "\(order)", "voidedReason": 1, "voidedSource": 0,
       "voidedTimeMillis": "\(MembershipLedgerTests.day(day).milliseconds)"}
      """, token: token, seen: Double(day))
  }

  private static func wrapped(
    _ kind: String, _ resource: String, token: String, seen: Double, because type: Int? = nil
  ) -> String {
    let notification = type.map { type in
      """
      , "notification": {"packageName": "com.example.app", "eventTimeMillis":
        "\(day(0).milliseconds + Int64(seen * 86_400_000))", "subscriptionNotification":
        {"notificationType": \(type), "purchaseToken": "\(token)"}}
      """
    }
    return """
      {"packageName": "com.example.app", "purchaseToken": "\(token)",
       "observedAt": "\(time(seen))", "\(kind)": \(resource)\(notification ?? "")}
      """
  }

  private static func object(_ fields: [String: String], _ changes: [String: String]) -> String {
    let all = fields.merging(changes) { _, new in new }.sorted { $0.key < $1.key }
    return "{" + all.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
  }

  // MARK: Reading

  static let catalog: Event = {
    var catalog = Make.catalog
    catalog.products[0].stores.append(.init(provider: .googlePlay, product: "prod_pro"))
    catalog.products[1].stores.append(.init(provider: .googlePlay, product: "prod_basic"))
    return Make.catalogEvent("manual:catalog-play", catalog)
  }()

  static func events(
    _ documents: [String], _ location: SourceLocation = #_sourceLocation
  ) -> [Event] {
    documents.flatMap { document -> [Event] in
      let reading = GooglePlayAdapter(trustsUnsigned: true).read(
        ProviderDocument(body: Array(document.utf8), receivedAt: day(0)))
      switch reading {
      case .events(let events): return events
      case .refused(let refusal):
        Issue.record("\(refusal)", sourceLocation: location)
        return []
      }
    }
  }
}
