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

  @Test(arguments: 0..<UInt64(8))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for document in Self.documents {
      for _ in 0..<10 {
        var damaged = document
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          damaged = damage(damaged, using: &random)
        }
        expectReadable(Array(damaged.text().utf8), seed)
      }
    }
  }

  @Test func `every field of every document takes every poison`() {
    for document in Self.documents {
      for poisoned in variants(of: document) {
        expectReadable(Array(poisoned.text().utf8), 0)
      }
    }
  }

  @Test func `every beginning of a document is refused or read`() {
    for document in Self.documents {
      let bytes = Array(document.text().utf8)
      for length in stride(from: 0, to: bytes.count, by: 7) {
        expectReadable(Array(bytes.prefix(length)), 0)
      }
    }
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

  private func expectReadable(_ body: [UInt8], _ seed: UInt64) {
    let document = ProviderDocument(body: body, receivedAt: at(0), observedAt: at(1_800_000_000))
    guard case .events(let events) = G.trusting.read(document) else { return }
    for event in events {
      let record = event.encoded()
      // Decoding checks every rule of the model.
      let isSound =
        record.count < RecordedEvent.maximumSize && !event.facts.isEmpty
        && (try? Event(decoding: record))?.encoded() == record
      #expect(isSound, "seed \(seed): \(String(decoding: body, as: UTF8.self))")
    }
  }

  /// The value with each of its nodes replaced by some poison in turn.
  private func variants(of value: JSONValue) -> [JSONValue] {
    var variants = Self.poison
    for (index, field) in (value.fields ?? []).enumerated() {
      var fields = value.fields ?? []
      for variant in self.variants(of: field.value) {
        fields[index] = .init(field.key, variant)
        variants.append(.object(fields))
      }
    }
    for (index, element) in (value.array ?? []).enumerated() {
      var elements = value.array ?? []
      for variant in self.variants(of: element) {
        elements[index] = variant
        variants.append(.array(elements))
      }
    }
    return variants
  }

  /// Replaces or removes one node, reached by a random walk.
  private func damage(_ value: JSONValue, using random: inout SeededGenerator) -> JSONValue {
    let descends = Int.random(in: 0..<8, using: &random) > 0
    switch value {
    case .object(var fields) where descends && !fields.isEmpty:
      let index = Int.random(in: 0..<fields.count, using: &random)
      if Int.random(in: 0..<10, using: &random) == 0 {
        fields.remove(at: index)
      } else {
        fields[index] = .init(fields[index].key, damage(fields[index].value, using: &random))
      }
      return .object(fields)
    case .array(var elements) where descends && !elements.isEmpty:
      let index = Int.random(in: 0..<elements.count, using: &random)
      elements[index] = damage(elements[index], using: &random)
      return .array(elements)
    default:
      return Self.poison.randomElement(using: &random) ?? .null
    }
  }
}
