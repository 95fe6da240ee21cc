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

  private static let damage = DocumentDamage(poison: poison) { body in
    trustingStripe.read(
      ProviderDocument(body: body, receivedAt: receivedAt, observedAt: receivedAt))
  }

  @Test(arguments: 0..<UInt64(8))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    for document in Self.documents {
      try Self.damage.damageFields(of: document, seed: seed, times: 10)
    }
  }

  @Test(arguments: 100..<UInt64(104))
  func `no damage to the bytes of a document traps`(seed: UInt64) throws {
    for document in Self.documents {
      try Self.damage.changeBytes(of: document, seed: seed, times: 10)
    }
  }
}
