import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

/// Documents damaged at random must be read to events that can be recorded, or be refused.
@Suite struct RevenueCatHostileTests {
  typealias R = RevenueCatFixture

  static let documents: [JSONValue] =
    RevenueCatDocumentationTests.types.sorted().map {
      R.webhook(
        $0,
        [
          "cancel_reason": "CUSTOMER_SUPPORT", "new_product_id": "max",
          "auto_resume_at_ms": .integer(R.march), "aliases": ["a", .string(R.anonymous)],
        ])
    } + [
      R.transfer(from: ["a", "b"], to: ["c"]),
      R.subscriber(
        subscriptions: [
          "pro": R.subscription(["unsubscribe_detected_at": "2026-01-02T00:00:00Z"]),
          "max": R.subscription(["refunded_at": "2026-01-03T00:00:00Z", "store": "stripe"]),
        ],
        single: ["coin": [["id": "x", "purchase_date": "2026-01-02T00:00:00Z"]]]),
      R.row(), R.row(["refunded_at": "2026-01-03 00:00:00", "store": "stripe"]),
      [R.webhook("RENEWAL"), R.row()],
    ]

  static let poison: [JSONValue] = [
    .null, true, false, 0, 1, -1, .integer(.max), .integer(.min), 253_402_300_800_000,
    -62_135_596_800_001, 78_789_789_798_798, R.number("0.5"), "", "x", "\u{0}", "2026-01-01", [],
    [:],
    [[]], [nil], [[:]], ["id": nil], .string(String(repeating: "ä", count: 300)),
    .array(Array(repeating: "a", count: 1200)), "TRIAL", "STRIPE", "PLAY_STORE", "PROMOTIONAL",
    "BILLING_ERROR", "..", "a..b", ":", "$RCAnonymousID:", "9999-99-99 99:99:99", "1e400",
  ]

  private static let damage = DocumentDamage(poison: poison, read: read)

  @Test(arguments: 0..<UInt64(6))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    for document in Self.documents {
      try Self.damage.damageFields(of: document, seed: seed, times: 20)
    }
  }

  @Test(arguments: 100..<UInt64(104))
  func `no damage to the bytes of a document traps`(seed: UInt64) throws {
    for document in Self.documents {
      try Self.damage.changeBytes(of: document, seed: seed, times: 10)
    }
  }

  @Test func `every field takes every wrong value`() throws {
    for document in Self.documents { try Self.damage.poisonFields(of: document) }
  }

  @Test func `every beginning of a document is refused`() {
    let body = Array(R.webhook("RENEWAL").text().utf8)
    for length in 0..<body.count {
      guard case .refused(let refusal) = Self.read(Array(body.prefix(length))) else {
        Issue.record("\(length) bytes are read")
        continue
      }
      #expect(refusal.code == .unreadable)
    }
  }

  @Test(arguments: [
    #"{"event":{"id":"a","id":"b"}}"#, #"{"event":{"id":1e999}}"#,
    String(repeating: "[", count: 200), "\u{FEFF}{}", "{\"event\":\u{0}}",
  ])
  func `what is not JSON is refused`(text: String) {
    guard case .refused(let refusal) = Self.read(Array(text.utf8)) else {
      Issue.record("\(text) is read")
      return
    }
    #expect(refusal.code == .unreadable)
    #expect(!refusal.isWorthRetrying)
  }

  private static func read(_ body: [UInt8]) -> Reading {
    R.trusting.read(ProviderDocument(body: body, receivedAt: R.at(R.march)))
  }
}
