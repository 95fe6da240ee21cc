import LedgerCrypto
import MembershipModel

/// The signature of the older generations: a code that covers the body alone, without a time.
struct WhopSignature {
  static let headerName = "x-whop-signature"
  static let method = "x-whop-signature"

  private let code: Digest

  /// Reads `[sha256=]HEX`; nil where the document has no such header.
  init?(headerOf document: ProviderDocument) throws(Refusal) {
    let headers = document.headerValues(named: Self.headerName)
    if headers.isEmpty { return nil }
    let prefix = "sha256="
    let header = headers.first ?? ""
    let digits = header.hasPrefix(prefix) ? header.dropFirst(prefix.count) : header[...]
    guard headers.count == 1, let code = Digest(hexadecimal: String(digits)) else {
      throw Refusal(
        .badSignatureHeader, message: "the X-Whop-Signature header is no code of 64 digits",
        remedy: "hand over the header exactly as Whop sent it")
    }
    self.code = code
  }

  func verify(_ document: ProviderDocument, keys: [[UInt8]]) throws(Refusal) {
    var isSigned = false
    for key in keys {
      let expected = HMACSHA256.authenticationCode(for: document.body, key: key)
      if constantTimeEquals(expected, code) { isSigned = true }
    }
    guard isSigned else { throw .wrongCode(of: "X-Whop-Signature", secrets: keys.count) }
  }
}
