import FoundationEssentials
import LedgerCrypto
import MembershipModel
import Testing

@testable import MembershipProviders

@Suite struct WhopSignatureTests {
  typealias W = Whop

  static let body = W.event("ping", [:]).text()
  static let secret = "ws_5f2c8e1d"
  static let id = "msg_1"
  static let time: Int64 = 1_770_000_000

  static func encoded(_ text: String, _ key: [UInt8]) -> String {
    let code = HMACSHA256.authenticationCode(for: Array(text.utf8), key: key)
    return Data(code.bytes).base64EncodedString()
  }

  static func signed(
    _ body: String = body, secret: String = secret, id: String = id, at time: Int64 = time
  ) -> [String: String] {
    let code = encoded("\(id).\(time).\(body)", Array(secret.utf8))
    return [
      "Webhook-Id": id, "Webhook-Timestamp": "\(time)", "Webhook-Signature": "v1,\(code)",
    ]
  }

  func code(
    _ headers: [String: String], _ body: String = body, secrets: [String] = [secret],
    at received: Int64 = time, trusting: Bool = false
  ) -> Refusal.Code? {
    refusal(
      WhopAdapter(secrets: secrets, trustsUnsigned: trusting).read(
        ProviderDocument(
          body: Array(body.utf8), headers: headers, receivedAt: Timestamp(seconds: received))))
  }

  /// Made with `openssl dgst -sha256 -hmac ws_5f2c8e1d`: over `msg_1.1770000000.` and the body, in
  /// base64; and over the body alone, in hexadecimal.
  @Test func `codes that OpenSSL's command line computed are right`() {
    let body = #"{"type":"ping","data":{},"id":"msg_1"}"#
    let headers = [
      "webhook-id": "msg_1", "webhook-timestamp": "1770000000",
      "webhook-signature": "v1,pgtxHvMPa8uE1HfPcciXuZakkyIe5VMEZ1q/WarQ0yo=",
    ]
    #expect(code(headers, body) == nil)
    let older = "ae865cf6e2bb3e32d51444a70ce820853cfa1cf6438f1c5805892e6af2f252e2"
    #expect(code(["X-Whop-Signature": older], body) == nil)
    #expect(code(["X-Whop-Signature": "sha256=\(older)"], body) == nil)
  }

  @Test func `the vector published with Standard Webhooks is right`() throws {
    let key = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let document = ProviderDocument(
      body: Array(#"{"test": 2432232314}"#.utf8),
      headers: [
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      ],
      receivedAt: Timestamp(seconds: 1_614_265_330))
    let signature = try #require(try StandardWebhooks(headersOf: document))
    try signature.verify(document, keys: [Array(key)], tolerance: .seconds(300), sender: "X")
    #expect(throws: Refusal.self) {
      try signature.verify(
        document, keys: [Array(key.dropLast())], tolerance: .seconds(300), sender: "X")
    }
  }

