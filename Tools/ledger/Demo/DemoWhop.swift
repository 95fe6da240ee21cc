internal import FoundationEssentials
internal import LedgerCrypto
internal import MembershipModel

/// The tour's webhooks from Whop, signed by the Standard Webhooks specification.
enum DemoWhop {
  /// The secret of the tour's endpoint; it protects nothing.
  static let secret = "ws_demo_secret_of_no_value"

  static let joined = webhook(
    "msg_1", "membership.activated", at: "2026-04-05T10:00:00.000Z", status: "active",
    canceledAt: "null")

  /// Asked for at once, and in effect at the end of what is paid.
  static let left = webhook(
    "msg_2", "membership.cancel_at_period_end_changed", at: "2026-04-08T18:00:00.000Z",
    status: "canceling", canceledAt: #""2026-04-08T18:00:00.000Z""#)

  private static func webhook(
    _ id: String, _ type: String, at time: String, status: String, canceledAt: String
  ) -> String {
    """
    {"id":"\(id)","api_version":"v1","api_version_date":"2026-11-17","account_id":"biz_1",\
    "type":"\(type)","timestamp":"\(time)","data":{"id":"mem_1","status":"\(status)",\
    "created_at":"2026-04-05T10:00:00.000Z","joined_at":"2026-04-05T10:00:00.000Z",\
    "updated_at":"\(time)","cancel_at_period_end":\(status == "canceling"),\
    "canceled_at":\(canceledAt),"current_period_end":"2026-05-05T10:00:00.000Z",\
    "billing_period_days":30,"payment_collection_paused":false,\
    "user":{"id":"user_W"},"plan":{"id":"plan_1"},"product":{"id":"prod_Whop"},\
    "account":{"id":"biz_1"},"metadata":{"customer_id":"user_55"}}}
    """
  }

  /// The headers of a delivery at an instant.
  static func headers(of body: String, deliveredAt instant: Timestamp) -> String {
    let (id, time) = ("msg", instant.milliseconds / 1000)
    let code = HMACSHA256.authenticationCode(
      for: Array("\(id).\(time).\(body)".utf8), key: Array(secret.utf8))
    let text = Data(code.bytes).base64EncodedString()
    return "webhook-id: \(id)\nwebhook-timestamp: \(time)\nwebhook-signature: v1,\(text)\n"
  }
}
