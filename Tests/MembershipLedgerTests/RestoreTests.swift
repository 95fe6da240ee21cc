import LedgerTestSupport
import MembershipLedger
import Testing

/// A ledger in which user_1 bought a month from day 1 on by the account `stripe:cus_1`, and may
/// have a rule for restores.
func withOwner(
  _ rule: Policy.RestoreRule? = nil, _ body: (Ledger, TestClock) throws -> Void
) throws {
  let clock = TestClock(day(5))
  try withLedger(clock) { ledger in
    try ledger.add(Make.catalogEvent())
    if let rule {
      let revision = PolicyRevision(policy: Policy(restores: rule))
      try ledger.add(Make.manual("manual:policy", at: day(0), .policyRevised(revision)))
    }
    let invoice = StoreReading.paidMonth(1, from: 1, customer: "cus_1", hint: "user_1")
    try ledger.add(all: StoreReading.requests(invoice, on: 1).map(\.event))
    try body(ledger, clock)
  }
}

@Suite("Restore") struct RestoreTests {
  private let month = StoreReading.paidMonth(1, from: 1, customer: "cus_1", hint: "user_1")

  private func has(_ ledger: Ledger, _ customer: CustomerID, on number: Int64) throws -> Bool {
    try ledger.isEntitled(customer.rawValue, to: ledger.entitlement("premium"), at: day(number))
  }

