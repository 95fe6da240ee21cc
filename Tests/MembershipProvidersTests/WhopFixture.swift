import MembershipModel
import MembershipProviders
import Testing

/// Documents in Whop's shape, and what reading them gives.
enum Whop {
  /// Whop's generations of webhooks.
  enum Generation: CaseIterable {
    /// Whole seconds, objects nested, `action`.
    case second
    /// Whole seconds, ids instead of objects, `action`.
    case fifth
    /// RFC 3339, `type`, an id and a time of its own.
    case first
    /// As the first, with the period's end and length, and former values.
    case dated
  }

  static let january = "2026-01-01T00:00:00.000Z"
  static let february = "2026-01-31T00:00:00.000Z"
  static let march = "2026-03-02T00:00:00.000Z"

  static func at(_ text: String) -> Timestamp {
    (try? Timestamp(parsing: text)) ?? .distantPast
  }

  /// A number exactly as written.
  static func number(_ text: String) -> JSONValue {
    (try? JSONValue(parsing: Array(text.utf8))) ?? .null
  }

  static let period = Period(start: at(january), end: at(february))

  private static func time(_ text: String, _ generation: Generation) -> JSONValue {
    switch generation {
    case .second, .fifth: .integer(at(text).milliseconds / 1000)
    case .first, .dated: .string(text)
    }
  }

  // MARK: - Webhooks

  static func event(
    _ type: String, _ data: JSONValue, generation: Generation = .first, previous: JSONValue? = nil,
    id: String = "msg_1", at time: String = january
  ) -> JSONValue {
    switch generation {
    case .second, .fifth:
      return ["action": .string(type), "data": data]
    case .first, .dated:
      var event: JSONValue = [
        "id": .string(id), "api_version": "v1", "type": .string(type), "timestamp": .string(time),
        "data": data,
      ]
      let isDated = generation == .dated
      event = event.with(
        isDated
          ? ["api_version_date": "2026-11-17", "account_id": "biz_1"] : ["company_id": "biz_1"])
      if let previous { event = event.with(["previous_attributes": previous]) }
      return event
    }
  }

  // MARK: - Objects

  static func membership(
    _ generation: Generation = .first, status: String = "active", from start: String = january,
    to end: String = february, changing changes: JSONValue = [:]
  ) -> JSONValue {
    let common: JSONValue = [
      "id": "mem_1", "status": .string(status), "created_at": time(january, generation),
      "cancel_at_period_end": false, "license_key": "A1B2", "metadata": [:],
    ]
    let window: JSONValue = [
      "renewal_period_start": time(start, generation), "renewal_period_end": time(end, generation),
    ]
    let nested: JSONValue = [
      "user": ["id": "user_1", "username": "j"], "plan": ["id": "plan_1"],
      "product": ["id": "prod_1", "title": "Pro"],
    ]
    let modern: JSONValue = [
      "canceled_at": nil, "cancel_option": nil, "payment_collection_paused": false,
      "joined_at": time(january, generation), "updated_at": time(january, generation),
    ]
    let valid = ["active", "trialing", "completed"].contains(status)
    switch generation {
    case .second:
      return common.with(window).with(nested).with([
        "valid": .bool(valid), "quantity": 1, "expires_at": nil, "email": "j@example.com",
      ]).with(changes)
    case .fifth:
      return common.with(window).with([
        "valid": .bool(valid), "quantity": 1, "expires_at": nil, "user_id": "user_1",
        "plan_id": "plan_1", "product_id": "prod_1", "page_id": "page_1",
      ]).with(changes)
    case .first:
      return common.with(window).with(nested).with(modern).with(changes)
    case .dated:
      return common.with(nested).with(modern).with([
        "current_period_end": .string(end), "account": ["id": "biz_1"],
        "billing_period_days": .integer(
          (at(end).milliseconds - at(start).milliseconds) / 86_400_000),
      ]).with(changes)
    }
  }

  static func payment(
    status: String = "paid", reason: String = "subscription_create",
    changing changes: JSONValue = [:]
  ) -> JSONValue {
    let base: JSONValue = [
      "id": "pay_1", "status": .string(status), "substatus": "succeeded",
      "total": Whop.number("6.9"), "subtotal": Whop.number("6.9"),
      "usd_total": Whop.number("6.9"), "currency": "usd",
      "billing_reason": .string(reason), "created_at": .string(january),
      "paid_at": .string(january), "refunded_amount": 0, "refunded_at": nil,
      "plan": ["id": "plan_1"], "product": ["id": "prod_1", "title": "Pro"],
      "user": ["id": "user_1", "email": "j@example.com"],
      "membership": ["id": "mem_1", "status": "active"], "metadata": [:],
    ]
    return base.with(changes)
  }

  static func refund(status: String = "succeeded", changing changes: JSONValue = [:]) -> JSONValue {
    let base: JSONValue = [
      "id": "rf_1", "amount": Whop.number("6.9"), "currency": "usd", "status": .string(status),
      "created_at": .string(january), "provider": "stripe", "payment": payment(),
    ]
    return base.with(changes)
  }

  static func dispute(status: String, changing changes: JSONValue = [:]) -> JSONValue {
    let base: JSONValue = [
      "id": "dspt_1", "amount": Whop.number("6.9"), "currency": "usd", "status": .string(status),
      "created_at": .string(january), "payment": payment(),
    ]
    return base.with(changes)
  }

  // MARK: - Reading

  static let trusting = WhopAdapter(trustsUnsigned: true)

  static func document(
    _ json: JSONValue, headers: [String: String] = [:], observedAt: Timestamp? = nil
  ) -> ProviderDocument {
    ProviderDocument(
      body: Array(json.text().utf8), headers: headers, receivedAt: at(march),
      observedAt: observedAt)
  }

  /// The one event of a document that is trusted as it is.
  static func event(
    in json: JSONValue, headers: [String: String] = [:], observedAt: Timestamp? = nil,
    by adapter: WhopAdapter = trusting, _ location: SourceLocation = #_sourceLocation
  ) throws -> Event {
    let reading = adapter.read(document(json, headers: headers, observedAt: observedAt))
    guard case .events(let events) = reading, events.count == 1 else {
      Issue.record("not one event: \(reading)", sourceLocation: location)
      throw Unread()
    }
    expectSameAgain(
      events, of: document(json, headers: headers, observedAt: observedAt), by: adapter, location)
    return events[0]
  }

  /// The facts of a webhook of the newest generation, unless it is another.
  static func facts(
    _ type: String, _ data: JSONValue, generation: Generation = .dated, previous: JSONValue? = nil,
    at time: String = january, by adapter: WhopAdapter = trusting,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> [Fact] {
    let webhook = event(type, data, generation: generation, previous: previous, at: time)
    return try event(in: webhook, by: adapter, location).facts
  }

  private struct Unread: Error {}
}

extension [Fact] {
  /// Whether a fact of a membership of Whop's is among them.
  func hasWhop(_ body: Fact.Body) -> Bool { has(body, of: "whop:mem_1") }
}
