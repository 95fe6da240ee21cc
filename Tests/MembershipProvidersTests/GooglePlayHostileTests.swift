import FoundationEssentials
import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

/// Documents damaged at random must be read to events that can be recorded, or be refused.
@Suite struct GooglePlayHostileTests {
  typealias G = GooglePlay

  static let documents: [JSONValue] =
    [
      "PENDING", "ACTIVE", "IN_GRACE_PERIOD", "CANCELED", "ON_HOLD", "PAUSED", "EXPIRED",
      "PENDING_PURCHASE_CANCELED",
    ].map { state in
      G.fetched(
        G.subscription(
          state, items: [G.item(), G.item("extra", until: nil)],
          changing: [
            "linkedPurchaseToken": "token_0", "testPurchase": [:],
            "canceledStateContext": ["userInitiatedCancellation": ["cancelTime": "2026-01-02"]],
            "pausedStateContext": ["autoResumeTime": "2026-05-01T00:00:00Z"],
            "outOfAppPurchaseContext": ["expiredPurchaseToken": "token_9"],
          ]), because: G.subscriptionNotification(12))
    } + [
      G.wrapped("product", G.olderProduct), G.wrapped("product", G.newerProduct),
      G.wrapped("voided", G.voided), ["voidedPurchases": [G.voided, G.voided]],
      G.subscriptionNotification(4), G.notification("testNotification", [:]),
      [
        "message": [
          "messageId": "1",
          "data": .string(Data(G.subscriptionNotification(3).text().utf8).base64EncodedString()),
        ]
      ],
    ]

  static let poison: [JSONValue] = [
    .null, true, false, 0, 1, -1, .integer(.max), .integer(.min), "", "x", "\u{0}", "0", "-1",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z", "2026-01-01", [], [:], [[]], [nil], [[:]], "token_1", "token_0",
    .string(String(repeating: "ä", count: 300)),
    .array(Array(repeating: ["productId": "a"], count: 1100)), "SUBSCRIPTION_STATE_ACTIVE",
    "PURCHASED",
  ]

  private static let damage = DocumentDamage(poison: poison) { body in
    G.trusting.read(
      ProviderDocument(body: body, receivedAt: at(0), observedAt: at(1_800_000_000)))
  }

  @Test(arguments: 0..<UInt64(8))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    for document in Self.documents {
      try Self.damage.damageFields(of: document, seed: seed, times: 10)
    }
  }

  @Test func `every field of every document takes every poison`() throws {
    for document in Self.documents { try Self.damage.poisonNodes(of: document) }
  }

  @Test func `every beginning of a document is refused or read`() throws {
    for document in Self.documents { try Self.damage.cutOff(document) }
  }

  @Test func `bytes that are no UTF-8 and keys given twice are refused`() {
    let bytes = Array(G.fetched(G.subscription()).text().utf8)
    for body in [
      bytes.map { $0 == UInt8(ascii: "p") ? 0xff : $0 },
      Array(#"{"packageName":"a","#.utf8) + bytes.dropFirst(),
    ] {
      let document = ProviderDocument(body: body, receivedAt: at(0))
      #expect(refusal(G.trusting.read(document)) == .unreadable)
    }
  }
}