  /// The results in short, with their events checked.
  private func restore(
    _ ledger: Ledger, _ customer: CustomerID, _ objects: [String], on number: Int64 = 5
  ) throws -> [String] {
    let requests = objects.flatMap { StoreReading.requests($0, on: number) }
    let report = try ledger.restore(
      requests, to: customer, by: Attribution(actor: "app", reason: "asked"))
    let event = try #require(
      try ledger.events().last { $0.position == report.receipts[0].position })
    #expect(event.event.customer == customer && event.event.provenance.origin == .reconcile)
    guard case .restored(let stated)? = event.event.facts.first?.body else {
      Issue.record("the event states no restoration")
      return []
    }
    #expect(stated.transactions.map(\.outcome) == report.results.map(\.outcome))
    return report.results.map { "\($0.outcome)" + ($0.otherCustomer.map { " \($0)" } ?? "") }
  }

  @Test func `STORE-14: a report of nothing has a result, and the event says so`() throws {
    try withOwner { ledger, _ in
      let report = try ledger.restore([], to: "user_2")
      #expect(report.results.map(\.outcome) == [.nothingFound] && !report.holdsAny)
      #expect(try ledger.events(matching: EventFilter(customer: "user_2")).count == 1)
      #expect(try restore(ledger, "user_2", []) == ["nothingFound"])
      try expectSound(ledger)
    }
  }

  @Test func `what the customer has is already held, what was unknown is restored`() throws {
    try withOwner { ledger, clock in
      #expect(try restore(ledger, "user_1", [month]) == ["alreadyHeld"])
      // The next month came without a webhook.
      clock.instant = day(35)
      #expect(try !has(ledger, "user_1", on: 35))
      let next = StripeHook.invoice(2, "paid", 31, 61)
      #expect(try restore(ledger, "user_1", [next], on: 35) == ["restored"])
      #expect(try has(ledger, "user_1", on: 35))
      #expect(try restore(ledger, "user_1", [next], on: 35) == ["alreadyHeld"])
      try expectSound(ledger)
    }
  }

  @Test func `STORE-52, STORE-22: the result is what the next check says, also after a restart`()
    throws
  {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      let configuration = LedgerConfiguration(clock: { day(5) })
      let ledger = try Ledger.create(path, configuration)
      try ledger.add(Make.catalogEvent())
      let report = try ledger.restore(
        StoreReading.requests(month, on: 5), to: "user_1")
      #expect(report.results.map(\.outcome) == [.restored] && report.holdsAny)
      #expect(report.results.first?.until == day(31))
      #expect(try has(ledger, "user_1", on: 5))
      let again = try Ledger.open(path, configuration)
      #expect(try has(again, "user_1", on: 5))
      #expect(try again.entitlements(of: "user_1", at: day(5)).count == 2)
    }
  }

  @Test func `STORE-13: what is long over is not restored`() throws {
    try withOwner { (ledger, clock) throws in
      clock.instant = day(200)
      let second = StripeHook.invoice(2, "paid", 31, 61)
      #expect(try restore(ledger, "user_1", [month, second], on: 200) == ["expired", "expired"])
      #expect(try restore(ledger, "user_2", [month], on: 200) == ["expired user_1"])
      #expect(try !has(ledger, "user_1", on: 200) && !has(ledger, "user_2", on: 200))
      #expect(try ledger.lineage(of: "stripe:sub_1")?.holders.count == 1)
    }
  }

  @Test func `only what runs of a whole history is restored`() throws {
    try withOwner { (ledger, clock) throws in
      clock.instant = day(35)
      let report = [month, StripeHook.invoice(2, "paid", 31, 61)]
      #expect(try restore(ledger, "user_1", report, on: 35) == ["expired", "restored"])
      #expect(
        try restore(ledger, "user_2", report, on: 35)
          == ["expired user_1", "transferredFrom user_1"])
      // What is over of a membership that goes on moves nothing.
      #expect(try restore(ledger, "user_3", [month], on: 35) == ["expired user_2"])
      #expect(try has(ledger, "user_2", on: 35))
    }
  }

  @Test
  func `STORE-2, STORE-70: a refunded purchase for life stays revoked, and the reason is told`()
    throws
  {
    try withLedger(TestClock(day(20))) { ledger in
      try ledger.add(Make.catalogEvent())
      let order = StripeHook.checkout(mode: "payment", paymentStatus: "paid")
      #expect(try restore(ledger, "user_1", [order], on: 5) == ["restored"])
      let refund = StripeHook("re", "charge.refunded", at: 10, StripeHook.charge(refunded: 999))
      try ledger.add(all: refund.events())
      for customer in ["user_1", "user_2"] as [CustomerID] {
        let report = try ledger.restore(
          StoreReading.requests(order, on: 20), to: customer)
        #expect(report.results.map(\.outcome) == [.revoked])
        #expect(report.results.first?.reason == .refunded && !report.holdsAny)
        #expect(try !has(ledger, customer, on: 20))
      }
      #expect(try ledger.lineage(of: "stripe:cs_1")?.holders.count == 1)
    }
  }

  @Test(arguments: [Policy.RestoreRule.keepWithOwner, .transfer, .transferIfInactive])
  func `a report by an account of nobody's takes nothing from who bought without one`(
    _ rule: Policy.RestoreRule
  ) throws {
    let clock = TestClock(day(5))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      let revision = PolicyRevision(policy: Policy(restores: rule))
      try ledger.add(Make.manual("manual:policy", at: day(0), .policyRevised(revision)))
      try ledger.add(Make.purchase("stripe:evt_1", account: nil, customer: "own"))
      let report = StoreReading.paidMonth(1, from: 1, customer: "cus_9", hint: nil)
      let keeps = try restore(ledger, "stripe:cus_9", [report])
      #expect(keeps.allSatisfy { $0 == "ownedByAnother own" } && !keeps.isEmpty)
      #expect(try has(ledger, "own", on: 10))
      #expect(try !has(ledger, "stripe:cus_9", on: 10))
      try expectSound(ledger)
    }
  }

  @Test func `a restore makes no second purchase, however often it runs`() throws {
    try withOwner { ledger, _ in
      let before = try ledger.timeline(of: "user_1")
      for _ in 0..<3 { #expect(try restore(ledger, "user_1", [month]) == ["alreadyHeld"]) }
      #expect(try ledger.timeline(of: "user_1") == before)
      #expect(try ledger.memberships(of: "user_1").count == 1)
      let purchases = try ledger.events().filter { event in
        event.event.facts.contains { if case .purchased = $0.body { true } else { false } }
      }
      #expect(purchases.count == 1)
    }
  }

  @Test func `a snapshot beside an invoice is one thing, told once`() throws {
    try withOwner { ledger, _ in
      for (number, expected) in [(5, 4), (6, 5)] as [(Int64, UInt64)] {
        let snapshot = StripeHook.subscription("active")
        let report = try ledger.restore(
          StoreReading.requests(snapshot, month, on: number), to: "user_1")
        #expect(report.results.count == 1 && report.results.first?.outcome == .alreadyHeld)
        // The snapshot is recorded the first time, when it says how the subscription stands; later
        // it is no news.
        #expect(try ledger.lastPosition() == Position(expected))
      }
    }
  }

  @Test func `a membership reported without a transaction has its line`() throws {
    try withOwner { (ledger, _) throws in
      let ended = StripeHook.subscription(
        "canceled",
        changing: [
          "ended_at": "\(StripeHook.second(4))", "canceled_at": "\(StripeHook.second(4))",
        ])
      #expect(try restore(ledger, "user_1", [ended]) == ["expired"])
      #expect(try !has(ledger, "user_1", on: 5))
    }
  }

  @Test func `documents of another environment are refused and restore nothing`() throws {
    try withOwner { ledger, _ in
      let report = try ledger.restore(
        StoreReading.requests(month, on: 5), to: "user_2", in: .sandbox)
      #expect(report.results.map(\.outcome) == [.nothingFound] && report.refusals.count == 1)
      #expect(try ledger.lineage(of: "stripe:sub_1")?.holders.count == 1)
      #expect(try ledger.events().last?.event.environment == .sandbox)
    }
  }

  @Test func `a history too long for a record is stated by several events, all or none`() throws {
    try withLedger(TestClock(day(5))) { ledger in
      try ledger.add(Make.catalogEvent())
      let name = String(repeating: "x", count: 480)
      let requests = (0..<40).map { number in
        AppendRequest(
          Make.purchase(
            EventID(stringLiteral: "stripe:evt_\(number)"),
            of: MembershipID(stringLiteral: "stripe:sub_\(number)_\(name)"), days(-10, 400),
            invoice: ReferenceID(stringLiteral: "stripe:in_\(number)_\(name)")))
      }
      let report = try ledger.restore(requests, to: "user_1")
      #expect(report.results.count == 40 && report.receipts.count > 1)
      #expect(report.results.allSatisfy { $0.outcome == .restored && $0.isTransferred })
      #expect(try ledger.memberships(of: "user_1").count == 40)
      try expectSound(ledger)
    }
  }
}

