import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Transfers and their undoing") struct TransferTests {
  /// A ledger in which user_1 holds a paid month of `stripe:sub_1`.
  private func withPurchase(_ body: (Ledger, TestClock) throws -> Void) throws {
    let clock = TestClock(day(5))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.link("stripe:cus_1", to: "user_1")
      try body(ledger, clock)
    }
  }

  private func holders(_ ledger: Ledger) throws -> [CustomerID] {
    try ledger.lineage(of: "stripe:sub_1")?.holders.map(\.customer) ?? []
  }

  private func has(_ ledger: Ledger, _ name: CustomerID, at instant: Timestamp) throws -> Bool {
    try ledger.decision(for: name, on: "premium", at: instant).isEntitled
  }

  @Test func `PEER-40 a transfer is one event, and at every instant one customer has access`()
    throws
  {
    try withPurchase { ledger, clock in
      clock.instant = day(10)
      let outcome = try ledger.transfer(
        "stripe:sub_1", to: "user_2", by: Attribution(actor: "ann", reason: "sold"))
      #expect(outcome.receipt?.position == 4)
      #expect(outcome.from == "user_1" && outcome.to == "user_2" && outcome.at == day(10))
      for (instant, owner) in [
        (day(10).adding(milliseconds: -1), "user_1"), (day(10), "user_2"),
        (day(10).adding(milliseconds: 1), "user_2"),
      ] as [(Timestamp, CustomerID)] {
        let entitled = try ["user_1", "user_2", "nobody"].filter {
          try has(ledger, CustomerID(stringLiteral: $0), at: instant)
        }
        #expect(entitled == [owner.rawValue])
      }
      let event = try #require(try ledger.events().last?.event)
      #expect(event.facts.count == 1 && event.reason == "sold" && event.actor == "ann")
      #expect(try ledger.transfer("stripe:sub_1", to: "user_2").receipt == nil)
      try expectSound(ledger)
    }
  }

  @Test func `a transfer to nobody's account or of an unknown membership is refused`() throws {
    try withPurchase { ledger, _ in
      #expect(code { try ledger.transfer("stripe:sub_9", to: "user_2") } == .unknownMembership)
      #expect(
        code { try ledger.transfer("stripe:sub_1", to: "stripe:cus_9") } == .anonymousCustomer)
      #expect(code { try ledger.undoTransfer(of: "stripe:sub_9") } == .unknownMembership)
      #expect(code { try ledger.undoTransfer(of: "stripe:sub_1") } == .nothingToUndo)
      let raw = Make.event(
        "manual:raw", at: day(5), account: nil, provider: .manual,
        Fact(.transferred(Transfer(to: "stripe:cus_9")), membership: "stripe:sub_1"))
      #expect(code { try ledger.add(raw) } == .anonymousCustomer)
      let merge = CustomerMerge(from: "user_1", into: "stripe:cus_9")
      #expect(
        code { try ledger.add(Make.manual("manual:m", .customersMerged(merge))) }
          == .anonymousCustomer)
      try ledger.link("stripe:cus_9", to: "user_9")
      #expect(try ledger.transfer("stripe:sub_1", to: "stripe:cus_9").receipt != nil)
      #expect(try holders(ledger) == ["user_1", "user_9"])
    }
  }

  @Test func `a store's word moves nothing from a customer to an account that is nobody's`() throws
  {
    try withPurchase { ledger, _ in
      try ledger.add(
        Make.event(
          "stripe:evt_t", at: day(8),
          Fact(
            .transferred(Transfer(to: "stripe:cus_9")), membership: "stripe:sub_1")))
      #expect(try holders(ledger) == ["user_1"])
      #expect(try has(ledger, "user_1", at: day(9)) && !has(ledger, "stripe:cus_9", at: day(9)))
      // Once the account is somebody's, the store's word counts, from its instant on.
      try ledger.link("stripe:cus_9", to: "user_9")
      #expect(try holders(ledger) == ["user_1", "user_9"])
      #expect(try has(ledger, "user_9", at: day(8)) && !has(ledger, "user_9", at: day(7)))
      try expectSound(ledger)
    }
  }

  @Test func `an undoing names what it undoes, one transfer after the other`() throws {
    try withPurchase { ledger, clock in
      clock.instant = day(6)
      let first = try ledger.transfer("stripe:sub_1", to: "user_2")
      clock.instant = day(7)
      let second = try ledger.transfer("stripe:sub_1", to: "user_3")
      clock.instant = day(8)
      let undone = try ledger.undoTransfer(of: "stripe:sub_1", by: Attribution(reason: "mistake"))
      #expect(undone.undoes == second.lineage.holders.last?.event)
      #expect(undone.from == "user_3" && undone.to == "user_2" && undone.at == day(8))
      clock.instant = day(9)
      let again = try ledger.undoTransfer(of: "stripe:sub_1")
      #expect(again.undoes == first.lineage.holders.last?.event && again.from == "user_2")
      // The name of the account, which is linked to user_1.
      #expect(again.to == "stripe:cus_1")
      #expect(try holders(ledger) == ["user_1", "user_2", "user_3", "user_2", "user_1"])
      #expect(code { try ledger.undoTransfer(of: "stripe:sub_1") } == .nothingToUndo)
      try expectSound(ledger)
    }
  }

  @Test func `an undoing takes back what was decided last, not what is planned`() throws {
    try withPurchase { ledger, clock in
      try ledger.transfer("stripe:sub_1", to: "user_2", at: day(20))
      clock.instant = day(6)
      let mistake = try ledger.transfer("stripe:sub_1", to: "user_3")
      clock.instant = day(7)
      let undone = try ledger.undoTransfer(of: "stripe:sub_1")
      #expect(undone.undoes == mistake.lineage.holder(at: day(6))?.event)
      #expect(undone.to == "stripe:cus_1" && undone.at == day(7))
      #expect(try holders(ledger) == ["user_1", "user_3", "user_1", "user_2"])
    }
  }

  @Test func `an undoing at the transfer's own instant leaves nothing of it in the effective past`()
    throws
  {
    try withPurchase { ledger, clock in
      clock.instant = day(10)
      try ledger.transfer("stripe:sub_1", to: "user_2", at: day(6))
      #expect(try has(ledger, "user_2", at: day(6)))
      let last = try ledger.lastPosition()
      let refusal = try #require(
        message { try ledger.undoTransfer(of: "stripe:sub_1", at: day(2)) })
      #expect(refusal.contains("\(day(2))") && refusal.contains("\(day(6))"))
      #expect(code { try ledger.undoTransfer(of: "stripe:sub_1", at: day(2)) } == .invalidEvent)
      #expect(try ledger.lastPosition() == last)
      try ledger.undoTransfer(of: "stripe:sub_1", at: day(6))
      #expect(try !has(ledger, "user_2", at: day(6)) && has(ledger, "user_1", at: day(7)))
      #expect(
        try ledger.asKnown(at: .position(4))
          .decision(for: "user_2", on: "premium", at: day(6)).isEntitled)
      // Decisions go by position, even where the clock has gone back.
      clock.instant = day(1)
      try ledger.transfer("stripe:sub_1", to: "user_3", at: day(6))
      #expect(try has(ledger, "user_3", at: day(6)))
      try expectSound(ledger)
    }
  }

  @Test func `what is undone by hand must be the transfer in force`() throws {
    try withPurchase { ledger, clock in
      clock.instant = day(6)
      try ledger.transfer("stripe:sub_1", to: "user_2", by: Attribution(id: "manual:t1"))
      func undo(_ event: EventID, to customer: CustomerID) -> Event {
        Make.event(
          "manual:u", at: day(7), account: nil, provider: .manual,
          Fact(
            .transferred(Transfer(to: customer, undoes: event)), membership: "stripe:sub_1"))
      }
      #expect(code { try ledger.add(undo("manual:t9", to: "stripe:cus_1")) } == .nothingToUndo)
      #expect(code { try ledger.add(undo("manual:t1", to: "user_9")) } == .nothingToUndo)
      try ledger.add(undo("manual:t1", to: "stripe:cus_1"))
      #expect(try holders(ledger) == ["user_1", "user_2", "user_1"])
    }
  }

  @Test func `the account that had nobody gets back what was taken from it`() throws {
    let clock = TestClock(day(5))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.transfer("stripe:sub_1", to: "user_2")
      clock.instant = day(6)
      try ledger.undoTransfer(of: "stripe:sub_1")
      #expect(try holders(ledger) == ["stripe:cus_1", "user_2", "stripe:cus_1"])
    }
  }

  @Test func `a planned cancellation goes with the membership`() throws {
    try withPurchase { ledger, clock in
      try ledger.add(
        Make.event(
          "stripe:evt_c", at: day(4),
          Fact(
            .cancellationScheduled(CancellationSchedule(effectiveAt: day(31))),
            membership: "stripe:sub_1")))
      clock.instant = day(10)
      try ledger.transfer("stripe:sub_1", to: "user_2")
      let membership = try #require(try ledger.memberships(of: "user_2").first)
      #expect(membership.cancelAt == day(31) && membership.status == .canceling)
      #expect(try ledger.memberships(of: "user_1").isEmpty)
      #expect(
        try ledger.timeline(of: "user_2").planned.map(\.kind) == ["cancellation", "expiry"])
    }
  }

  @Test func `a transfer to come is planned, and shown as such`() throws {
    try withPurchase { ledger, _ in
      try ledger.transfer("stripe:sub_1", to: "user_2", at: day(20))
      let planned = try ledger.timeline(of: "user_1").planned
      #expect(planned.contains { $0.kind == "transfer" && $0.at == day(20) })
      #expect(planned.contains { $0.details == "to user_2" })
      #expect(try ledger.timeline(ofMembership: "stripe:sub_1")?.planned.count == planned.count)
      #expect(try has(ledger, "user_1", at: day(19)) && has(ledger, "user_2", at: day(20)))
    }
  }

  @Test func `a membership that goes to and fro within 30 days is reported`() throws {
    #expect(
      try isPingPong([(10, "user_2"), (20, "user_1"), (30, "user_2")]) == [false, false, true])
    // Each return comes a day too late after the leaving.
    #expect(
      try isPingPong([(10, "user_2"), (41, "user_1"), (72, "user_2"), (103, "user_1")])
        == [false, false, false, false])
    // Two returns, each soon after the leaving, with more than 30 days between them.
    #expect(
      try isPingPong([(10, "user_2"), (15, "user_1"), (40, "user_2"), (46, "user_1")])
        == [false, false, true, true])
    #expect(
      try isPingPong([(10, "user_2"), (15, "user_1"), (41, "user_3"), (46, "user_1")])
        == [false, false, false, false])
  }

  /// Whether a membership of user_1's is reported after each of the transfers.
  private func isPingPong(_ moves: [(day: Int64, to: CustomerID)]) throws -> [Bool] {
    var reports: [Bool] = []
    try withPurchase { ledger, clock in
      for move in moves {
        clock.instant = day(move.day)
        reports.append(try ledger.transfer("stripe:sub_1", to: move.to).lineage.isPingPong)
        #expect(try ledger.lineage(of: "stripe:sub_1")?.isPingPong == reports.last)
      }
    }
    return reports
  }
}
