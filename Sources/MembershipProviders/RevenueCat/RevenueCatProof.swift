import LedgerCrypto
import MembershipModel

/// What proves that a document is RevenueCat's: a signature over the body, or a shared secret in
/// the `Authorization` header.
struct RevenueCatProof {
  let secrets: [String]
  let tolerance: Duration
  let trustsUnsigned: Bool

  private static let signature = TimedSignature.Form(
    provider: "RevenueCat", header: "X-RevenueCat-Webhook-Signature")
  private static let authorization = "authorization"

  /// A signature goes first: it covers the body, and the header of the shared secret does not.
  func verify(_ document: ProviderDocument) throws(Refusal) -> Verification {
    if let verdict = document.verdict { return verdict }
    if !secrets.isEmpty {
      if let header = try only(Self.signature.headerName, in: document) {
        try TimedSignature(parsing: header, as: Self.signature).verify(
          document, secrets: secrets, tolerance: tolerance)
        return Verification(.verified, method: Self.signature.method)
      }
      if let header = try only(Self.authorization, in: document) {
        try check(header)
        return Verification(.verified, method: "\(Self.authorization) header")
      }
    }
    if trustsUnsigned { return Verification(.unverified) }
    if secrets.isEmpty {
      throw Refusal(
        .noSecret, message: "there is no secret to check a webhook with",
        remedy: "give the endpoint's signing secret or the value of its Authorization header, or "
          + "say that unsigned documents are trusted")
    }
    throw Refusal(
      .missingSignature,
      message: "there is neither an X-RevenueCat-Webhook-Signature nor an Authorization header",
      remedy: "hand over the request's headers, or say that unsigned documents are trusted")
  }

  private func only(_ name: String, in document: ProviderDocument) throws(Refusal) -> String? {
    let headers = document.headerValues(named: name)
    guard headers.count > 1 else { return headers.first }
    throw Refusal(
      .badSignatureHeader, message: "there are \(headers.count) \(name) headers",
      remedy: "hand over the one header that RevenueCat sent")
  }

  private func check(_ header: String) throws(Refusal) {
    var isRight = false
    for secret in secrets where constantTimeEquals(Array(header.utf8), Array(secret.utf8)) {
      isRight = true
    }
    guard isRight else {
      throw Refusal(
        .signatureMismatch,
        message: "the Authorization header is none of \(secrets.count) secrets",
        remedy: "give its whole value, as it was set up for this very endpoint")
    }
  }
}