@Suite("Whose a restored membership is") struct RestoreOwnerTests {
  private let month = StoreReading.paidMonth(1, from: 1, customer: "cus_1")

  private func restore(
    _ ledger: Ledger, _ customer: CustomerID, _ objects: [String], on number: Int64 = 5
  ) throws -> [String] {
    try ledger.restore(objects.flatMap { StoreReading.requests($0, on: number) }, to: customer)
      .results.map { "\($0.outcome)" + ($0.otherCustomer.map { " \($0)" } ?? "") }
  }

  private func entitled(_ ledger: Ledger, on number: Int64) throws -> [CustomerID] {
    try ["user_1", "user_2", "user_3"].filter {
      try ledger.decision(for: $0, on: "premium", at: day(number)).isEntitled
    }
  }

  @Test func `STORE-16, PEER-38: who restores wins where the policy says so, by one event`() throws
  {
    try withOwner(.transfer) { ledger, _ in
      #expect(try restore(ledger, "user_2", [month]) == ["transferredFrom user_1"])
      #expect(try entitled(ledger, on: 5) == ["user_2"])
      #expect(try entitled(ledger, on: 4) == ["user_1"])
      let event = try #require(try ledger.events().last?.event)
      #expect(event.facts.map(\.body.name) == ["restored", "transferred"])
      for customer in ["user_1", "user_2"] as [CustomerID] {
        // Both see it.
        let events = try ledger.events(matching: EventFilter(customer: customer))
        #expect(events.contains { $0.event.id == event.id })
      }
      let undone = try ledger.undoTransfer(of: "stripe:sub_1", at: day(6))
      #expect(undone.undoes == event.id)
      #expect(try entitled(ledger, on: 6) == ["user_1"])
      try expectSound(ledger)
    }
  }

  @Test func `who has it keeps it where the policy says so`() throws {
    try withOwner(.keepWithOwner) { (ledger, _) throws in
      #expect(try restore(ledger, "user_2", [month]) == ["ownedByAnother user_1"])
      #expect(try entitled(ledger, on: 5) == ["user_1"])
      #expect(try restore(ledger, "user_1", [month]) == ["alreadyHeld"])
      #expect(try ledger.lineage(of: "stripe:sub_1")?.holders.count == 1)
    }
  }

  @Test func `an active membership stays where inactive ones are free to be taken`() throws {
    try withOwner(.transferIfInactive) { (ledger, _) throws in
      #expect(try restore(ledger, "user_2", [month]) == ["ownedByAnother user_1"])
      #expect(try entitled(ledger, on: 5) == ["user_1"])
    }
  }

