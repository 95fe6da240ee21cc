import MembershipLedger
import MembershipProviders
import Testing

/// Webhooks of RevenueCat's as it sends them, read by its adapter.
enum RevenueCatStory {
  /// A webhook about a purchase from one day until another, written at noon of a day.
  static func hook(
    _ type: String, _ id: String, at number: Int64, _ first: Int64 = 1, _ end: Int64? = 31,
    store: String = "APP_STORE", transaction: String = "t1", original: String = "t1",
    product: String = "prod_pro", user: String = "user_1", aliases: [String] = [],
    extra rest: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Event {
    let names = ([user] + aliases).map { #""\#($0)""# }.joined(separator: ",")
    let expiry = end.map { "\(day($0).milliseconds)" } ?? "null"
    return try event(
      """
      {"api_version":"1.0","event":{"type":"\(type)","id":"\(id)","app_id":"app_1",\
      "event_timestamp_ms":\(day(number).milliseconds),"app_user_id":"\(user)",\
      "original_app_user_id":"\(user)","aliases":[\(names)],"product_id":"\(product)",\
      "period_type":"NORMAL","purchased_at_ms":\(day(first).milliseconds),\
      "expiration_at_ms":\(expiry),"store":"\(store)","environment":"PRODUCTION",\
      "price_in_purchased_currency":9.99,"currency":"USD","transaction_id":"\(transaction)",\
      "original_transaction_id":"\(original)","is_family_share":false\(rest)}}
      """, location)
  }

  static func transfer(
    _ id: String, at number: Int64, from: [String], to: [String],
    _ location: SourceLocation = #_sourceLocation
  ) throws -> Event {
    func list(_ names: [String]) -> String { names.map { #""\#($0)""# }.joined(separator: ",") }
    return try event(
      """
      {"event":{"type":"TRANSFER","id":"\(id)","event_timestamp_ms":\(day(number).milliseconds),\
      "environment":"PRODUCTION","store":"APP_STORE","transferred_from":[\(list(from))],\
      "transferred_to":[\(list(to))]}}
      """, location)
  }

  private static func event(_ text: String, _ location: SourceLocation) throws -> Event {
    let events = read(text, location)
    try #require(events.count == 1, sourceLocation: location)
    return events[0]
  }

  static func read(_ text: String, _ location: SourceLocation = #_sourceLocation) -> [Event] {
    let document = ProviderDocument(body: Array(text.utf8), receivedAt: day(500))
    switch RevenueCatAdapter(trustsUnsigned: true).read(document) {
    case .events(let events): return events
    case .refused(let refusal):
      Issue.record("\(refusal)", sourceLocation: location)
      return []
    }
  }

  /// The usual products, as sold in each store.
  static let catalog: Event = {
    var catalog = Make.catalog
    for provider in [Provider.appStore, .googlePlay, .revenueCat] {
      catalog.products[0].stores.append(.init(provider: provider, product: "prod_pro"))
      catalog.products[1].stores.append(.init(provider: provider, product: "prod_basic"))
    }
    catalog.products[0].stores.append(.init(provider: .revenueCat, product: "rc_promo_pro"))
    return Make.catalogEvent("manual:catalog-stores", catalog)
  }()
}

/// Runs `body` on ledgers that were told the webhooks in each of two orders, and each twice.
func withRevenueCat(
  _ events: [Event], _ location: SourceLocation = #_sourceLocation, _ body: (Ledger) throws -> Void
) throws {
  try withCase([RevenueCatStory.catalog] + events, location, body)
}
