import MembershipModel
import MembershipProviders
import Testing

/// Webhooks in the form that RevenueCat sends them, and short ways to read them.
enum RevenueCatFixture {
  static let january: Int64 = 1_767_225_600_000
  static let february: Int64 = 1_769_904_000_000
  static let march: Int64 = 1_772_323_200_000
  static let day: Int64 = 86_400_000
  static let anonymous = "$RCAnonymousID:0f2d41c6"

  /// A number as it is written, without a detour by a binary one.
  static func number(_ text: String) -> JSONValue {
    (try? JSONValue(parsing: Array(text.utf8))) ?? .null
  }

  /// A webhook about a monthly subscription of January, written five seconds after its start.
  static func webhook(_ type: String, _ changes: JSONValue = [:]) -> JSONValue {
    ["api_version": "1.0", "event": event(type).with(changes)]
  }

  static func event(_ type: String) -> JSONValue {
    [
      "type": .string(type), "id": "ev_1", "app_id": "app_1",
      "event_timestamp_ms": .integer(january + 5000), "app_user_id": "user_42",
      "original_app_user_id": "user_42", "aliases": ["user_42"], "subscriber_attributes": [:],
      "product_id": "com.example.pro.monthly", "entitlement_ids": ["pro"], "entitlement_id": nil,
      "period_type": "NORMAL", "purchased_at_ms": .integer(january),
      "expiration_at_ms": .integer(february), "store": "APP_STORE", "environment": "PRODUCTION",
      "is_trial_conversion": false, "presented_offering_id": nil,
      "price": number("10.42"), "price_in_purchased_currency": number("9.99"), "currency": "EUR",
      "tax_percentage": number("0.19"), "commission_percentage": number("0.3"),
      "takehome_percentage": number("0.7"), "transaction_id": "2000000002",
      "original_transaction_id": "2000000001", "is_family_share": false, "country_code": "DE",
      "offer_code": nil, "renewal_number": 1,
    ]
  }

  /// A transfer names neither a product nor a transaction.
  static func transfer(from: JSONValue, to: JSONValue, _ changes: JSONValue = [:]) -> JSONValue {
    let event: JSONValue = [
      "type": "TRANSFER", "id": "ev_transfer", "app_id": "app_1", "store": "APP_STORE",
      "event_timestamp_ms": .integer(january + day), "environment": "PRODUCTION",
      "transferred_from": from, "transferred_to": to,
    ]
    return ["api_version": "1.0", "event": event.with(changes)]
  }

  static func subscriber(
    subscriptions: JSONValue = [:], single: JSONValue = [:], _ changes: JSONValue = [:]
  ) -> JSONValue {
    let subscriber: JSONValue = [
      "original_app_user_id": "user_42", "first_seen": "2025-12-31T23:59:00Z",
      "last_seen": "2026-01-15T00:00:00Z", "management_url": nil, "entitlements": [:],
      "subscriptions": subscriptions, "non_subscriptions": single,
    ]
    let answer: JSONValue = [
      "request_date": "2026-01-15T00:00:00Z", "request_date_ms": 1_768_435_200_000,
      "subscriber": subscriber,
    ]
    return answer.with(changes)
  }

  static func subscription(_ changes: JSONValue = [:]) -> JSONValue {
    let subscription: JSONValue = [
      "purchase_date": "2026-01-01T00:00:00Z", "original_purchase_date": "2026-01-01T00:00:00Z",
      "expires_date": "2026-02-01T00:00:00Z", "store": "app_store", "is_sandbox": false,
      "period_type": "normal", "ownership_type": "PURCHASED", "unsubscribe_detected_at": nil,
      "billing_issues_detected_at": nil, "grace_period_expires_date": nil, "refunded_at": nil,
      "auto_resume_date": nil, "store_transaction_id": "2000000001",
      "price": ["amount": number("9.99"), "currency": "EUR"],
    ]
    return subscription.with(changes)
  }

  /// A row of a transaction export by column, as text.
  static func row(_ changes: JSONValue = [:]) -> JSONValue {
    let row: JSONValue = [
      "rc_original_app_user_id": .string(anonymous), "rc_last_seen_app_user_id_alias": "user_42",
      "country": "DE", "product_identifier": "com.example.pro.monthly",
      "start_time": "2026-01-01 00:00:00", "end_time": "2026-02-01 00:00:00",
      "grace_period_end_time": "", "effective_end_time": "2026-02-01 00:00:00",
      "store": "app_store", "is_auto_renewable": "true", "is_trial_period": "false",
      "is_in_intro_offer_period": "false", "is_sandbox": "false", "price_in_usd": "10.42",
      "store_transaction_id": "2000000002", "original_store_transaction_id": "2000000001",
      "refunded_at": "", "unsubscribe_detected_at": "", "billing_issues_detected_at": "",
      "purchased_currency": "EUR", "price_in_purchased_currency": "9.99", "renewal_number": "2",
      "ownership_type": "PURCHASED", "updated_at": "2026-01-02 00:00:00",
    ]
    return row.with(changes)
  }
}

extension RevenueCatFixture {
  static let trusting = RevenueCatAdapter(trustsUnsigned: true)

  static func document(_ json: JSONValue, headers: [String: String] = [:]) -> ProviderDocument {
    ProviderDocument(
      body: Array(json.text().utf8), headers: headers,
      receivedAt: Timestamp(milliseconds: january + 10_000))
  }

  static func events(in json: JSONValue, _ location: SourceLocation = #_sourceLocation) -> [Event] {
    switch trusting.read(document(json)) {
    case .events(let events):
      expectSameAgain(events, of: document(json), by: RevenueCatAdapter(), location)
      return events
    case .refused(let refusal):
      Issue.record("\(refusal)", sourceLocation: location)
      return []
    }
  }

  static func event(
    in json: JSONValue, _ location: SourceLocation = #_sourceLocation
  ) throws -> Event {
    let events = events(in: json, location)
    try #require(events.count == 1, sourceLocation: location)
    return events[0]
  }

  /// The facts of a webhook, without those about whose account it is.
  static func facts(
    _ type: String, _ changes: JSONValue = [:], _ location: SourceLocation = #_sourceLocation
  ) throws -> [Fact] {
    try event(in: webhook(type, changes), location).facts.filter { $0.body.name != "accountLinked" }
  }

  static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
}
