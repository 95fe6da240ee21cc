import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Seats in a ledger") struct SeatReadTests {
  /// Two seats of a membership of Stripe's, both claimed.
  private func withSeats(_ body: (Ledger) throws -> Void) throws {
    try withLedger(TestClock(day(5))) { ledger in
      var catalog = Make.catalog
      catalog.products[0].isPerSeat = true
      try ledger.add(Make.catalogEvent("manual:c", catalog))
      var purchase = Make.purchase("stripe:evt_1", days(1, 31))
      guard case .purchased(var transaction) = purchase.facts[0].body else { return }
      transaction.quantity = 2
      purchase.facts[0].body = .purchased(transaction)
      try ledger.add(purchase)
      for (seat, customer) in [("s1", "ann"), ("s2", "bob")] {
        let claim = SeatClaim(
          seat: SeatID(stringLiteral: seat), customer: CustomerID(stringLiteral: customer))
        try ledger.add(
          Make.event(
            EventID(stringLiteral: "manual:\(seat)"), at: day(2), account: nil, provider: .manual,
            Fact(.seatClaimed(claim), membership: "stripe:sub_1")))
      }
      try body(ledger)
    }
  }

  @Test func `checks, lists and explanations know who has a seat`() throws {
    try withSeats { ledger in
      let premium = try ledger.entitlement("premium")
      #expect(try ledger.isEntitled("ann", to: premium))
      #expect(try !ledger.isEntitled("stripe:cus_1", to: premium))
      let all = try ledger.memberships()
      #expect(all.map(\.role) == [.seat, .seat, .owner])
      #expect(all.map(\.customer) == ["ann", "bob", "stripe:cus_1"])
      #expect(all.map(\.isActive) == [true, true, false] && all[2].status == .active)
      let decision = try ledger.decision(for: "bob", on: "premium", explained: true)
      #expect(decision.isEntitled && decision.evidence.contains("manual:s2"))
      #expect(
        try ledger.events(matching: EventFilter(customer: "ann")).map(\.event.id)
          == ["stripe:evt_1", "manual:s1", "manual:s2"])
      try expectSound(ledger)
    }
  }

  @Test
  func `a seat that finds no room is denied from the change on, and not before by what was known`()
    throws
  {
    try withSeats { ledger in
      let change = PlanChange(
        at: day(10), from: Offer(product: "prod_pro"), to: Offer(product: "prod_pro"), quantity: 1)
      try ledger.add(
        Make.event(
          "stripe:evt_2", at: day(10), Fact(.planChanged(change), membership: "stripe:sub_1")))
      let premium = try ledger.entitlement("premium")
      #expect(try ledger.isEntitled("ann", to: premium, at: day(12)))
      #expect(try !ledger.isEntitled("bob", to: premium, at: day(12)))
      let known = try ledger.asKnown(at: .position(4))
      #expect(try known.decision(for: "bob", on: "premium", at: day(12)).isEntitled)
      try ledger.rebuild()
      #expect(try !ledger.isEntitled("bob", to: premium, at: day(12)))
      try expectSound(ledger)
    }
  }

  @Test func `a reading without the membership misses it once, however many have seats`() throws {
    try withSeats { ledger in
      let report = try ledger.reconcile([], of: .stripe, in: nil)
      #expect(report.missing.map(\.id) == ["stripe:sub_1"])
      #expect(report.missing.map(\.role) == [.owner])
    }
  }
}