  @Test func `a verified webhook says by what it was verified`() {
    let adapter = WhopAdapter(secrets: [Self.secret])
    let document = ProviderDocument(
      body: Array(Self.body.utf8), headers: Self.signed(),
      receivedAt: Timestamp(seconds: Self.time))
    guard case .events(let events) = adapter.read(document) else {
      Issue.record("refused")
      return
    }
    #expect(
      events.map(\.provenance.verification) == [
        Verification(.verified, method: "standard-webhooks v1")
      ])
  }

  @Test func `one bit flipped anywhere in body, headers or secret is refused`() {
    let headers = Self.signed()
    #expect(code(headers) == nil)
    for body in Self.body.withOneBitFlipped { #expect(code(headers, body) != nil, "\(body)") }
    for secret in Self.secret.withOneBitFlipped {
      #expect(code(headers, secrets: [secret]) == .signatureMismatch)
    }
    for (name, value) in headers {
      for flipped in value.withOneBitFlipped {
        var changed = headers
        changed[name] = flipped
        #expect(code(changed) != nil, "\(name): \(flipped)")
      }
    }
    let older = HMACSHA256.authenticationCode(
      for: Array(Self.body.utf8), key: Array(Self.secret.utf8)
    ).description
    #expect(code(["x-whop-signature": older]) == nil)
    // Digits of either case are the same digits.
    for flipped in older.withOneBitFlipped where flipped.lowercased() != older {
      #expect(code(["x-whop-signature": flipped]) != nil)
    }
  }

  @Test func `one match among several codes and several secrets is enough`() {
    var headers = Self.signed()
    let right = headers["Webhook-Signature"] ?? ""
    let wrong = "v1,\(Self.encoded("x", [1]))"
    for list in ["\(wrong) \(right)", "\(right) \(wrong)", "v1a,AAAA \(right)", "\(right) v2,AA"] {
      headers["Webhook-Signature"] = list
      #expect(code(headers, secrets: ["old", Self.secret]) == nil)
    }
  }

  @Test func `the time may lie 300 seconds away, and no further, on either side`() {
    let headers = Self.signed()
    #expect(code(headers, at: Self.time + 300) == nil)
    #expect(code(headers, at: Self.time + 301) == .tooOld)
    #expect(code(headers, at: Self.time - 300) == nil)
    #expect(code(headers, at: Self.time - 301) == .fromFuture)
    #expect(code(Self.signed(secret: "other"), at: Self.time + 301) == .signatureMismatch)
  }

  @Test(arguments: [
    ["webhook-id": "msg_1"], ["webhook-signature": "v1,AAAA"],
    ["webhook-id": "msg_1", "webhook-timestamp": "1"],
    ["webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": ""],
    ["webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1"],
    ["webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v2,AAAA"],
    ["webhook-id": "msg_1", "webhook-timestamp": "-1", "webhook-signature": "v1,AAAA"],
    ["webhook-id": "msg_1", "webhook-timestamp": "1.5", "webhook-signature": "v1,AAAA"],
    ["webhook-id": "msg_1", "webhook-timestamp": "", "webhook-signature": "v1,AAAA"],
    ["webhook-id": "", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA"],
    ["webhook-id": "a", "Webhook-Id": "a", "webhook-timestamp": "1", "webhook-signature": "v1,A"],
    ["x-whop-signature": "zz"], ["x-whop-signature": ""], ["x-whop-signature": "sha256="],
  ])
  func `headers of another form are refused as such`(headers: [String: String]) {
    #expect(code(headers) == .badSignatureHeader)
  }

  @Test func `what is unsigned is refused unless it is trusted, and a wrong code always`() {
    #expect(code([:]) == .missingSignature)
    #expect(code([:], secrets: []) == .noSecret)
    #expect(code([:], secrets: [""]) == .noSecret)
    #expect(code(Self.signed(), secrets: []) == .noSecret)
    #expect(code([:], trusting: true) == nil)
    #expect(code(Self.signed(secret: "other"), trusting: true) == .signatureMismatch)
  }

  @Test func `a code over id, time and body is none over the body alone`() {
    let text = "\(Self.id).\(Self.time).\(Self.body)"
    let stolen = HMACSHA256.authenticationCode(for: Array(text.utf8), key: Array(Self.secret.utf8))
    #expect(code(["x-whop-signature": stolen.description]) == .signatureMismatch)
    #expect(code(["x-whop-signature": stolen.description], text) == .unreadable)
  }

  @Test func `no description shows a secret`() {
    #expect(!"\(WhopAdapter(secrets: [Self.secret]))".contains(Self.secret))
  }
}

extension String {
  /// The texts that differ from this one by one bit.
  var withOneBitFlipped: [String] {
    let bytes = Array(utf8)
    return bytes.indices.flatMap { index in
      (0..<8).compactMap { bit in
        var flipped = bytes
        flipped[index] ^= 1 << bit
        return String(validating: flipped, as: UTF8.self)
      }
    }
  }
}
