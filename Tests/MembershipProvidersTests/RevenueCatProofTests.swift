import LedgerCrypto
import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

/// What proves a webhook, and what does not.
@Suite struct RevenueCatProofTests {
  typealias R = RevenueCatFixture

  private let secret = "rcsec_4f1b"
  private let body = Array(R.webhook("RENEWAL").text().utf8)
  private let signedAt = R.january / 1000

  private func code(_ body: [UInt8], _ secret: String) -> String {
    let message = Array("\(signedAt).".utf8) + body
    return Hexadecimal.encode(
      HMACSHA256.authenticationCode(for: message, key: Array(secret.utf8)).bytes)
  }

  private func read(
    _ headers: [String: String], body: [UInt8]? = nil, secrets: [String]? = nil,
    trusting: Bool = false, receivedAfter seconds: Int64 = 10
  ) -> Reading {
    RevenueCatAdapter(secrets: secrets ?? [secret], trustsUnsigned: trusting).read(
      ProviderDocument(
        body: body ?? self.body, headers: headers,
        receivedAt: Timestamp(seconds: signedAt + seconds)))
  }

  private func signed(_ code: String) -> [String: String] {
    ["X-RevenueCat-Webhook-Signature": "t=\(signedAt),v1=\(code)"]
  }

  private func verdict(_ reading: Reading) -> String {
    switch reading {
    case .events(let events): events.first?.provenance.verification.method ?? "none"
    case .refused(let refusal): refusal.code.rawValue
    }
  }

  @Test func `a signature over the body proves it`() {
    let headers = signed(code(body, secret))
    #expect(verdict(read(headers)) == "x-revenuecat-webhook-signature v1")
    #expect(
      verdict(read(headers, secrets: ["old", secret])) == "x-revenuecat-webhook-signature v1")
    let both = signed("\(code(body, "new")),v1=\(code(body, secret))")
    #expect(verdict(read(both)) == "x-revenuecat-webhook-signature v1")
  }

  @Test func `one bit flipped in the body, the code or the secret is refused`() {
    let right = code(body, secret)
    for index in body.indices {
      var flipped = body
      flipped[index] ^= 1 << (index % 8)
      #expect(verdict(read(signed(right), body: flipped)) == "signatureMismatch", "byte \(index)")
    }
    for (index, digit) in right.enumerated() {
      var digits = Array(right)
      digits[index] = digit == "0" ? "1" : "0"
      #expect(verdict(read(signed(String(digits)))) == "signatureMismatch", "digit \(index)")
    }
    for index in secret.utf8.indices {
      var bytes = Array(secret.utf8)
      bytes[secret.utf8.distance(from: secret.utf8.startIndex, to: index)] ^= 1
      let wrong = String(decoding: bytes, as: UTF8.self)
      #expect(verdict(read(signed(right), secrets: [wrong])) == "signatureMismatch")
    }
  }

  @Test func `the time of a signature is signed and bounded`() {
    let right = code(body, secret)
    let later = ["X-RevenueCat-Webhook-Signature": "t=\(signedAt + 1),v1=\(right)"]
    #expect(verdict(read(later)) == "signatureMismatch")
    #expect(verdict(read(signed(right), receivedAfter: 300)) != "tooOld")
    #expect(verdict(read(signed(right), receivedAfter: 301)) == "tooOld")
    #expect(verdict(read(signed(right), receivedAfter: -301)) == "fromFuture")
    let broken = ["X-RevenueCat-Webhook-Signature": "v1=\(right)"]
    #expect(verdict(read(broken)) == "badSignatureHeader")
  }

  @Test func `the whole Authorization header is the secret`() {
    let secrets = ["Bearer abc"]
    #expect(
      verdict(read(["authorization": "Bearer abc"], secrets: secrets)) == "authorization header")
    for wrong in ["Bearer abd", "bearer abc", "abc", "Bearer abc ", "Bearer ab", ""] {
      #expect(
        verdict(read(["Authorization": wrong], secrets: secrets)) == "signatureMismatch", "\(wrong)"
      )
    }
  }

  @Test func `a wrong signature is not made up for by a right header`() {
    let headers = signed(code(body, "another")).merging(["Authorization": secret]) { $1 }
    #expect(verdict(read(headers)) == "signatureMismatch")
    #expect(verdict(read(headers, trusting: true)) == "signatureMismatch")
  }

  @Test func `without proof a document is refused unless it is trusted`() {
    #expect(verdict(read([:])) == "missingSignature")
    #expect(verdict(read([:], secrets: [])) == "noSecret")
    #expect(verdict(read([:], secrets: [""])) == "noSecret")
    #expect(verdict(read([:], secrets: [], trusting: true)) == "")
  }

  @Test func `secrets are not described`() {
    let adapter = RevenueCatAdapter(secrets: [secret], trustsUnsigned: true)
    #expect("\(adapter)" == "RevenueCatAdapter(1 secrets, trustsUnsigned: true)")
  }

  @Test func `documents of another environment are refused`() {
    let adapter = RevenueCatAdapter(trustsUnsigned: true, environment: .sandbox)
    guard case .refused(let refusal) = adapter.read(R.document(R.webhook("RENEWAL"))) else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.code == .wrongEnvironment)
  }

  static let strangers: [(json: JSONValue, code: Refusal.Code)] = [
    ([:], .wrongShape), ("x", .wrongShape), (["event": "x"], .wrongShape),
    ([["object": "subscription"]], .wrongShape), (["event": ["type": "TEST"]], .malformed),
    (["event": ["id": ""]], .malformed), (["event": ["id": "a\u{0}"]], .malformed),
    (["subscriber": [:]], .missingTime),
    (["subscriber": [:], "request_date_ms": 0], .malformed),
    (["rc_original_app_user_id": "a"], .missingTime),
  ]

  @Test(arguments: strangers.indices)
  func `what is no document of RevenueCat's is refused`(index: Int) {
    let (json, code) = Self.strangers[index]
    guard case .refused(let refusal) = R.trusting.read(R.document(json)) else {
      Issue.record("not refused: \(json.text())")
      return
    }
    #expect(refusal.code == code)
  }
}
