import FoundationEssentials
import LedgerCrypto
import LedgerTestSupport
import MembershipModel
import Testing

@testable import MembershipProviders

/// What may not be recorded, provider by provider and error by error.
@Suite("Refusals of all providers") struct RefusalTests {
  /// One provider's endpoint, with whatever makes its documents believed.
  struct Endpoint: Sendable, CustomTestStringConvertible {
    let provider: Provider
    let adapter: any ProviderAdapter
    /// The headers of a body that is signed at an instant, by its own secret or a stranger's.
    let headers: @Sendable (_ body: [UInt8], _ seconds: Int64, _ isOwn: Bool) -> [String: String]
    /// A document that is accepted.
    let document: JSONValue
    /// Whether what proves a document has a time of its own that can be too far from now.
    var hasTime = true

    var testDescription: String { provider.rawValue }

    func read(
      _ body: [UInt8], signedAt seconds: Int64 = RefusalTests.now, isOwn: Bool = true
    ) -> Reading {
      adapter.read(
        ProviderDocument(
          body: body, headers: headers(body, seconds, isOwn),
          receivedAt: Timestamp(seconds: RefusalTests.now)))
    }
  }

  static let now: Int64 = 1_770_000_000

  private static func code(_ message: [UInt8], _ isOwn: Bool) -> [UInt8] {
    HMACSHA256.authenticationCode(for: message, key: Array((isOwn ? secret : "another").utf8)).bytes
  }

  private static func timed(_ body: [UInt8], _ seconds: Int64, _ isOwn: Bool) -> String {
    Hexadecimal.encode(code(Array("\(seconds).".utf8) + body, isOwn))
  }

  static let secret = "whsec_5f2c8e1d"

  static let endpoints: [Endpoint] = [
    Endpoint(
      provider: .stripe, adapter: StripeAdapter(secrets: [secret]),
      headers: { ["Stripe-Signature": "t=\($1),v1=\(timed($0, $1, $2))"] },
      document: StripeFixture.event("invoice.paid", StripeFixture.invoice())),
    Endpoint(
      provider: .whop, adapter: WhopAdapter(secrets: [secret]),
      headers: { body, seconds, isOwn in
        let code = Data(code(Array("m.\(seconds).".utf8) + body, isOwn)).base64EncodedString()
        return [
          "webhook-id": "m", "webhook-timestamp": "\(seconds)", "webhook-signature": "v1,\(code)",
        ]
      },
      document: Whop.event("membership.activated", Whop.membership())),
    Endpoint(
      provider: .voidhash, adapter: VoidhashAdapter(secrets: [secret]),
      headers: {
        ["X-Webhook-Timestamp": "\($1)", "X-Webhook-Signature": "v1=\(timed($0, $1, $2))"]
      },
      document: Voidhash.subscription("subscription.created")),
    Endpoint(
      provider: .revenueCat, adapter: RevenueCatAdapter(secrets: [secret]),
      headers: { ["X-RevenueCat-Webhook-Signature": "t=\($1),v1=\(timed($0, $1, $2))"] },
      document: RevenueCatFixture.webhook("RENEWAL")),
    Endpoint(
      provider: .googlePlay, adapter: GooglePlayAdapter(secrets: [secret]),
      headers: { _, _, isOwn in ["Authorization": "Bearer \(isOwn ? secret : "another")"] },
      document: GooglePlay.subscriptionNotification(4), hasTime: false),
    Endpoint(
      provider: .appStore,
      adapter: AppStoreAdapter(bundleID: AppStoreFixture.bundle, roots: testRoots),
      headers: { _, _, _ in [:] },
      document: signedNotification, hasTime: false),
  ]

  private static let testRoots: [AppStoreRoot] = {
    let root = AppStoreSignedTests.folder.appending(path: "root.der")
    return (try? AppStoreRoot(Array(Data(contentsOf: root)))).map { [$0] } ?? []
  }()

  private static let signedNotification: JSONValue = {
    let file = AppStoreSignedTests.folder.appending(path: "notifications.jsonl")
    let line = (try? Data(contentsOf: file))?.split(separator: UInt8(ascii: "\n")).first
    return (try? JSONValue(parsing: Array(line ?? Data()))) ?? .null
  }()

  private func refusal(
    _ reading: Reading, _ location: SourceLocation = #_sourceLocation
  ) throws -> Refusal {
    guard case .refused(let refusal) = reading else {
      Issue.record("it is accepted: \(reading)", sourceLocation: location)
      throw InvalidValue(value: "", rule: "a refusal")
    }
    #expect(refusal.httpStatus == (refusal.isWorthRetrying ? 503 : 200), sourceLocation: location)
    #expect(!refusal.message.isEmpty && !refusal.remedy.isEmpty, sourceLocation: location)
    return refusal
  }

