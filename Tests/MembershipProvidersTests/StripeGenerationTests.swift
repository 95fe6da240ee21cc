import MembershipModel
import MembershipProviders
import Testing

/// One event in the payloads before and since API version 2025-03-31.basil is one and the same.
@Suite struct StripeGenerationTests {
  typealias S = StripeFixture

  func expectEqual(
    _ type: String, previous: (Generation) -> JSONValue? = { _ in nil },
    _ object: (Generation) -> JSONValue, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let events = try Generation.allCases.map { generation in
      try event(
        in: S.event(type, object(generation), previous: previous(generation)), location)
    }
    #expect(events.allSatisfy { $0 == events.first }, sourceLocation: location)
    #expect(events.allSatisfy { !$0.facts.isEmpty && $0.facts.notes.isEmpty })
  }

  @Test(arguments: [
    "active", "trialing", "past_due", "unpaid", "incomplete", "paused", "canceled",
  ])
  func `subscriptions of every status`(status: String) throws {
    for type in ["created", "updated", "deleted", "paused", "resumed"] {
      try expectEqual("customer.subscription.\(type)") { generation in
        S.subscription(
          generation, status: status, items: [S.item(), S.item("si_2")],
          changing: [
            "trial_start": .integer(S.january), "trial_end": .integer(S.february),
            "cancel_at_period_end": true, "canceled_at": .integer(S.january),
          ])
      }
    }
  }

  @Test func `a renewal, whose former period lies in another place`() throws {
    try expectEqual(
      "customer.subscription.updated",
      previous: { generation in
        generation == .before
          ? [
            "current_period_start": .integer(S.january),
            "current_period_end": .integer(S.february),
          ]
          : ["items": S.subscription()["items"] ?? nil]
      },
      { S.subscription($0, from: S.february, to: S.march) })
  }

  @Test func `a plan change`() throws {
    try expectEqual(
      "customer.subscription.updated",
      previous: { ["items": S.subscription($0)["items"] ?? nil] },
      { S.subscription($0, items: [S.item(price: S.price("price_B", product: "prod_B"))]) })
  }

  @Test(arguments: [
    ("paid", "invoice.paid"), ("open", "invoice.payment_failed"), ("void", "invoice.voided"),
    ("uncollectible", "invoice.marked_uncollectible"), ("draft", "invoice.created"),
  ])
  func `invoices of every state, with lines of every kind`(status: String, type: String) throws {
    try expectEqual(type) { generation in
      let trial =
        generation == .before
        ? S.line(.before, item: "si_3", amount: 0)
        : S.line(.since, item: "si_3", price: S.price("price_A", amount: 0), amount: 0)
      return S.invoice(
        generation, status: status,
        lines: [
          S.line(generation), S.line(generation, item: "si_2", amount: -300, isProration: true),
          trial.with(["description": "Trial period for Pro"]),
        ])
    }
  }
}
