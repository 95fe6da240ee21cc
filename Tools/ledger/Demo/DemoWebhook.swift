internal import LedgerCrypto
internal import MembershipModel

/// A webhook of the tour: what Stripe sends, in its real shape.
struct DemoWebhook {
  /// The name of its file, without an ending.
  let name: String
  let body: String

  /// A webhook about an object.
  ///
  /// - Parameters:
  ///   - name: The name of its file.
  ///   - number: Its place in Stripe's own order, from which its id follows.
  ///   - type: Stripe's name of the event.
  ///   - created: When it happened.
  ///   - object: The object in JSON.
  ///   - previous: The former values of what changed, in JSON, where Stripe gives them.
  init(
    _ name: String, number: Int, _ type: String, created: String, _ object: String,
    previous: String? = nil
  ) {
    let suffix = String(number)
    let id = "evt_Demo" + String(repeating: "0", count: 4 - suffix.count) + suffix
    let changes = previous.map { ",\"previous_attributes\":\($0)" } ?? ""
    self.name = name
    body = """
      {"id":"\(id)","object":"event","api_version":"2025-06-30.basil",\
      "created":\(DemoTime.seconds(created)),"data":{"object":\(object)\(changes)},\
      "livemode":true,"pending_webhooks":1,"request":{"id":null,"idempotency_key":null},\
      "type":"\(type)"}
      """
  }

  /// The secret of the tour's endpoint; it protects nothing.
  static let secret = "whsec_demo_secret_of_no_value"

  /// The headers of a delivery at an instant: Stripe signs each delivery afresh.
  func headers(deliveredAt instant: Timestamp) -> String {
    let time = instant.milliseconds / 1000
    let code = HMACSHA256.authenticationCode(
      for: Array("\(time).\(body)".utf8), key: Array(Self.secret.utf8))
    return "Content-Type: application/json\nStripe-Signature: t=\(time),v1=\(code)\n"
  }
}
