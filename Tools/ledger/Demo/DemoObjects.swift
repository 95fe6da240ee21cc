/// The subscription of the tour, as Stripe shows it at one moment.
struct DemoSubscription {
  var status = "active"
  /// The period paid for or tried, as times of the tour.
  var start: String
  var end: String
  var isEnding = false
  var canceledAt: String?
  var endedAt: String?
  var invoice: String?

  private static let bought = DemoTime.seconds("01-05 10:00")
  private static let trialEnd = DemoTime.seconds("01-12 10:00")

  var json: String {
    let reason = canceledAt == nil ? "null" : "\"cancellation_requested\""
    return """
      {"id":"sub_Demo42","object":"subscription","application":null,\
      "automatic_tax":{"enabled":false,"liability":null},\
      "billing_cycle_anchor":\(Self.trialEnd),\
      "cancel_at":\(isEnding ? "\(DemoTime.seconds(end))" : "null"),\
      "cancel_at_period_end":\(isEnding),"canceled_at":\(instant(canceledAt)),\
      "cancellation_details":{"comment":null,"feedback":null,"reason":\(reason)},\
      "collection_method":"charge_automatically","created":\(Self.bought),"currency":"usd",\
      "customer":"cus_Demo42","default_payment_method":"pm_Demo42","ended_at":\(instant(endedAt)),\
      "items":{"object":"list","data":[\(item)],"has_more":false,"total_count":1,\
      "url":"/v1/subscription_items?subscription=sub_Demo42"},\
      "latest_invoice":\(text(invoice)),"livemode":true,"metadata":{},"pause_collection":null,\
      "pending_update":null,"schedule":null,"start_date":\(Self.bought),"status":"\(status)",\
      "test_clock":null,"trial_end":\(Self.trialEnd),"trial_start":\(Self.bought)}
      """
  }

  private var item: String {
    """
    {"id":"si_Demo42","object":"subscription_item","created":\(Self.bought),\
    "current_period_end":\(DemoTime.seconds(end)),"current_period_start":\(DemoTime.seconds(start)),\
    "discounts":[],"metadata":{},"price":{"id":"price_monthly","object":"price","active":true,\
    "billing_scheme":"per_unit","currency":"usd","livemode":true,"metadata":{},"nickname":null,\
    "product":"prod_Sound","recurring":{"interval":"month","interval_count":1,\
    "usage_type":"licensed"},"type":"recurring","unit_amount":999,"unit_amount_decimal":"999"},\
    "quantity":1,"subscription":"sub_Demo42","tax_rates":[]}
    """
  }
}

/// A monthly invoice of the tour.
struct DemoInvoice {
  let number: Int
  var status = "paid"
  var start: String
  var end: String
  var attempts = 1
  var paidAt: String?

  var id: String { "in_Demo0\(number)" }

  var json: String {
    let paid = status == "paid" ? 999 : 0
    return """
      {"id":"\(id)","object":"invoice","amount_due":999,"amount_paid":\(paid),\
      "amount_remaining":\(999 - paid),"attempt_count":\(attempts),"attempted":true,\
      "auto_advance":\(status != "paid"),"billing_reason":"subscription_cycle",\
      "collection_method":"charge_automatically","created":\(DemoTime.seconds(start)),\
      "currency":"usd","customer":"cus_Demo42","livemode":true,\
      "lines":{"object":"list","data":[\(line)],"has_more":false,"total_count":1,\
      "url":"/v1/invoices/\(id)/lines"},"metadata":{},"parent":{"quote_details":null,\
      "subscription_details":{"metadata":{},"subscription":"sub_Demo42"},\
      "type":"subscription_details"},"status":"\(status)",\
      "status_transitions":{"finalized_at":\(DemoTime.seconds(start)),\
      "marked_uncollectible_at":null,"paid_at":\(instant(paidAt)),"voided_at":null},\
      "subtotal":999,"total":999}
      """
  }

  private var line: String {
    """
    {"id":"il_Demo0\(number)","object":"line_item","amount":999,"currency":"usd",\
    "description":"1 × Sound Pro (at $9.99 / month)","discount_amounts":[],"discountable":true,\
    "invoice":"\(id)","livemode":true,"metadata":{},\
    "parent":{"invoice_item_details":null,"subscription_item_details":{"invoice_item":null,\
    "proration":false,"subscription":"sub_Demo42","subscription_item":"si_Demo42"},\
    "type":"subscription_item_details"},\
    "period":{"end":\(DemoTime.seconds(end)),"start":\(DemoTime.seconds(start))},\
    "pricing":{"price_details":{"price":"price_monthly","product":"prod_Sound"},\
    "type":"price_details","unit_amount_decimal":"999"},"quantity":1,"taxes":[]}
    """
  }

  /// What tells which payment paid the invoice.
  func payment(at time: String) -> String {
    """
    {"id":"inpay_Demo0\(number)","object":"invoice_payment","amount_paid":999,\
    "amount_requested":999,"created":\(DemoTime.seconds(start)),"currency":"usd",\
    "invoice":"\(id)","is_default":true,"livemode":true,\
    "payment":{"payment_intent":"pi_Demo0\(number)","type":"payment_intent"},"status":"paid",\
    "status_transitions":{"canceled_at":null,"paid_at":\(DemoTime.seconds(time))}}
    """
  }

  /// The charge that paid the invoice, with what was given back of it.
  func charge(refunded: Int, at time: String) -> String {
    """
    {"id":"ch_Demo0\(number)","object":"charge","amount":999,"amount_captured":999,\
    "amount_refunded":\(refunded),"captured":true,"created":\(DemoTime.seconds(time)),\
    "currency":"usd","customer":"cus_Demo42","disputed":false,"livemode":true,"metadata":{},\
    "paid":true,"payment_intent":"pi_Demo0\(number)","payment_method":"pm_Demo42",\
    "refunded":\(refunded == 999),"status":"succeeded"}
    """
  }

  /// The bank's question about the charge.
  func dispute(status: String, at time: String) -> String {
    """
    {"id":"dp_Demo0\(number)","object":"dispute","amount":999,"balance_transactions":[],\
    "charge":"ch_Demo0\(number)","created":\(DemoTime.seconds(time)),"currency":"usd",\
    "is_charge_refundable":false,"livemode":true,"metadata":{},\
    "payment_intent":"pi_Demo0\(number)","reason":"fraudulent","status":"\(status)"}
    """
  }
}

/// The checkout session in which the customer of the tour signed up.
enum DemoCheckout {
  static let json = """
    {"id":"cs_live_Demo42","object":"checkout.session","amount_subtotal":0,"amount_total":0,\
    "client_reference_id":"user_42","created":\(DemoTime.seconds("01-05 09:58")),\
    "currency":"usd","customer":"cus_Demo42","expires_at":\(DemoTime.seconds("01-06 09:58")),\
    "invoice":null,"livemode":true,"metadata":{},"mode":"subscription","payment_intent":null,\
    "payment_method_types":["card"],"payment_status":"no_payment_required","status":"complete",\
    "subscription":"sub_Demo42","success_url":"https://sound.example/welcome"}
    """
}

private func instant(_ time: String?) -> String {
  time.map { "\(DemoTime.seconds($0))" } ?? "null"
}

private func text(_ text: String?) -> String {
  text.map { "\"\($0)\"" } ?? "null"
}
