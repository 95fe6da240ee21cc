import FoundationEssentials
import LedgerCrypto
import MembershipModel

/// A signature as the Standard Webhooks specification has it: three headers, and codes that cover
/// the message's id, its time and its body.
struct StandardWebhooks {
  static let idHeader = "webhook-id"
  static let timeHeader = "webhook-timestamp"
  static let signatureHeader = "webhook-signature"
  static let method = "standard-webhooks v1"

  private let id: String
  /// The time as written: what was signed is its text, not its value.
  private let timeText: String
  let signedAt: Int64
  /// The codes of scheme v1, in base64 as written.
  private let codes: [Substring]

  /// Reads the headers; nil where the document has none of them.
  init?(headersOf document: ProviderDocument) throws(Refusal) {
    let ids = document.headerValues(named: Self.idHeader)
    let times = document.headerValues(named: Self.timeHeader)
    let lists = document.headerValues(named: Self.signatureHeader)
    if ids.isEmpty, lists.isEmpty { return nil }
    guard let id = ids.first, let timeText = times.first, let list = lists.first, ids.count == 1,
      times.count == 1, lists.count == 1
    else {
      throw .badHeaders("each of webhook-id, webhook-timestamp and webhook-signature is given once")
    }
    guard let signedAt = Self.seconds(timeText) else {
      throw .badHeaders("webhook-timestamp is a whole number of seconds")
    }
    // The specification separates by spaces; a comma is what joins headers of one name.
    codes = list.split(separator: " ").compactMap { part in
      let pair = part.split(separator: ",", maxSplits: 1)
      return pair.count == 2 && pair.first == "v1" ? pair.last : nil
    }
    if id.isEmpty || codes.isEmpty {
      throw .badHeaders("webhook-id is a name, and webhook-signature has a code of scheme v1")
    }
    self.id = id
    self.timeText = timeText
    self.signedAt = signedAt
  }

  static func seconds(_ text: String) -> Int64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
  }

  /// Checks the codes first and the age after, so that an age says nothing to who cannot sign.
  ///
  /// Codes are compared as text: one code has one spelling, so that no changed letter passes.
  func verify(
    _ document: ProviderDocument, keys: [[UInt8]], tolerance: Duration, sender: String
  ) throws(Refusal) {
    let message = Array("\(id).\(timeText).".utf8) + document.body
    var isSigned = false
    for key in keys {
      let expected = HMACSHA256.authenticationCode(for: message, key: key)
      let text = Array(Data(expected.bytes).base64EncodedString().utf8)
      for code in codes where constantTimeEquals(text, Array(code.utf8)) { isSigned = true }
    }
    guard isSigned else { throw .wrongCode(of: "webhook-signature", secrets: keys.count) }
    try SignatureAge.check(signedAt, at: document.receivedAt, tolerance, sender: sender)
  }
}

extension Refusal {
  fileprivate static func badHeaders(_ rule: String) -> Refusal {
    Refusal(
      .badSignatureHeader, message: "the webhook's headers cannot be read: \(rule)",
      remedy: "hand over the request's headers exactly as they came")
  }
}
