import MembershipLedger
import MembershipProviders
import Testing

/// A webhook body in Stripe's shape, of our own making: one customer, one subscription.
struct StripeHook: Sendable {
  let body: [UInt8]

  init(
    _ id: String, _ type: String, at day: Double, _ object: String, previous: String? = nil,
    isLive: Bool = true
  ) {
    let changes = previous.map { #", "previous_attributes": \#($0)"# } ?? ""
    body = Array(
      """
      {"id": "evt_\(id)", "object": "event", "api_version": "2025-09-30.clover",
       "created": \(Self.second(day)), "type": "\(type)", "livemode": \(isLive),
       "data": {"object": \(object)\(changes)}, "pending_webhooks": 1,
       "request": {"id": null, "idempotency_key": null}}
      """.utf8)
  }

  /// The second in which a day of the tests' calendar begins.
  static func second(_ day: Double) -> Int64 { 1_700_000_000 + Int64(day * 86_400) }

  /// An object of JSON, with changes laid over its fields.
  private static func object(_ fields: [String: String], _ changes: [String: String]) -> String {
    let all = fields.merging(changes) { _, new in new }.sorted { $0.key < $1.key }
    return "{" + all.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
  }

  static func subscription(
    _ status: String, _ start: Double = 1, _ end: Double = 31, product: String = "prod_pro",
    id: String = "sub_1", customer: String = "cus_1", changing changes: [String: String] = [:]
  ) -> String {
    let item = """
      {"id": "si_1", "object": "subscription_item", "quantity": 1, "metadata": {},
       "current_period_start": \(second(start)), "current_period_end": \(second(end)),
       "price": \(price(product))}
      """
    return object(
      [
        "id": "\"\(id)\"", "object": "\"subscription\"", "customer": "\"\(customer)\"",
        "status": "\"\(status)\"", "created": "\(second(1))", "start_date": "\(second(1))",
        "cancel_at": "null", "cancel_at_period_end": "false", "canceled_at": "null",
        "ended_at": "null", "trial_start": "null", "trial_end": "null", "livemode": "true",
        "pause_collection": "null", "pending_update": "null", "metadata": "{}",
        "items": #"{"object": "list", "has_more": false, "data": [\#(item)]}"#,
      ], changes)
  }

  static func price(_ product: String) -> String {
    """
    {"id": "price_\(product)", "object": "price", "product": "\(product)", "currency": "usd",
     "unit_amount": 999, "recurring": {"interval": "month", "interval_count": 1}}
    """
  }

  static func trial(_ start: Double, _ end: Double) -> [String: String] {
    ["trial_start": "\(second(start))", "trial_end": "\(second(end))"]
  }

  static func invoice(
    _ number: Int = 1, _ status: String = "paid", _ start: Double = 1, _ end: Double = 31,
    product: String = "prod_pro", amount: Int = 999, currency: String = "usd",
    subscription: String = "sub_1", customer: String = "cus_1",
    changing changes: [String: String] = [:]
  ) -> String {
    let line = """
      {"id": "il_\(number)", "object": "line_item", "amount": \(amount),
       "currency": "\(currency)", "quantity": 1, "discount_amounts": [],
       "period": {"start": \(second(start)), "end": \(second(end))},
       "parent": {"type": "subscription_item_details", "subscription_item_details":
         {"proration": false, "subscription": "\(subscription)", "subscription_item": "si_1"}},
       "pricing": {"type": "price_details", "unit_amount_decimal": "\(amount)",
         "price_details": {"price": "price_\(product)", "product": "\(product)"}}}
      """
    let payment = #"{"payment": {"type": "payment_intent", "payment_intent": "pi_\#(number)"}}"#
    return object(
      [
        "id": "\"in_\(number)\"", "object": "\"invoice\"", "customer": "\"\(customer)\"",
        "status": "\"\(status)\"", "created": "\(second(start))", "currency": "\"\(currency)\"",
        "billing_reason": start == 1 ? "\"subscription_create\"" : "\"subscription_cycle\"",
        "amount_due": "\(amount)", "amount_paid": status == "paid" ? "\(amount)" : "0",
        "livemode": "true", "metadata": "{}",
        "lines": #"{"object": "list", "has_more": false, "data": [\#(line)]}"#,
        "payments": #"{"object": "list", "data": [\#(payment)]}"#,
        "parent": """
        {"type": "subscription_details", "subscription_details":
         {"subscription": "\(subscription)", "metadata": {}}}
        """,
      ], changes)
  }

  static func charge(refunded: Int, _ number: Int = 1) -> String {
    """
    {"id": "ch_\(number)", "object": "charge", "amount": 999, "amount_captured": 999,
     "amount_refunded": \(refunded), "currency": "usd", "customer": "cus_1", "livemode": true,
     "payment_intent": "pi_\(number)", "status": "succeeded", "paid": true, "captured": true}
    """
  }

  static func dispute(_ status: String, _ number: Int = 1) -> String {
    """
    {"id": "dp_\(number)", "object": "dispute", "amount": 999, "currency": "usd",
     "charge": "ch_\(number)", "payment_intent": "pi_\(number)", "status": "\(status)",
     "created": \(second(10)), "livemode": true}
    """
  }

  static func checkout(
    mode: String, paymentStatus: String, changing changes: [String: String] = [:]
  ) -> String {
    let line =
      #"{"id": "li_1", "object": "item", "amount_total": 999, "currency": "usd","#
      + #" "quantity": 1, "price": {"id": "price_once", "product": "prod_pro"}}"#
    let isSubscription = mode == "subscription"
    return object(
      [
        "id": "\"cs_1\"", "object": "\"checkout.session\"", "mode": "\"\(mode)\"",
        "status": "\"complete\"", "payment_status": "\"\(paymentStatus)\"",
        "customer": "\"cus_1\"", "client_reference_id": "\"user_1\"", "livemode": "true",
        "created": "\(second(1))", "metadata": "{}",
        "subscription": isSubscription ? "\"sub_1\"" : "null",
        "invoice": isSubscription ? "\"in_1\"" : "null",
        "payment_intent": isSubscription ? "null" : "\"pi_1\"",
        "line_items": #"{"object": "list", "has_more": false, "data": [\#(line)]}"#,
      ], changes)
  }

  /// The first period, paid.
  static let firstPayment = StripeHook("in_1", "invoice.paid", at: 1, invoice())
  /// The subscription at its start.
  static let creation = StripeHook(
    "created", "customer.subscription.created", at: 1, subscription("active"))

  static func updated(
    _ id: String, at day: Double, _ object: String, previous: String? = "{}"
  ) -> StripeHook {
    StripeHook(id, "customer.subscription.updated", at: day, object, previous: previous)
  }

  static func deleted(at day: Double, _ changes: [String: String] = [:]) -> StripeHook {
    StripeHook(
      "deleted", "customer.subscription.deleted", at: day,
      subscription(
        "canceled",
        changing: ["ended_at": "\(second(day))", "canceled_at": "\(second(day))"]
          .merging(changes) { _, new in new }))
  }

  /// The events that the adapter reads in the body.
  func events(
    _ adapter: StripeAdapter = StripeAdapter(trustsUnsigned: true),
    _ location: SourceLocation = #_sourceLocation
  ) -> [Event] {
    switch adapter.read(ProviderDocument(body: body, receivedAt: day(100))) {
    case .events(let events): return events
    case .refused(let refusal):
      Issue.record("\(refusal)", sourceLocation: location)
      return []
    }
  }
}
