import LedgerTestSupport
import MembershipLedger
import Testing

/// Cases of billing and entitlement systems that concern time, catalogs and concurrency.
@Suite struct PeerCases {
  private static func only(_ ledger: Ledger, at number: Int64) throws -> Membership {
    let memberships = try ledger.memberships(of: "stripe:cus_1", at: day(number))
    #expect(memberships.count == 1)
    return try #require(memberships.first)
  }

  private static func item(_ item: String, _ product: String) -> Fact {
    Fact(
      .purchased(
        Transaction(
          id: TransactionID(stringLiteral: "stripe:in_1/\(item)"), offer: Offer(product: product),
          period: days(1, 31), kind: .paid, item: item)),
      membership: "stripe:sub_1", references: ["stripe:in_1"])
  }

  @Test func `PEER-4: what is added to a plan ends with it, at one instant`() throws {
    var both = Make.event("stripe:evt_1", at: day(1))
    both.facts = [Self.item("si_1", "prod_basic"), Self.item("si_2", "prod_pro")]
    let asked = CancellationSchedule(effectiveAt: day(31), requestedAt: day(10))
    try withCase([
      both, Make.change("stripe:evt_2", at: 10, .cancellationScheduled(asked)),
      Make.change("stripe:evt_3", at: 31, .ended(End(at: day(31), reason: .cancelled))),
    ]) { ledger in
      try expectAccess(ledger, on: [30], notOn: [31])
      try expectAccess(ledger, "archive", on: [30], notOn: [31])
      let segments = try ledger.timeline(of: "stripe:cus_1", at: day(40)).segments
      #expect(Set(segments.filter { !$0.entitlements.isEmpty }.map(\.until)) == [day(10), day(31)])
      try #expect(Self.only(ledger, at: 32).endedAt == day(31))
    }
  }

  @Test func `PEER-7: a fact about a membership of which nothing else is known waits for the rest`()
    throws
  {
    let failure = PaymentFailure(period: days(31, 61), failedAt: day(31))
    let failed = Make.change("stripe:evt_2", at: 31, .paymentFailed(failure))
    try withCase([failed]) { ledger in
      try expectAccess(ledger, notOn: [5, 31, 40])
      try #expect(Self.only(ledger, at: 32).isActive == false)
    }
    try withCase([failed, Make.purchase("stripe:evt_1")]) { ledger in
      try expectAccess(ledger, on: [30], notOn: [31])
    }
  }