  @Test(arguments: endpoints)
  func `what is as it should be is accepted`(_ endpoint: Endpoint) {
    let reading = endpoint.read(Array(endpoint.document.text().utf8))
    guard case .events(let events) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(events.allSatisfy { $0.provenance.verification.verdict == .verified })
  }

  @Test(arguments: endpoints)
  func `bytes that are none of its documents are refused for good`(_ endpoint: Endpoint) throws {
    for body in [#"{"hello":"world"}"#, "[]", "42", "null", #""text""#] {
      let reading = endpoint.read(Array(body.utf8))
      // An export of nothing, where lists are read.
      if body == "[]", reading == .events([]) { continue }
      let refusal = try refusal(reading)
      #expect([.wrongShape, .malformed].contains(refusal.code), "\(body): \(refusal)")
      #expect(refusal.httpStatus == 200)
    }
  }

  @Test(arguments: endpoints.filter { $0.provider != .appStore })
  func `a stranger's secret is refused, to be tried again`(_ endpoint: Endpoint) throws {
    let refusal = try refusal(
      endpoint.read(Array(endpoint.document.text().utf8), isOwn: false))
    #expect(refusal.code == .signatureMismatch)
    #expect(refusal.httpStatus == 503)
  }

  @Test func `a stranger's chain is refused for good`() throws {
    let adapter = AppStoreAdapter(bundleID: AppStoreFixture.bundle)
    let body = Array(Self.signedNotification.text().utf8)
    let refusal = try refusal(
      adapter.read(ProviderDocument(body: body, receivedAt: Timestamp(seconds: Self.now))))
    #expect(refusal.code == .untrustedChain && refusal.httpStatus == 200)
  }

  @Test(arguments: endpoints.filter(\.hasTime))
  func `a time too far from now is refused, to be tried again`(_ endpoint: Endpoint) throws {
    let body = Array(endpoint.document.text().utf8)
    for (seconds, code) in [(Self.now - 301, Refusal.Code.tooOld), (Self.now + 301, .fromFuture)] {
      let refusal = try refusal(endpoint.read(body, signedAt: seconds))
      #expect(refusal.code == code && refusal.httpStatus == 503)
    }
    for seconds in [Self.now - 300, Self.now + 300] {
      guard case .events = endpoint.read(body, signedAt: seconds) else {
        Issue.record("within the tolerance: \(endpoint.read(body, signedAt: seconds))")
        continue
      }
    }
  }

  /// What no parser may be fed with, and what the refusal has to name.
  private static let unreadable: [(name: String, body: [UInt8], rule: String)] = [
    ("nothing", [], "not empty"),
    ("no JSON", Array("id=1&type=a".utf8), "JSON"),
    ("cut off", Array(#"{"id": "a", "#.utf8), "JSON"),
    ("too large", Array(repeating: 0x20, count: 16 << 20 + 1), "16 MiB"),
    (
      "too deep",
      Array(repeating: UInt8(ascii: "["), count: 129)
        + Array(repeating: UInt8(ascii: "]"), count: 129), "128 deep"
    ),
    ("no UTF-8", Array(#"{"id": ""#.utf8) + [0xff, 0xfe] + Array(#""}"#.utf8), "UTF-8"),
    ("twice", Array(#"{"id": "a", "id": "b"}"#.utf8), "id"),
    ("two documents", Array("{} {}".utf8), "JSON"),
  ]

  @Test(arguments: endpoints)
  func `what is too large, too deep or no JSON is refused for good, and the rule named`(
    _ endpoint: Endpoint
  ) throws {
    for (name, body, rule) in Self.unreadable {
      let refusal = try refusal(endpoint.read(body))
      #expect(refusal.code == .unreadable, "\(name): \(refusal)")
      #expect(refusal.message.contains(rule), "\(name): \(refusal)")
      #expect(refusal.httpStatus == 200, "\(name)")
    }
  }

  /// Every number of the document, in turn, as one that nothing can hold.
  @Test(arguments: endpoints)
  func `a number out of range is refused, or kept without effect`(_ endpoint: Endpoint) throws {
    let text = endpoint.document.text()
    for number in ["1e400", "-1e400", "123456789012345678901234567890", "0.1e-400"] {
      for range in text.ranges(of: /[0-9]{9,}/) where text[range].allSatisfy(\.isNumber) {
        let body = Array(text.replacingCharacters(in: range, with: number).utf8)
        switch endpoint.read(body) {
        case .refused(let refusal): #expect(refusal.httpStatus == 200, "\(refusal)")
        case .events(let events):
          for event in events {
            #expect(try Event(decoding: event.encoded()).encoded() == event.encoded())
          }
        }
      }
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
