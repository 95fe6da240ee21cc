import MembershipModel

/// One purchase as a subscriber object or a row of an export shows it: the latest that is known.
struct RevenueCatSnapshot {
  let object: DocumentObject
  let product: String
  let store: RevenueCatStore
  /// Whether it is a subscription.
  let renews: Bool
  let isRenewal: Bool
  let isSandbox: Bool
  /// When it was so.
  let seenAt: Timestamp
  let transactionText: String?
  let originalText: String?
  let start: Timestamp?
  let expiresAt: Timestamp?
  let graceUntil: Timestamp?
  /// RevenueCat's word for the period: `normal`, `trial`, `intro` and so on.
  let periodType: String
  let kind: TransactionKind?
  let amount: Money?
  let ownership: Ownership
  let refundedAt: Timestamp?
  let unsubscribedAt: Timestamp?
  let hasBillingIssue: Bool
  let resumesAt: Timestamp?

  /// Reads an entry of a subscriber object.
  ///
  /// It names the latest transaction alone. Where that is not the first one, the membership goes by
  /// it all the same: the first is not shown.
  init(_ object: DocumentObject, product: String, renews: Bool, seenAt: Timestamp) {
    self.object = object
    self.product = product
    self.renews = renews
    self.seenAt = seenAt
    store = RevenueCatStore(name: (object.text("store") ?? "unknown").lowercased())
    // What does not say that its money is real never counts as real.
    isSandbox = object.flag("is_sandbox") ?? true
    transactionText = object.text("store_transaction_id") ?? object.text("id")
    originalText = transactionText
    start = object.time("purchase_date")
    expiresAt = object.time("expires_date")
    isRenewal = object.time("original_purchase_date") != start
    graceUntil = object.time("grace_period_expires_date")
    let price = object.expanded("price")?.money("amount", in: "currency")
    amount = price
    let periodType = object.text("period_type")?.lowercased() ?? ""
    self.periodType = periodType
    kind = Self.kind(periodType, renews: renews, price, object.faults)
    ownership = object.text("ownership_type") == "FAMILY_SHARED" ? .familyShared : .purchased
    refundedAt = object.time("refunded_at")
    unsubscribedAt = object.time("unsubscribe_detected_at")
    hasBillingIssue = object.time("billing_issues_detected_at") != nil
    resumesAt = object.time("auto_resume_date")
  }

  private static func kind(
    _ periodType: String, renews: Bool, _ price: Money?, _ faults: DocumentFaults
  ) -> TransactionKind? {
    if !renews { return .oneTime }
    let kind = RevenueCatNotice.kind(ofPeriod: periodType, costing: price)
    if kind == nil { faults.note("the period type \"\(periodType)\" is not known") }
    return kind
  }

  /// Reads a row of a transaction export; nil where it does not say when it was.
  init?(row: DocumentObject, observedAt: Timestamp?) {
    object = row
    product = row.text("product_identifier") ?? ""
    store = RevenueCatStore(name: (row.text("store") ?? "unknown").lowercased())
    renews = !store.isPromotional && row.cell("is_auto_renewable") ?? true
    isRenewal = row.cell("renewal_number") != 1
    isSandbox = row.cell("is_sandbox") ?? true
    transactionText = row.text("store_transaction_id")
    originalText = row.text("original_store_transaction_id") ?? transactionText
    start = row.columnTime("start_time")
    expiresAt = row.columnTime("end_time")
    graceUntil = row.columnTime("grace_period_end_time")
    amount =
      row.columnMoney("purchase_price_in_purchased_currency")
      ?? row.columnMoney("price_in_purchased_currency")
    ownership = row.text("ownership_type") == "FAMILY_SHARED" ? .familyShared : .purchased
    refundedAt = row.columnTime("refunded_at")
    unsubscribedAt = row.columnTime("unsubscribe_detected_at")
    let billingIssueAt = row.columnTime("billing_issues_detected_at")
    hasBillingIssue = billingIssueAt != nil
    resumesAt = row.columnTime("auto_resume_time")
    periodType = Self.periodType(row)
    kind =
      store.isPromotional
      ? expiresAt == nil ? .oneTime : .free
      : renews ? RevenueCatNotice.kind(ofPeriod: periodType, costing: amount) : .oneTime
    let shown = [start, refundedAt, unsubscribedAt, billingIssueAt].compactMap { $0 }.max()
    guard let seenAt = row.columnTime("updated_at") ?? shown ?? observedAt else { return nil }
    self.seenAt = seenAt
  }

  private static func periodType(_ row: DocumentObject) -> String {
    if row.cell("is_trial_period") == true { return "trial" }
    return row.cell("is_in_intro_offer_period") == true ? "intro" : "normal"
  }

  /// What was bought once was bought when it says, whenever it is told of.
  var effectiveAt: Timestamp {
    expiresAt == nil ? start ?? seenAt : seenAt
  }
}
