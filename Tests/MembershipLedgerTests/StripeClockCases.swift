import LedgerTestSupport
import MembershipLedger
import Testing

/// Subscriptions on one of Stripe's test clocks: their time is the clock's, and their money not real.
@Suite struct StripeClockCases {
  private static let clock = ["test_clock": "\"clock_1\"", "livemode": "false"]

  /// What Stripe sends while the clock is moved on by a year, all on one real day.
  private static let hooks: [StripeHook] = [
    StripeHook(
      "1", "customer.subscription.created", at: 1,
      StripeHook.subscription("active", 1, 31, changing: clock), isLive: false),
    StripeHook(
      "2", "invoice.paid", at: 1, StripeHook.invoice(1, "paid", 1, 31, changing: clock),
      isLive: false),
    StripeHook(
      "3", "test_helpers.test_clock.advancing", at: 1.1,
      #"{"id": "clock_1", "object": "test_helpers.test_clock", "status": "advancing","#
        + #" "livemode": false, "frozen_time": \#(StripeHook.second(365))}"#,
      isLive: false),
    StripeHook(
      "4", "invoice.paid", at: 1.2, StripeHook.invoice(2, "paid", 331, 361, changing: clock),
      isLive: false),
    StripeHook(
      "5", "customer.subscription.deleted", at: 1.3,
      StripeHook.subscription(
        "canceled", 331, 361,
        changing: clock.merging([
          "ended_at": "\(StripeHook.second(350))", "canceled_at": "\(StripeHook.second(350))",
        ]) { $1 }),
      isLive: false),
  ]

  @Test func `a clock's own events are noted, and nothing else of them`() {
    let events = Self.hooks[2].events()
    #expect(events.map(\.environment) == [.sandbox])
    #expect(events.flatMap(\.facts).map(\.body.name) == ["noted"])
  }

  @Test func `access follows the clock's time, in the sandbox alone`() throws {
    let events = Self.hooks.flatMap { $0.events() }
    for order in [events, events.reversed()] {
      try withLedger(TestClock(day(1))) { ledger in
        try ledger.add(Make.catalogEvent())
        try ledger.add(all: order)
        for (number, isOpen) in [(1, true), (30, true), (100, false), (331, true), (349, true)]
          as [(Int64, Bool)]
        {
          let inSandbox = try ledger.decision(
            for: "stripe:cus_1", on: "premium", at: day(number), in: .sandbox)
          #expect(inSandbox.isEntitled == isOpen, "day \(number)")
          let real = try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(number))
          #expect(!real.isEntitled)
        }
        let ended = try ledger.decision(
          for: "stripe:cus_1", on: "premium", at: day(350), in: .sandbox)
        #expect(!ended.isEntitled)
        #expect(try ledger.memberships(at: day(30)).isEmpty)
        try expectSound(ledger)
      }
    }
  }
}
