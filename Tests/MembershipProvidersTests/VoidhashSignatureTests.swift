import LedgerCrypto
import MembershipModel
import MembershipProviders
import Testing

@Suite struct VoidhashSignatureTests {
  typealias V = Voidhash

  static let body = V.subscription("subscription.renewed").text()
  static let secret = "whsec_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  static let time: Int64 = 1_770_000_000

  static func signed(
    _ body: String = body, secret: String = secret, at time: Int64 = time
  ) -> [String: String] {
    let code = HMACSHA256.authenticationCode(
      for: Array("\(time).\(body)".utf8), key: Array(secret.utf8))
    return ["X-Webhook-Timestamp": "\(time)", "X-Webhook-Signature": "v1=\(code)"]
  }

  func code(
    _ headers: [String: String], _ body: String = body, secrets: [String] = [secret],
    at received: Int64 = time, trusting: Bool = false
  ) -> Refusal.Code? {
    refusal(
      VoidhashAdapter(secrets: secrets, trustsUnsigned: trusting).read(
        ProviderDocument(
          body: Array(body.utf8), headers: headers, receivedAt: Timestamp(seconds: received))))
  }

  /// Made with `openssl dgst -sha256 -hmac` and the secret, over `1770000000.` and the body.
  @Test func `a code that OpenSSL's command line computed is right`() {
    let body = #"{"type":"test.ping","message":"hello","timestamp":"2026-01-01T00:00:00.000Z"}"#
    let headers = [
      "x-webhook-timestamp": "1770000000", "x-webhook-event": "test.ping",
      "x-webhook-signature": "v1=d29d66a0b1a0b414eedfe47119e82c083f08436ae500f2c1015b5f5dce3ab3ee",
    ]
    #expect(code(headers, body) == nil)
  }

  @Test func `a verified webhook says by what it was verified`() {
    let document = ProviderDocument(
      body: Array(Self.body.utf8), headers: Self.signed(),
      receivedAt: Timestamp(seconds: Self.time))
    guard case .events(let events) = VoidhashAdapter(secrets: [Self.secret]).read(document) else {
      Issue.record("refused")
      return
    }
    #expect(
      events.map(\.provenance.verification) == [
        Verification(.verified, method: "x-webhook-signature v1")
      ])
  }

  @Test func `one bit flipped anywhere in body, headers or secret is refused`() {
    let headers = Self.signed()
    #expect(code(headers) == nil)
    for body in Self.body.withOneBitFlipped { #expect(code(headers, body) != nil) }
    for secret in Self.secret.withOneBitFlipped {
      #expect(code(headers, secrets: [secret]) == .signatureMismatch)
    }
    for (name, value) in headers {
      // Digits of either case are the same digits.
      for flipped in value.withOneBitFlipped where flipped.lowercased() != value {
        var changed = headers
        changed[name] = flipped
        #expect(code(changed) != nil, "\(name): \(flipped)")
      }
    }
  }

  @Test func `the secret of before a rotation is accepted beside the new one`() {
    #expect(code(Self.signed(secret: "whsec_old"), secrets: [Self.secret, "whsec_old"]) == nil)
    #expect(code(Self.signed(secret: "whsec_old")) == .signatureMismatch)
  }

  @Test func `the time may lie 300 seconds away, and no further, on either side`() {
    let headers = Self.signed()
    #expect(code(headers, at: Self.time + 300) == nil)
    #expect(code(headers, at: Self.time + 301) == .tooOld)
    #expect(code(headers, at: Self.time - 300) == nil)
    #expect(code(headers, at: Self.time - 301) == .fromFuture)
  }

  @Test(arguments: [
    ["x-webhook-signature": "v1=00"], ["x-webhook-signature": "", "x-webhook-timestamp": "1"],
    ["x-webhook-signature": "v1=zz", "x-webhook-timestamp": "1"],
    ["x-webhook-signature": "v2=00", "x-webhook-timestamp": "1"],
    ["x-webhook-signature": "v1", "x-webhook-timestamp": "1"],
    [
      "x-webhook-signature":
        "v1=7b15c7edc2183ad5be71922cc180f70b1ce4c0925c45abb6b1676ad43cb79173",
      "x-webhook-timestamp": "-1",
    ],
  ])
  func `headers of another form are refused as such`(headers: [String: String]) {
    #expect(code(headers) == .badSignatureHeader)
  }

  @Test func `what is unsigned is refused unless it is trusted, and a wrong code always`() {
    #expect(code([:]) == .missingSignature)
    #expect(code([:], secrets: []) == .noSecret)
    #expect(code([:], secrets: [""]) == .noSecret)
    #expect(code([:], trusting: true) == nil)
    #expect(code(Self.signed(secret: "other"), trusting: true) == .signatureMismatch)
    #expect(!"\(VoidhashAdapter(secrets: [Self.secret]))".contains("0123"))
  }
}
