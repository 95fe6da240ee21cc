internal import FoundationEssentials

/// The documents of the tour's purchases at Google Play.
enum DemoPlay {
  private static let notification = """
    {"version":"1.0","packageName":"com.example.sound","eventTimeMillis":"1774436400000",\
    "subscriptionNotification":{"version":"1.0","notificationType":4,"purchaseToken":"play_1"}}
    """

  /// What the push says: that there is something to fetch.
  static let pushed = """
    {"message":{"attributes":{},"messageId":"136969346945","data":\
    "\(Data(notification.utf8).base64EncodedString())"},"subscription":"projects/sound"}
    """

  /// What is fetched then.
  static let bought = fetched(
    "play_1", order: "GPA.1111", from: "2026-03-25T11:00:00Z", until: "2026-04-25T11:00:00Z",
    acknowledgement: "PENDING",
    #""externalAccountIdentifiers":{"obfuscatedExternalAccountId":"user_77"}"#)

  /// A new purchase in the place of the first, which names no customer.
  static let changed = fetched(
    "play_2", order: "GPA.2222", from: "2026-03-28T08:00:00Z", until: "2027-03-28T08:00:00Z",
    acknowledgement: "ACKNOWLEDGED", #""linkedPurchaseToken":"play_1""#)

  private static func fetched(
    _ token: String, order: String, from start: String, until end: String,
    acknowledgement: String, _ owner: String
  ) -> String {
    """
    {"packageName":"com.example.sound","purchaseToken":"\(token)","observedAt":"\(start)",\
    "subscription":{"startTime":"\(start)","subscriptionState":"SUBSCRIPTION_STATE_ACTIVE",\
    "acknowledgementState":"ACKNOWLEDGEMENT_STATE_\(acknowledgement)",\(owner),\
    "lineItems":[{"productId":"sound_pro","expiryTime":"\(end)",\
    "latestSuccessfulOrderId":"\(order)","autoRenewingPlan":{"autoRenewEnabled":true}}]}}
    """
  }
}
