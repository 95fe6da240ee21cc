import LedgerCrypto
import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeSignatureTests {
  static let nodeBody = "{\n  \"id\": \"evt_test_webhook\",\n  \"object\": \"event\"\n}"

  func read(
    _ body: String, _ header: String?, secrets: [String], at seconds: Int64,
    trustsUnsigned: Bool = false
  ) -> Reading {
    var headers: [String: String] = [:]
    if let header { headers["Stripe-Signature"] = header }
    let adapter = StripeAdapter(secrets: secrets, trustsUnsigned: trustsUnsigned)
    return adapter.read(
      ProviderDocument(
        body: Array(body.utf8), headers: headers, receivedAt: Timestamp(seconds: seconds)))
  }

  func signed(_ body: String, _ secret: String, at seconds: Int64) -> String {
    let code = HMACSHA256.authenticationCode(
      for: Array("\(seconds).\(body)".utf8), key: Array(secret.utf8))
    return "t=\(seconds),v1=\(code)"
  }

  @Test(arguments: [
    (
      body: #"{"key":"value"}"#, secret: "SECRET", time: Int64(123),
      code: "7b15c7edc2183ad5be71922cc180f70b1ce4c0925c45abb6b1676ad43cb79173"
    ),
    (
      body: nodeBody, secret: "whsec_test_secret", time: 12345,
      code: "2672d138c9a412830f3bfe2ecc5bfb3277cf6f5b49d0119d77dd6cb64da1257e"
    ),
    (
      body: nodeBody, secret: "whsec_test_secret", time: 1_492_774_577,
      code: "c2f890decbc5ede7c5060bb9a6d31e0626a4342bacb9aeae2adb1bcea72f9812"
    ),
  ])
  func `a published signature is right, and wrong for any other body, secret or time`(
    vector: (body: String, secret: String, time: Int64, code: String)
  ) {
    let header = "t=\(vector.time),v1=\(vector.code)"
    func code(_ body: String, _ secret: String, _ header: String) -> Refusal.Code? {
      refusal(read(body, header, secrets: [secret], at: vector.time))
    }
    // The bodies of the vectors are no whole events: what is right passes on to the shape.
    let passed = code(vector.body, vector.secret, header)
    #expect(passed == .wrongShape || passed == nil)
    #expect(code(vector.body + " ", vector.secret, header) == .signatureMismatch)
    #expect(code(vector.body, vector.secret + "x", header) == .signatureMismatch)
    #expect(
      code(vector.body, vector.secret, "t=\(vector.time + 1),v1=\(vector.code)")
        == .signatureMismatch)
  }

  @Test func `one match among several signatures and several secrets is enough`() {
    let other = "911b8d64f1a89c73cec478d4ace90345a6c268f5f60892060ea1af531b4fe97c"
    let right = "7b15c7edc2183ad5be71922cc180f70b1ce4c0925c45abb6b1676ad43cb79173"
    for header in ["t=123,v1=\(right),v1=\(other)", "t=123,v1=\(other),v1=\(right),v0=\(other)"] {
      let reading = read(#"{"key":"value"}"#, header, secrets: ["OLD", "SECRET"], at: 123)
      #expect(refusal(reading) == .wrongShape)
    }
  }

  @Test func `a verified webhook says by what it was verified`() throws {
    let body = StripeFixture.event("customer.created", ["id": "cus_1", "object": "customer"]).text()
    let header = signed(body, "whsec_1", at: 1000)
    guard case .events(let events) = read(body, header, secrets: ["whsec_1"], at: 1000) else {
      Issue.record("refused")
      return
    }
    #expect(events.map(\.provenance.origin) == [.webhook])
    #expect(
      events.map(\.provenance.verification) == [
        Verification(.verified, method: "stripe-signature v1")
      ])
    #expect(events.map(\.provenance.document) == [[]])
  }

  @Test func `the time may lie 300 seconds away, and no further, on either side`() {
    let body = StripeFixture.event("ping", [:]).text()
    let header = signed(body, "whsec_1", at: 1_000_000)
    func code(at seconds: Int64) -> Refusal.Code? {
      refusal(read(body, header, secrets: ["whsec_1"], at: seconds))
    }
    #expect(code(at: 1_000_300) == nil)
    #expect(code(at: 1_000_301) == .tooOld)
    #expect(code(at: 999_700) == nil)
    #expect(code(at: 999_699) == .fromFuture)
  }

  @Test func `times at the ends of the number range are refused, not trapped on`() {
    let body = "{}"
    for time in [Int64.max, 0] {
      for received in [Timestamp.distantPast, .distantFuture, .earliest, .latest] {
        let document = ProviderDocument(
          body: Array(body.utf8), headers: ["stripe-signature": signed(body, "s", at: time)],
          receivedAt: received)
        let code = refusal(StripeAdapter(secrets: ["s"]).read(document))
        #expect(code == .tooOld || code == .fromFuture)
      }
    }
  }

  @Test(arguments: [
    "", ",", ",,", "garbage", "t", "t=,v1=aa", "t,v1=,v0=", "t=1", "v1=aa", "t=1,v1=", "t=1,v1=zz",
    "t=1,v1=aa", "t=-1,v1=aa", "t=1.5,v1=aa", "t=99999999999999999999,v1=aa", "t= ,v1=aa",
    "t=1,t=2,v1=7b15c7edc2183ad5be71922cc180f70b1ce4c0925c45abb6b1676ad43cb79173",
    "t=1,v0=7b15c7edc2183ad5be71922cc180f70b1ce4c0925c45abb6b1676ad43cb79173",
    "t=1,v2=7b15c7edc2183ad5be71922cc180f70b1ce4c0925c45abb6b1676ad43cb79173",
    "t=1,,v1=7b15c7edc2183ad5be71922cc180f70b1ce4c0925c45abb6b1676ad43cb79173",
    "t=1,v1=7b15c7edc2183ad5be71922cc180f70b1ce4c0925c45abb6b1676ad43cb7917",
  ])
  func `a header of another form is refused as such`(header: String) {
    let reading = read(#"{"key":"value"}"#, header, secrets: ["SECRET"], at: 1)
    #expect(refusal(reading) == .badSignatureHeader)
  }

  @Test func `codes that are no hexadecimal of 32 bytes are skipped beside a right one`() {
    let body = StripeFixture.event("ping", [:]).text()
    let header = signed(body, "whsec_1", at: 5) + ", v1=zz, v1=00"
    #expect(refusal(read(body, header, secrets: ["whsec_1"], at: 5)) == nil)
  }

  @Test func `an empty body is signed like any other, and no document`() {
    let header = signed("", "whsec_1", at: 5)
    #expect(refusal(read("", header, secrets: ["whsec_1"], at: 5)) == .unreadable)
    #expect(refusal(read("", header, secrets: ["whsec_2"], at: 5)) == .signatureMismatch)
  }

  @Test func `what is unsigned is refused unless it is trusted`() throws {
    let body = StripeFixture.event("ping", [:]).text()
    #expect(refusal(read(body, nil, secrets: ["whsec_1"], at: 5)) == .missingSignature)
    #expect(refusal(read(body, nil, secrets: [], at: 5)) == .noSecret)
    #expect(refusal(read(body, "t=1,v1=00", secrets: [], at: 5)) == .noSecret)
    let trusted = read(body, nil, secrets: ["whsec_1"], at: 5, trustsUnsigned: true)
    guard case .events(let events) = trusted else {
      Issue.record("refused")
      return
    }
    #expect(events.map(\.provenance.verification) == [Verification(.unverified)])
  }

  @Test func `a wrong signature is refused even where unsigned documents are trusted`() {
    let body = StripeFixture.event("ping", [:]).text()
    let header = signed(body, "whsec_2", at: 5)
    let reading = read(body, header, secrets: ["whsec_1"], at: 5, trustsUnsigned: true)
    #expect(refusal(reading) == .signatureMismatch)
  }

  @Test func `an empty secret proves nothing`() {
    let body = StripeFixture.event("ping", [:]).text()
    #expect(refusal(read(body, signed(body, "", at: 5), secrets: [""], at: 5)) == .noSecret)
    #expect(
      refusal(read(body, signed(body, "", at: 5), secrets: ["", "whsec_1"], at: 5))
        == .signatureMismatch)
  }

  @Test func `two signature headers that differ by case of name are refused`() {
    let document = ProviderDocument(
      body: [], headers: ["Stripe-Signature": "t=1", "stripe-signature": "t=1"],
      receivedAt: receivedAt)
    #expect(refusal(StripeAdapter(secrets: ["s"]).read(document)) == .badSignatureHeader)
  }

  @Test func `a secret with white space around it is named as the likely fault`() {
    let body = StripeFixture.event("ping", [:]).text()
    let reading = read(body, signed(body, "whsec_1", at: 5), secrets: ["whsec_1\n"], at: 5)
    guard case .refused(let refusal) = reading else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.remedy.contains("white space"))
  }

  @Test func `no description shows a secret`() {
    let adapter = StripeAdapter(secrets: ["whsec_hidden"])
    #expect(!"\(adapter)".contains("hidden"))
    let reading = read(
      "{}", "t=1,v1=\(String(repeating: "0", count: 64))", secrets: ["whsec_hidden"], at: 1)
    #expect(!"\(reading)".contains("hidden"))
  }
}
