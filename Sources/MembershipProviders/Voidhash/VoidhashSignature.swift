import LedgerCrypto
import MembershipModel

/// The headers by which Voidhash signs: a time, and a code that covers it and the body.
///
/// Unlike Standard Webhooks, the code is hexadecimal, the id is not covered, and the secret is not
/// decoded.
struct VoidhashSignature {
  static let timeHeader = "x-webhook-timestamp"
  static let signatureHeader = "x-webhook-signature"
  static let method = "x-webhook-signature v1"

  /// The time as written: what was signed is its text, not its value.
  private let timeText: String
  private let signedAt: Int64
  private let codes: [Digest]

  /// Reads the headers; nil where the document has none of them.
  init?(headersOf document: ProviderDocument) throws(Refusal) {
    let times = document.headerValues(named: Self.timeHeader)
    let headers = document.headerValues(named: Self.signatureHeader)
    if headers.isEmpty { return nil }
    guard let timeText = times.first, let header = headers.first, times.count == 1,
      headers.count == 1, let signedAt = StandardWebhooks.seconds(timeText)
    else {
      throw .badHeaders("X-Webhook-Signature and a time in whole seconds are each given once")
    }
    codes = header.split(separator: ",").compactMap { part in
      let pair = part.split(separator: "=", maxSplits: 1)
      guard let scheme = pair.first, scheme.filter({ $0 != " " }) == "v1", pair.count == 2 else {
        return nil
      }
      return pair.last.flatMap { Digest(hexadecimal: String($0)) }
    }
    if codes.isEmpty { throw .badHeaders("X-Webhook-Signature has a code v1=HEX of 64 digits") }
    self.timeText = timeText
    self.signedAt = signedAt
  }

  /// Checks the codes first and the age after, so that an age says nothing to who cannot sign.
  func verify(
    _ document: ProviderDocument, keys: [[UInt8]], tolerance: Duration
  ) throws(Refusal) {
    let message = Array("\(timeText).".utf8) + document.body
    var isSigned = false
    for key in keys {
      let expected = HMACSHA256.authenticationCode(for: message, key: key)
      for code in codes where constantTimeEquals(expected, code) { isSigned = true }
    }
    guard isSigned else { throw .wrongCode(of: "X-Webhook-Signature", secrets: keys.count) }
    try SignatureAge.check(signedAt, at: document.receivedAt, tolerance, sender: "Voidhash")
  }
}

extension Refusal {
  fileprivate static func badHeaders(_ rule: String) -> Refusal {
    Refusal(
      .badSignatureHeader, message: "the webhook's headers cannot be read: \(rule)",
      remedy: "hand over the request's headers exactly as they came")
  }
}
