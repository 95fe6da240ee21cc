import MembershipModel

/// A membership as one document shows it, the same for all generations.
struct WhopMembership {
  let id: MembershipID
  /// Whop's own word.
  let status: String
  let offer: Offer
  let quantity: Int64
  /// The present period of billing; nil for what is bought once.
  let period: Period?
  /// When what is bought once runs out; nil where it does not, or where that is not shown.
  let expiresAt: Timestamp?
  let createdAt: Timestamp?
  /// Whether the older generations call it valid; nil where the document does not say.
  let isValid: Bool?
  let isEnding: Bool
  let canceledAt: Timestamp?
  let cancellationReason: String
  /// Whether nothing is charged meanwhile; nil where the document does not say.
  let isCollectionPaused: Bool?

  /// Reads a membership; nil where the object is none.
  init?(_ object: DocumentObject) {
    guard let name = object.text("id"), name.hasPrefix("mem_"),
      let id: MembershipID = object.identifier("id")
    else { return nil }
    self.id = id
    status = object.text("status") ?? ""
    offer = object.whopOffer
    quantity = object.integer("quantity") ?? 1
    period = Self.period(of: object)
    let end = object.moment("current_period_end")
    expiresAt = object.moment("expires_at") ?? (period == nil ? end : nil)
    createdAt = object.moment("created_at")
    isValid = object.flag("valid")
    isEnding = object.flag("cancel_at_period_end") == true || status == "canceling"
    canceledAt = object.moment("canceled_at")
    cancellationReason = object.text("cancel_option") ?? ""
    isCollectionPaused = object.flag("payment_collection_paused")
  }

  /// Dated versions show the end of the period and its length in days instead of its start.
  private static func period(of object: DocumentObject) -> Period? {
    guard let end = object.moment("renewal_period_end") ?? object.moment("current_period_end")
    else { return nil }
    var start = object.moment("renewal_period_start")
    if start == nil, let days = object.integer("billing_period_days"), (1...36525).contains(days) {
      start = end.adding(milliseconds: -days * 86_400_000)
    }
    guard let start else { return nil }
    if start > end {
      object.faults.note("the period ends before it starts")
      return nil
    }
    return Period(start: start, end: end)
  }

  var standing: Standing {
    switch status {
    case "active", "canceling", "completed": .active
    case "trialing": .trialing
    case "past_due": .pastDue
    // Neither word is explained by Whop; its own apps give no access under them.
    case "unresolved", "drafted": .incomplete
    case "canceled", "expired": .ended
    default: .unrecognized(0)
    }
  }

  /// All that the membership consists of; nothing where that cannot be told.
  var observedItems: [ObservedItem] {
    offer == Offer() ? [] : [ObservedItem(offer: offer, quantity: quantity)]
  }

  var trackedFields: [String] {
    let times = [period?.start, period?.end, expiresAt, canceledAt].map { $0?.description ?? "" }
    return [id.rawValue, status, offer.product, offer.plan, "\(quantity)", "\(isEnding)"]
      + [isValid, isCollectionPaused].map { $0.map(String.init) ?? "" } + times
  }

  static let shownTime: @Sendable (DocumentObject) -> Timestamp? = { object in
    if let updated = object.moment("updated_at") { return updated }
    return ["created_at", "joined_at", "renewal_period_start", "canceled_at"]
      .compactMap(object.moment).max()
  }
}