  @Test func `a paused membership is inactive, and moves`() throws {
    try withOwner(.transferIfInactive) { ledger, _ in
      try ledger.add(
        Make.event(
          "stripe:evt_p", at: day(3),
          Fact(
            .paused(Pause(cause: "collection")), membership: "stripe:sub_1")))
      let report = try ledger.restore(StoreReading.requests(month, on: 5), to: "user_2")
      #expect(report.results.map(\.outcome) == [.transferredFrom])
      #expect(report.results.first?.reason == .paused && report.holdsAny)
      #expect(
        try ledger.lineage(of: "stripe:sub_1")?.holders.map(\.customer) == ["user_1", "user_2"])
    }
  }

  @Test func `PEER-44: what has run out moves, so that its later period is the new customer's`()
    throws
  {
    try withOwner(.transferIfInactive) { ledger, clock in
      clock.instant = day(40)
      let report = try ledger.restore(StoreReading.requests(month, on: 40), to: "user_2")
      #expect(report.results.map(\.outcome) == [.expired] && !report.holdsAny)
      #expect(report.results.first?.isTransferred == true)
      #expect(try entitled(ledger, on: 40) == [])
      let later = StripeHook.invoice(2, "paid", 50, 80)
      try ledger.add(all: StoreReading.requests(later, on: 50).map(\.event))
      #expect(try entitled(ledger, on: 50) == ["user_2"])
      #expect(try entitled(ledger, on: 20) == ["user_1"])
      clock.instant = day(55)
      // Whichever way the claims come, one customer has it.
      #expect(try restore(ledger, "user_1", [later], on: 55) == ["ownedByAnother user_2"])
      #expect(try entitled(ledger, on: 55) == ["user_2"])
    }
  }

  @Test(arguments: [Policy.RestoreRule.transfer, .keepWithOwner, .transferIfInactive])
  func `what an account of nobody's bought is the customer's who restores it`(
    _ rule: Policy.RestoreRule
  ) throws {
    let clock = TestClock(day(5))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      let revision = PolicyRevision(policy: Policy(restores: rule))
      try ledger.add(Make.manual("manual:policy", at: day(0), .policyRevised(revision)))
      #expect(try restore(ledger, "user_1", [month]) == ["restored stripe:cus_1"])
      #expect(try entitled(ledger, on: 5) == ["user_1"])
      #expect(try restore(ledger, "stripe:cus_9", [month]) == ["ownedByAnother user_1"])
      #expect(try restore(ledger, "stripe:cus_1", [month]) == ["ownedByAnother user_1"])
      #expect(try entitled(ledger, on: 5) == ["user_1"])
      try expectSound(ledger)
    }
  }

  @Test func `STORE-17: of two users of one phone each keeps the purchases of their own account`()
    throws
  {
    try withOwner(.keepWithOwner) { ledger, _ in
      let other = StoreReading.paidMonth(2, from: 3, customer: "cus_2", hint: "user_2")
      try ledger.add(all: StoreReading.requests(other, on: 3).map(\.event))
      #expect(
        try restore(ledger, "user_2", [month, other]) == ["ownedByAnother user_1", "alreadyHeld"])
      #expect(try entitled(ledger, on: 5) == ["user_1", "user_2"])
    }
  }

  @Test func `STORE-20: what others bought on the device is told apart, with whom it is`() throws {
    try withOwner(.keepWithOwner) { ledger, _ in
      let report = try ledger.restore(StoreReading.requests(month, on: 5), to: "user_2")
      #expect(report.results.map(\.outcome) == [.ownedByAnother] && !report.holdsAny)
      #expect(report.results.first?.otherCustomer == "user_1")
      #expect(try ledger.memberships(of: "user_2").isEmpty)
    }
  }

  @Test func `STORE-19: nothing moves unless a restore is asked for`() throws {
    try withOwner(.transfer) { ledger, _ in
      // The same documents, recorded and compared but not restored.
      let requests = StoreReading.requests(month, StripeHook.subscription("active"), on: 5)
      for outcome in ledger.append(contentsOf: requests) { _ = try outcome.get() }
      _ = try ledger.reconcile(requests, of: .stripe)
      _ = try ledger.decision(for: "user_2", on: "premium", at: day(5))
      #expect(try entitled(ledger, on: 5) == ["user_1"])
      #expect(try ledger.lineage(of: "stripe:sub_1")?.holders.count == 1)
    }
  }

  @Test func `PEER-43: the policy in force decides, whenever the purchase was made`() throws {
    try withOwner(.keepWithOwner) { ledger, clock in
      #expect(try restore(ledger, "user_2", [month]) == ["ownedByAnother user_1"])
      let revision = PolicyRevision(policy: Policy(restores: .transfer), from: day(7))
      try ledger.add(Make.manual("manual:policy-2", at: day(6), .policyRevised(revision)))
      clock.instant = day(6)
      #expect(try restore(ledger, "user_2", [month], on: 6) == ["ownedByAnother user_1"])
      clock.instant = day(7)
      #expect(try restore(ledger, "user_2", [month], on: 7) == ["transferredFrom user_1"])
    }
  }

  @Test func `of many who restore at once each gets it whole from the one before`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(clock: { day(5) }))
      try await ledger.append(Make.catalogEvent())
      let requests = StoreReading.requests(month, on: 5)
      let outcomes = try await withThrowingTaskGroup(of: [RestoreOutcome].self) { group in
        for number in 0..<8 {
          group.addTask {
            try await ledger.restore(
              requests, to: CustomerID(stringLiteral: "user_\(number)")
            ).results.map(\.outcome)
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(outcomes.count { $0 == .restored } == 1)
      #expect(outcomes.count { $0 == .transferredFrom } == 7)
      let holders = try #require(try ledger.lineage(of: "stripe:sub_1"))
      #expect(try ledger.memberships(at: day(5)).count == 1)
      #expect(holders.holder(at: day(5)) != nil)
    }
  }
}
