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

  @Test(arguments: 0..<UInt64(6))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for document in Self.documents {
      for _ in 0..<20 {
        var damaged = document
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          damaged = damage(damaged, using: &random)
        }
        expectReadable(Array(damaged.text().utf8), seed)
      }
    }
  }

  @Test(arguments: 100..<UInt64(104))
  func `no damage to the bytes of a document traps`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for document in Self.documents {
      for _ in 0..<10 {
        var bytes = Array(document.text().utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = bytes.indices.randomElement(using: &random) ?? 0
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: index)
          default: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: index)
          }
        }
        expectReadable(bytes, seed)
      }
    }
  }

  @Test func `every field takes every wrong value`() {
    for document in Self.documents {
      guard let event = document["event"], let fields = event.fields else { continue }
      for field in fields {
        for value in Self.poison {
          let spoiled = event.with(.object([.init(field.key, value)]))
          expectReadable(Array(JSONValue.object([.init("event", spoiled)]).text().utf8), 0)
        }
      }
    }
  }

  @Test func `every beginning of a document is refused`() {
    let body = Array(R.webhook("RENEWAL").text().utf8)
    for length in 0..<body.count {
      guard case .refused(let refusal) = read(Array(body.prefix(length))) else {
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
    guard case .refused(let refusal) = read(Array(text.utf8)) else {
      Issue.record("\(text) is read")
      return
    }
    #expect(refusal.code == .unreadable)
    #expect(!refusal.isWorthRetrying)
  }

  private func read(_ body: [UInt8]) -> Reading {
    R.trusting.read(ProviderDocument(body: body, receivedAt: R.at(R.march)))
  }

  private func expectReadable(_ body: [UInt8], _ seed: UInt64) {
    guard case .events(let events) = read(body) else { return }
    for event in events {
      let record = event.encoded()
      // Decoding checks every rule of the model.
      let isSound =
        record.count < RecordedEvent.maximumSize && !event.facts.isEmpty
        && (try? Event(decoding: record))?.encoded() == record
      #expect(isSound, "seed \(seed): \(String(decoding: body, as: UTF8.self))")
    }
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
