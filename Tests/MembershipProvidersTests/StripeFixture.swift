import MembershipModel

/// Stripe's payloads before and since API version 2025-03-31.basil.
enum Generation: CaseIterable {
  case before
  case since
}

/// Builds documents in Stripe's shape.
enum StripeFixture {
  /// 2026-01-01T00:00:00Z.
  static let january: Int64 = 1_767_225_600
  /// 2026-02-01T00:00:00Z.
  static let february: Int64 = 1_769_904_000
  /// 2026-03-01T00:00:00Z.
  static let march: Int64 = 1_772_323_200

  static func event(
    _ type: String, _ object: JSONValue, previous: JSONValue? = nil, id: String = "evt_1",
    created: Int64 = january
  ) -> JSONValue {
    var data: JSONValue = ["object": object]
    if let previous { data = data.with(["previous_attributes": previous]) }
    return [
      "id": .string(id), "object": "event", "api_version": "2025-09-30.clover",
      "created": .integer(created), "type": .string(type), "livemode": true, "data": data,
      "pending_webhooks": 1, "request": ["id": nil, "idempotency_key": nil],
    ]
  }

  // MARK: - Subscriptions

  static func price(_ id: String, product: String = "prod_A", amount: Int64 = 1000) -> JSONValue {
    [
      "id": .string(id), "object": "price", "product": .string(product), "currency": "usd",
      "unit_amount": .integer(amount), "unit_amount_decimal": .string("\(amount)"),
      "recurring": ["interval": "month", "interval_count": 1, "usage_type": "licensed"],
    ]
  }

  static func item(
    _ id: String = "si_1", price: JSONValue = price("price_A"), quantity: Int64 = 1
  ) -> JSONValue {
    [
      "id": .string(id), "object": "subscription_item", "price": price,
      "quantity": .integer(quantity), "metadata": [:],
    ]
  }

  static func subscription(
    _ generation: Generation = .since, status: String = "active", items: [JSONValue] = [item()],
    from start: Int64 = january, to end: Int64 = february, changing changes: JSONValue = [:]
  ) -> JSONValue {
    let period: JSONValue = [
      "current_period_start": .integer(start), "current_period_end": .integer(end),
    ]
    let base: JSONValue = [
      "id": "sub_1", "object": "subscription", "customer": "cus_1", "status": .string(status),
      "cancel_at": nil, "cancel_at_period_end": false, "canceled_at": nil, "ended_at": nil,
      "created": .integer(january), "start_date": .integer(january), "livemode": true,
      "trial_start": nil, "trial_end": nil, "pause_collection": nil, "pending_update": nil,
      "metadata": [:], "latest_invoice": "in_1",
    ]
    let shown = generation == .since ? items.map { $0.with(period) } : items
    let list: JSONValue = [
      "items": ["object": "list", "data": .array(shown), "has_more": false]
    ]
    return (generation == .before ? base.with(period) : base).with(list).with(changes)
  }

  // MARK: - Invoices

  static func line(
    _ generation: Generation = .since, item: String = "si_1", price: JSONValue = price("price_A"),
    amount: Int64 = 1000, from start: Int64 = january, to end: Int64 = february,
    isProration: Bool = false, changing changes: JSONValue = [:]
  ) -> JSONValue {
    let base: JSONValue = [
      "id": "il_1", "object": "line_item", "amount": .integer(amount), "currency": "usd",
      "description": "1 × Pro", "discount_amounts": [], "quantity": 1,
      "period": ["start": .integer(start), "end": .integer(end)],
    ]
    let details: JSONValue = [
      "proration": .bool(isProration), "subscription": "sub_1", "subscription_item": .string(item),
    ]
    switch generation {
    case .before:
      return base.with(details).with(["type": "subscription", "price": price]).with(changes)
    case .since:
      return base.with([
        "parent": [
          "type": "subscription_item_details", "invoice_item_details": nil,
          "subscription_item_details": details,
        ],
        "pricing": [
          "type": "price_details", "unit_amount_decimal": price["unit_amount_decimal"] ?? nil,
          "price_details": ["price": price["id"] ?? nil, "product": price["product"] ?? nil],
        ],
      ]).with(changes)
    }
  }

