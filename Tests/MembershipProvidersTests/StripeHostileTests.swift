import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

/// Documents damaged at random must be read to events that can be recorded, or be refused.
@Suite struct StripeHostileTests {
  typealias S = StripeFixture

  static let documents: [JSONValue] =
    Generation.allCases.flatMap { generation in
      [
        S.event(
          "customer.subscription.updated",
          S.subscription(
            generation, items: [S.item(), S.item("si_2")],
            changing: [
              "trial_start": .integer(S.january), "trial_end": .integer(S.february),
              "pause_collection": ["resumes_at": .integer(S.march)],
              "pending_update": ["subscription_items": [S.item()]],
            ]),
          previous: S.subscription(generation, status: "paused")),
        S.event(
          "customer.subscription.deleted",
          S.subscription(generation, status: "canceled", changing: ["ended_at": .integer(S.march)])),
        S.event(
          "invoice.paid", S.invoice(generation, lines: [S.line(generation), S.line(generation)])),
        S.event("invoice.payment_failed", S.invoice(generation, status: "open")),
        S.subscription(generation), S.invoice(generation),
      ]
    } + [
      S.event("charge.refunded", S.charge(refunded: 400), previous: ["amount_refunded": 0]),
      S.event("refund.updated", S.refund()),
      S.event("charge.dispute.created", S.dispute(status: "needs_response")),
      S.event("radar.early_fraud_warning.created", S.fraudWarning),
      S.event(
        "checkout.session.completed",
        S.checkout(mode: "payment", changing: ["line_items": S.lineItems])),
      S.event("subscription_schedule.updated", S.schedule(), previous: S.schedule()),
      S.event("entitlements.active_entitlement_summary.updated", S.summary),
      ["object": "list", "data": [S.checkout(), S.subscription()]],
    ]

  static let poison: [JSONValue] = [
    .null, true, false, 0, 1, -1, .integer(.max), .integer(.min), 253_402_300_800, -62_135_596_801,
    "", "x", "\u{0}", "stripe:cus_1", "2026-01-01", [], [:], [[]], [nil], [[:]], ["id": nil],
    .string(String(repeating: "ä", count: 300)), .array(Array(repeating: ["id": "a"], count: 1200)),
    "paid", "canceled", "active", "incomplete_expired", "subscription", "customer", "list",
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
        try expectReadable(Array(damaged.text().utf8), seed)
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
        try expectReadable(bytes, seed)
      }
    }
  }

  private func expectReadable(_ body: [UInt8], _ seed: UInt64) throws {
    let document = ProviderDocument(body: body, receivedAt: receivedAt, observedAt: receivedAt)
    guard case .events(let events) = trustingStripe.read(document) else { return }
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
      if Int.random(in: 0..<5, using: &random) == 0 {
        elements.append(elements[index])
      } else {
        elements[index] = damage(elements[index], using: &random)
      }
      return .array(elements)
    default:
      return Self.poison.randomElement(using: &random) ?? .null
    }
  }
}
