import MembershipLedger
import MembershipProviders
import Testing

/// Documents in the App Store's shape, decoded, about one subscription that is bought on day 1 of the
/// tests' calendar and renewed every 30 days.
enum AppStoreHook {
  static let monthly = "com.example.pro"
  static let customer: CustomerID = "7e3fb20b-4cdb-47cc-936d-99d65f608138"

  static func milliseconds(_ day: Double) -> String {
    String(1_700_000_000_000 + Int64(day * 86_400_000))
  }

  private static func object(_ fields: [String: String], _ changes: [String: String]) -> String {
    let all = fields.merging(changes) { _, new in new }.sorted { $0.key < $1.key }
    return "{" + all.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
  }

  static func transaction(
    _ id: Int = 2000, _ start: Double = 1, _ end: Double = 31, signed: Double,
    product: String = monthly, changing changes: [String: String] = [:]
  ) -> String {
    object(
      [
        "transactionId": "\"\(id)\"", "originalTransactionId": "\"2000\"",
        "webOrderLineItemId": "\"9\(id)\"", "bundleId": "\"com.example.app\"",
        "productId": "\"\(product)\"", "type": "\"Auto-Renewable Subscription\"",
        "purchaseDate": milliseconds(start), "originalPurchaseDate": milliseconds(1),
        "expiresDate": milliseconds(end), "quantity": "1", "inAppOwnershipType": "\"PURCHASED\"",
        "signedDate": milliseconds(signed), "environment": "\"Production\"", "price": "9990",
        "currency": "\"USD\"", "appAccountToken": "\"\(customer)\"",
      ], changes)
  }

  static func renewal(
    _ renewsAt: Double = 31, signed: Double, renews: Bool = true, product: String = monthly,
    changing changes: [String: String] = [:]
  ) -> String {
    object(
      [
        "originalTransactionId": "\"2000\"", "productId": "\"\(product)\"",
        "autoRenewProductId": "\"\(product)\"", "autoRenewStatus": renews ? "1" : "0",
        "renewalDate": milliseconds(renewsAt), "signedDate": milliseconds(signed),
        "environment": "\"Production\"",
      ], changes)
  }

  static func notification(
    _ type: String, _ subtype: String = "", at signed: Double, status: Int = 1,
    _ transaction: String, _ renewal: String? = nil, uuid: String? = nil,
    environment: String = "Production"
  ) -> String {
    """
    {"signedPayload": {"notificationType": "\(type)",
     "subtype": \(subtype.isEmpty ? "null" : "\"\(subtype)\""),
     "notificationUUID": "\(uuid ?? "\(type)-\(subtype)-\(signed)")", "version": "2.0",
     "signedDate": \(milliseconds(signed)), "data": {"bundleId": "com.example.app",
     "environment": "\(environment)", "status": \(status),
     "signedTransactionInfo": \(transaction), "signedRenewalInfo": \(renewal ?? "null")}}}
    """
  }

  /// The first month, as it is bought.
  static let bought = notification(
    "SUBSCRIBED", "INITIAL_BUY", at: 1, transaction(signed: 1), renewal(signed: 1))

  /// The second month.
  static let renewed = notification(
    "DID_RENEW", at: 31, transaction(2001, 31, 61, signed: 31), renewal(61, signed: 31))

  static func taken(_ day: Double) -> [String: String] {
    ["revocationDate": milliseconds(day), "revocationReason": "0"]
  }

  static func events(
    _ documents: [String], _ location: SourceLocation = #_sourceLocation
  ) -> [Event] {
    let adapter = AppStoreAdapter(bundleID: "com.example.app", trustsUnsigned: true)
    return documents.flatMap { document -> [Event] in
      switch adapter.read(ProviderDocument(body: Array(document.utf8), receivedAt: day(400))) {
      case .events(let events): return events
      case .refused(let refusal):
        Issue.record("\(refusal)", sourceLocation: location)
        return []
      }
    }
  }

  static let catalog: Event = {
    var catalog = Make.catalog
    catalog.products[0].stores.append(.init(provider: .appStore, product: monthly))
    catalog.products[1].stores.append(.init(provider: .appStore, product: "com.example.basic"))
    return Make.catalogEvent("manual:catalog-app-store", catalog)
  }()
}

/// Runs `body` on ledgers that were told the documents in every order, and each of them twice.
func withAppStore(
  _ documents: String..., location: SourceLocation = #_sourceLocation,
  body: (Ledger) throws -> Void
) throws {
  for order in orders(of: AppStoreHook.events(documents, location)) {
    try withLedger(TestClock(day(0))) { ledger in
      try ledger.add(AppStoreHook.catalog)
      try ledger.add(all: order + order)
      try body(ledger)
      #expect(try ledger.replay().differences == [], sourceLocation: location)
    }
  }
}

private func orders<Element>(of elements: [Element]) -> [[Element]] {
  guard let first = elements.first else { return [[]] }
  return orders(of: Array(elements.dropFirst())).flatMap { rest in
    (0...rest.count).map { Array(rest[..<$0]) + [first] + Array(rest[$0...]) }
  }
}
