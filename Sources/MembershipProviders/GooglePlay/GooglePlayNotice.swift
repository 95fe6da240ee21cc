import MembershipModel

/// What one fetched resource is about, and when it was so.
struct GooglePlayNotice {
  /// The name of the purchase: what all that Google says of it goes by.
  let token: String
  let membership: MembershipID
  let object: DocumentObject
  /// When it was fetched.
  let at: Timestamp
  /// The notification that led to the fetch, where it is of the same purchase.
  let trigger: GooglePlayTrigger?

  /// The time of the notification, where it is of one of these types and not after the fetch.
  func triggered(by type: Int64) -> Timestamp? {
    guard let trigger, trigger.kind == "subscriptionNotification", trigger.type == type,
      let time = trigger.at, time <= at
    else { return nil }
    return time
  }
}

/// A notification, as far as it tells more than the resource that was fetched because of it.
struct GooglePlayTrigger {
  /// The field of the developer notification that is given.
  let kind: String
  let type: Int64?
  let at: Timestamp?
  /// The product of a one-time purchase, which the older resource does not name.
  let product: String?

  init?(_ notification: DocumentObject, token: String?) {
    let kinds = GooglePlayTable.notifications.map(\.field)
    guard let kind = kinds.first(where: { notification.given($0) != nil }),
      let object = notification.object(kind)
    else { return nil }
    if let token, object.text("purchaseToken") != token { return nil }
    self.kind = kind
    type = object.integer("notificationType")
    at = notification.wideMilliseconds("eventTimeMillis")
    product = object.text("sku")
  }
}
