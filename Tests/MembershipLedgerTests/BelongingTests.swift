import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Links, merges and their undoing") struct BelongingTests {
  /// A ledger with a paid month of `stripe:sub_1`, by the account `stripe:cus_1`.
  private func withPurchase(_ body: (Ledger, TestClock) throws -> Void) throws {
    let clock = TestClock(day(5))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      try body(ledger, clock)
    }
  }

  private func has(_ ledger: Ledger, _ name: CustomerID, at instant: Timestamp = day(5)) throws
    -> Bool
  {
    try ledger.decision(for: name, on: "premium", at: instant).isEntitled
  }

  @Test func `a link is recorded once, and the last one says whose the account is`() throws {
    try withPurchase { ledger, _ in
      let first = try ledger.link("stripe:cus_1", to: "user_1", by: Attribution(actor: "ann"))
      #expect(first.receipt?.position == 3 && first.from == nil && first.to == "user_1")
      let again = try ledger.link("stripe:cus_1", to: "user_1")
      #expect(again.receipt == nil && again.to == "user_1")
      #expect(code { try ledger.link("user_1", to: "user_2") } == .invalidEvent)
      #expect(try ledger.lastPosition() == 3)
      #expect(try ledger.events().last?.event.actor == "ann")
      try ledger.merge("user_1", into: "user_3")
      #expect(try ledger.link("stripe:cus_1", to: "user_3").receipt == nil)
      let moved = try ledger.link("stripe:cus_1", to: "user_2")
      #expect(moved.receipt != nil && moved.from == "user_1" && moved.to == "user_2")
      #expect(try has(ledger, "user_2") && !has(ledger, "user_3"))
    }
  }

  @Test func `a document that names another customer moves the account, for all to see`() throws {
    try withPurchase { ledger, _ in
      func hint(_ id: EventID, at instant: Timestamp, _ customer: CustomerID) -> Event {
        Make.event(
          id, at: instant, customer: customer,
          Fact(
            .observed(Observation(status: "active", standing: .active)),
            membership: "stripe:sub_1"))
      }
      try ledger.add(hint("stripe:evt_2", at: day(2), "user_1"))
      try ledger.add(hint("stripe:evt_3", at: day(3), "user_2"))
      #expect(try !has(ledger, "user_1") && has(ledger, "user_2"))
      let moved = try ledger.entitlementChanges(limit: .max).filter {
        $0.cause.event == "stripe:evt_3"
      }
      #expect(moved.contains { $0.customer == "user_1" && !$0.lost.isEmpty })
      #expect(moved.contains { $0.customer == "user_2" && !$0.gained.isEmpty })
      for customer in ["user_1", "user_2"] as [CustomerID] {
        let ids = try ledger.events(matching: EventFilter(customer: customer)).map(\.event.id)
        #expect(ids.contains("stripe:evt_3"), "\(customer)")
      }
      let explained = try ledger.decision(
        for: "user_2", on: "premium", at: day(5), explained: true)
      #expect(explained.evidence.contains("stripe:evt_3"))
      // A word of older time changes nothing, and a link by hand outranks them all.
      try ledger.add(hint("stripe:evt_4", at: day(1), "user_3"))
      #expect(try has(ledger, "user_2"))
      try ledger.link("stripe:cus_1", to: "user_1")
      try ledger.add(hint("stripe:evt_5", at: day(4), "user_2"))
      #expect(try has(ledger, "user_1") && !has(ledger, "user_2"))
      try expectSound(ledger)
    }
  }

  @Test func `an account that is unlinked stands for itself, and documents do not link it again`()
    throws
  {
    try withPurchase { ledger, _ in
      let hint = Make.event(
        "stripe:evt_2", at: day(2), customer: "user_1",
        Fact(
          .observed(Observation(status: "active", standing: .active)), membership: "stripe:sub_1"))
      try ledger.add(hint)
      #expect(try has(ledger, "user_1"))
      #expect(code { try ledger.unlink("stripe:cus_1", from: "user_2") } == .belongsToAnother)
      let change = try ledger.unlink("stripe:cus_1", by: Attribution(reason: "mistake"))
      #expect(change.from == "user_1" && change.to == nil && change.receipt != nil)
      #expect(try !has(ledger, "user_1") && has(ledger, "stripe:cus_1"))
      var later = hint
      (later.id, later.effectiveAt) = ("stripe:evt_3", day(3))
      try ledger.add(later)
      #expect(try !has(ledger, "user_1") && has(ledger, "stripe:cus_1"))
      #expect(try ledger.unlink("stripe:cus_1").receipt == nil)
      #expect(try ledger.unlink("stripe:cus_9", from: "user_1").receipt == nil)
      try ledger.link("stripe:cus_1", to: "user_2")
      #expect(try has(ledger, "user_2"))
      try expectSound(ledger)
    }
  }

  @Test func `events before a link answer like events after it: a device is claimed at login`()
    throws
  {
    let events = [
      Make.catalogEvent(), Make.purchase("stripe:evt_1"),
      Make.purchase("stripe:evt_2", days(31, 61), invoice: "stripe:in_2"),
    ]
    var sheets: [AnswerSheet] = []
    for place in 0...events.count {
      try withLedger { ledger in
        for (index, event) in events.enumerated() {
          if index == place { try ledger.link("stripe:cus_1", to: "user_1") }
          try ledger.add(event)
        }
        if place == events.count { try ledger.link("stripe:cus_1", to: "user_1") }
        sheets.append(try AnswerSheet(ledger))
      }
    }
    for sheet in sheets.dropFirst() { #expect(sheet.differences(from: sheets[0]) == []) }
  }

  @Test func `merges are recorded once, undone once, and refused where they mean nothing`() throws {
    try withPurchase { ledger, _ in
      try ledger.link("stripe:cus_1", to: "user_1")
      #expect(code { try ledger.merge("user_1", into: "user_1") } == .sameCustomer)
      #expect(code { try ledger.merge("user_1", into: "stripe:cus_2") } == .anonymousCustomer)
      #expect(code { try ledger.merge("stripe:cus_2", into: "user_1") } == .anonymousCustomer)
      #expect(code { try ledger.unmerge("user_1", from: "user_2") } == .nothingToUndo)
      #expect(try ledger.merge("user_1", into: "user_2").receipt != nil)
      #expect(try ledger.merge("user_1", into: "user_2").receipt == nil)
      #expect(try ledger.merge("user_2", into: "user_1").receipt == nil)
      #expect(code { try ledger.merge("user_1", into: "user_3") } == .belongsToAnother)
      #expect(code { try ledger.unmerge("user_1", from: "user_3") } == .nothingToUndo)
      #expect(try has(ledger, "user_2") && has(ledger, "user_1"))
      try ledger.unmerge("user_1", from: "user_2")
      #expect(try has(ledger, "user_1") && !has(ledger, "user_2"))
      #expect(code { try ledger.unmerge("user_1", from: "user_2") } == .nothingToUndo)
      try expectSound(ledger)
    }
  }

  @Test func `what is decided in production decides nothing in the sandbox`() throws {
    try withPurchase { ledger, _ in
      try ledger.add(Make.purchase("stripe:evt_s", in: .sandbox))
      try ledger.link("stripe:cus_1", to: "user_1", in: .sandbox)
      #expect(try ledger.customer(ofAccount: "stripe:cus_1") == nil)
      #expect(try ledger.customer(ofAccount: "stripe:cus_1", in: .sandbox) == "user_1")
      try ledger.merge("user_1", into: "user_2", in: .sandbox)
      try ledger.transfer("stripe:sub_1", to: "user_3", in: .sandbox)
      #expect(try has(ledger, "stripe:cus_1") && !has(ledger, "user_3"))
      #expect(try ledger.lineage(of: "stripe:sub_1")?.holders.map(\.customer) == ["stripe:cus_1"])
      #expect(
        try ledger.lineage(of: "stripe:sub_1", in: .sandbox)?.holders.map(\.customer)
          == ["user_2", "user_3"])
      #expect(code { try ledger.unmerge("user_1", from: "user_2") } == .nothingToUndo)
      #expect(code { try ledger.undoTransfer(of: "stripe:sub_1") } == .nothingToUndo)
      try ledger.undoTransfer(of: "stripe:sub_1", in: .sandbox)
      try expectSound(ledger)
    }
  }

  @Test func `of two operators one wins, and the other is told`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      let outcomes = await withTaskGroup(of: LedgerError.Code?.self) { group in
        for number in 0..<40 {
          group.addTask {
            do throws(LedgerError) {
              let customer = CustomerID(stringLiteral: "user_\(number % 4)")
              try await ledger.merge("user_9", into: customer)
              return nil
            } catch {
              return error.code
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(try ledger.lastPosition() == 1)
      #expect(outcomes.count { $0 == nil } == 10)
      #expect(outcomes.count { $0 == .belongsToAnother } == 30)
    }
  }
}