  @Test func `PEER-10: periods that meet neither overlap nor leave a gap`() throws {
    try withCase([
      Make.purchase("stripe:evt_1", days(1, 31)),
      Make.purchase("stripe:evt_2", days(31, 61), invoice: "stripe:in_2"),
      Make.purchase("stripe:evt_3", days(31, 31), invoice: "stripe:in_3"),
    ]) { ledger in
      let premium = try ledger.entitlement("premium")
      for offset in [-1, 0, 1] as [Int64] {
        #expect(
          try ledger.isEntitled(
            "stripe:cus_1", to: premium, at: day(31).adding(milliseconds: offset)))
      }
      let decision = try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(31))
      #expect(decision.validFrom == day(1) && decision.validUntil == day(61))
      #expect(try ledger.entitlements(of: "stripe:cus_1", at: day(31)).count == 2)
    }
  }

  @Test func `PEER-11: a start moved back leaves a promised change where it was`() throws {
    let planned = PlanChange(at: day(31), to: Offer(product: "prod_basic"))
    var moved = Make.purchase("stripe:evt_3", days(-5, 31))
    moved.effectiveAt = day(20)
    try withCase([
      Make.purchase("stripe:evt_1"),
      Make.change("stripe:evt_2", at: 10, .planChangeScheduled(planned)), moved,
    ]) { ledger in
      try #expect(Self.only(ledger, at: 20).pendingChange?.at == day(31))
      try expectAccess(ledger, on: [-5, 30], notOn: [-6, 31])
    }
  }

  @Test func `PEER-13: what was imported is marked so and gives the same access`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      var imported = Make.purchase("stripe:evt_1")
      imported.provenance.origin = .import
      try ledger.add(imported)
      try ledger.add(
        Make.purchase(
          "stripe:evt_2", of: "stripe:sub_2", account: "stripe:cus_2",
          invoice: "stripe:in_2"))
      try expectAccess(ledger, on: [1, 30], notOn: [31])
      try expectAccess(ledger, of: "stripe:cus_2", on: [1, 30], notOn: [31])
      #expect(try ledger.event("stripe:evt_1")?.event.provenance.origin == .import)
      #expect(try ledger.event("stripe:evt_2")?.event.provenance.origin != .import)
    }
  }

  @Test func `PEER-14: a fact from before what is stored moves all that follows from it`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", days(1, 31)))
      try ledger.add(Make.purchase("stripe:evt_2", days(31, 61), invoice: "stripe:in_2"))
      let before = try ledger.lastPosition()
      try expectAccess(ledger, on: [20, 40])
      try ledger.add(
        Make.change("stripe:evt_3", at: 10, .ended(End(at: day(10), reason: .cancelled))))
      try expectAccess(ledger, on: [9, 31, 60], notOn: [10, 20, 30])
      let known = try ledger.asKnown(at: .position(before))
      #expect(
        try known.decision(for: "stripe:cus_1", on: "premium", at: day(20)).isEntitled)
      try expectSound(ledger)
    }
  }

  @Test func `PEER-17: an id used again for the same past is one membership, counted once`() throws
  {
    try withCase([
      Make.purchase("stripe:evt_1", days(1, 31)),
      Make.change("stripe:evt_2", at: 10, .ended(End(at: day(10), reason: .cancelled))),
      Make.purchase("stripe:evt_3", days(10, 40), invoice: "stripe:in_2"),
    ]) { ledger in
      try expectAccess(ledger, on: [1, 9, 10, 39], notOn: [0, 40])
      try #expect(Self.only(ledger, at: 20).status == .active)
      #expect(try ledger.entitlements(of: "stripe:cus_1", at: day(20)).count == 2)
    }
  }

  @Test func `PEER-19, STRIPE-7: writers at once lose nothing and write nothing twice`()
    async throws
  {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      _ = try await ledger.append(Make.catalogEvent())
      let receipts = try await withThrowingTaskGroup(of: Receipt.self) { group in
        for number in 0..<40 {
          group.addTask {
            let invoice = ReferenceID(stringLiteral: "stripe:in_\(number / 4)")
            let event = Make.purchase(
              EventID(stringLiteral: "stripe:evt_\(number / 4)"), invoice: invoice)
            return try await ledger.append(event)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(receipts.filter { !$0.isDuplicate }.count == 10)
      #expect(try ledger.lastPosition() == Position(11))
      #expect(try ledger.verify().differences == [])
    }
  }

  @Test func `PEER-22, PEER-26: an answer is stamped with the position that it reflects`() throws {
    try withScratchFolder { folder in
      let writer = try Ledger.create(folder + "/ledger")
      let reader = try Ledger.open(folder + "/ledger")
      try writer.add(Make.catalogEvent())
      for number in 2...6 as ClosedRange<Int64> {
        let kept = number % 2 == 0
        try writer.add(
          Make.change(
            EventID(stringLiteral: "stripe:evt_\(number)"), at: number,
            kept ? .holdReleased(HoldRelease(cause: "review")) : .holdPlaced(Hold(cause: "review")))
        )
        if number == 2 { continue }
        let decision = try reader.decision(for: "stripe:cus_1", on: "premium", at: day(number))
        #expect(decision.position == Position(UInt64(number)))
      }
    }
  }

  @Test func `PEER-44, STORE-17: an account of nobody's takes nothing from a customer`() throws {
    let bought = Make.purchase("stripe:evt_1", account: nil, customer: "own")
    var seen = Make.purchase("stripe:evt_2", account: "stripe:cus_9")
    seen.effectiveAt = day(5)
    try withCase([bought, seen]) { ledger in
      try expectAccess(ledger, of: "own", on: [1, 30], notOn: [31])
      try expectAccess(ledger, of: "stripe:cus_9", notOn: [1, 30])
      // Once the account is somebody's, the store's newest word counts.
      let link = AccountLink(account: "stripe:cus_9", customer: "other")
      try ledger.add(Make.manual("manual:link", at: day(6), .accountLinked(link)))
      try expectAccess(ledger, of: "own", notOn: [1, 30])
      try expectAccess(ledger, of: "other", on: [1, 30])
      try ledger.add(Make.manual("manual:unlink", at: day(7), .accountUnlinked(link)))
      try expectAccess(ledger, of: "own", on: [1, 30])
      try expectAccess(ledger, of: "other", notOn: [1, 30])
    }
    var hinted = Make.purchase("stripe:evt_1", customer: "own")
    hinted.effectiveAt = day(1)
    try withCase([hinted, seen]) { ledger in
      try expectAccess(ledger, of: "own", on: [1, 30], notOn: [31])
      try expectAccess(ledger, of: "stripe:cus_9", notOn: [1, 30])
    }
  }

  @Test func `PEER-61: a feature added reaches subscribers as the revision says`() throws {
    var base = Make.catalog
    base.products[0].entitlements = ["premium"]
    for (cohort, days) in [
      (.newPurchases, []), (.nextRenewal, [31, 40]), (.everyone, [11, 31, 40]),
    ] as [(Cohort, [Int64])] {
      try withLedger { ledger in
        try ledger.add(Make.catalogEvent("manual:c1", base))
        try ledger.add(Make.purchase("stripe:evt_1", Period(start: day(1), end: day(31))))
        var renewal = Make.purchase(
          "stripe:evt_2", Period(start: day(31), end: day(61)), invoice: "stripe:in_2")
        renewal.facts = renewal.facts.map { fact in
          guard case .purchased(let transaction) = fact.body else { return fact }
          var fact = fact
          fact.body = .renewed(transaction)
          return fact
        }
        try ledger.add(renewal)
        try ledger.add(
          Make.catalogEvent("manual:c2", Make.catalog, appliesTo: cohort, at: day(11)))
        let tested = [5, 10, 11, 31, 40] as [Int64]
        try expectAccess(
          ledger, "archive", on: days, notOn: tested.filter { !days.contains($0) })
      }
    }
  }

  @Test func `PEER-65: a pause rests access, moves no end and stops no renewal`() throws {
    let renewing = Observation(status: "active", standing: .active, isRenewing: true)
    try withCase([
      Make.purchase("stripe:evt_1"), Make.change("stripe:evt_2", at: 1, .observed(renewing)),
      Make.change(
        "stripe:evt_3", at: 10, .paused(Pause(cause: "collection", resumesAt: day(20)))),
    ]) { ledger in
      try expectAccess(ledger, on: [9, 20, 30], notOn: [10, 19, 31])
      let membership = try Self.only(ledger, at: 15)
      #expect(membership.status == .paused && membership.willRenew)
      #expect(membership.currentPeriodEnd == day(31))
      let planned = try ledger.timeline(of: "stripe:cus_1", at: day(15)).planned
      #expect(planned.contains { $0.kind == "resumption" && $0.at == day(20) })
    }
  }

  @Test func `PEER-68: after an erasure the fold goes on with what is left`() throws {
    try withCase([
      Make.purchase("stripe:evt_1", customer: "user_1"),
      Make.manual(
        "manual:erase", at: day(10), .customerErased(CustomerErasure(customer: "user_1"))),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [5, 20], notOn: [31])
    }
  }
}