  static func invoice(
    _ generation: Generation = .since, status: String = "paid",
    reason: String = "subscription_cycle", lines: [JSONValue]? = nil,
    changing changes: JSONValue = [:]
  ) -> JSONValue {
    let base: JSONValue = [
      "id": "in_1", "object": "invoice", "customer": "cus_1", "status": .string(status),
      "billing_reason": .string(reason), "created": .integer(january), "currency": "usd",
      "amount_due": 1000, "amount_paid": 1000, "livemode": true, "metadata": [:],
      "status_transitions": ["finalized_at": .integer(january), "paid_at": .integer(january)],
      "lines": [
        "object": "list", "has_more": false, "data": .array(lines ?? [line(generation)]),
      ],
    ]
    switch generation {
    case .before:
      return base.with([
        "subscription": "sub_1", "paid": .bool(status == "paid"), "payment_intent": "pi_1",
        "charge": nil,
      ]).with(changes)
    case .since:
      return base.with([
        "parent": [
          "type": "subscription_details", "quote_details": nil,
          "subscription_details": ["subscription": "sub_1", "metadata": [:]],
        ],
        "payments": [
          "object": "list",
          "data": [["payment": ["type": "payment_intent", "payment_intent": "pi_1"]]],
        ],
      ]).with(changes)
    }
  }

  // MARK: - Money

  static func charge(refunded: Int64 = 0, changing changes: JSONValue = [:]) -> JSONValue {
    let base: JSONValue = [
      "id": "ch_1", "object": "charge", "amount": 1000, "amount_captured": 1000,
      "amount_refunded": .integer(refunded), "currency": "usd", "customer": "cus_1",
      "payment_intent": "pi_1", "status": "succeeded", "paid": true, "captured": true,
    ]
    return base.with(changes)
  }

  static func refund(status: String = "succeeded", changing changes: JSONValue = [:]) -> JSONValue {
    let base: JSONValue = [
      "id": "re_1", "object": "refund", "amount": 400, "currency": "usd", "charge": "ch_1",
      "payment_intent": "pi_1", "status": .string(status), "created": .integer(january),
    ]
    return base.with(changes)
  }

  static func dispute(status: String, changing changes: JSONValue = [:]) -> JSONValue {
    let base: JSONValue = [
      "id": "dp_1", "object": "dispute", "amount": 1000, "currency": "usd", "charge": "ch_1",
      "payment_intent": "pi_1", "status": .string(status), "created": .integer(january),
    ]
    return base.with(changes)
  }

  static let fraudWarning: JSONValue = [
    "id": "issfr_1", "object": "radar.early_fraud_warning", "actionable": true, "charge": "ch_1",
    "payment_intent": "pi_1", "fraud_type": "made_with_stolen_card", "created": .integer(january),
  ]

  // MARK: - Checkouts, schedules, customers

  static func checkout(
    mode: String = "subscription", paymentStatus: String = "paid", changing changes: JSONValue = [:]
  ) -> JSONValue {
    let isSubscription = mode == "subscription"
    let base: JSONValue = [
      "id": "cs_1", "object": "checkout.session", "mode": .string(mode), "status": "complete",
      "payment_status": .string(paymentStatus), "customer": "cus_1",
      "client_reference_id": "user_42", "created": .integer(january), "livemode": true,
      "subscription": isSubscription ? "sub_1" : nil, "invoice": isSubscription ? "in_1" : nil,
      "payment_intent": isSubscription ? nil : "pi_1", "metadata": [:],
    ]
    return base.with(changes)
  }

  static let lineItems: JSONValue = [
    "object": "list", "has_more": false,
    "data": [
      [
        "id": "li_1", "object": "item", "amount_total": 4900, "currency": "eur", "quantity": 2,
        "price": ["id": "price_once", "product": "prod_once"],
      ]
    ],
  ]

  static func schedule(status: String = "active", changing changes: JSONValue = [:]) -> JSONValue {
    let base: JSONValue = [
      "id": "sub_sched_1", "object": "subscription_schedule", "customer": "cus_1",
      "subscription": "sub_1", "released_subscription": nil, "status": .string(status),
      "current_phase": ["start_date": .integer(january), "end_date": .integer(february)],
      "phases": [
        [
          "start_date": .integer(january), "end_date": .integer(february),
          "items": [["price": "price_big", "quantity": 1]],
        ],
        [
          "start_date": .integer(february), "end_date": .integer(march),
          "items": [["price": "price_small", "quantity": 1]],
        ],
      ],
    ]
    return base.with(changes)
  }

  static let summary: JSONValue = [
    "object": "entitlements.active_entitlement_summary", "customer": "cus_1", "livemode": true,
    "entitlements": [
      "object": "list", "has_more": false,
      "data": [
        ["id": "ent_1", "lookup_key": "premium"], ["id": "ent_2", "lookup_key": "export"],
      ],
    ],
  ]
}
