import LedgerTestSupport
import MembershipLedger
import Testing

/// Cases of stores and billing systems, as far as facts alone show them.
@Suite struct GeneralCases {
  @Test func `STORE-1, PEER-46: a revocation of a known transaction is no duplicate`() throws {
    let purchase = Make.purchase("stripe:evt_1")
    let revocation = AccessRevocation(transaction: "stripe:in_1/si_1", at: day(10))
    try withCase([purchase, Make.change("stripe:evt_2", at: 10, .accessRevoked(revocation))]) {
      ledger in
      try expectAccess(ledger, on: [9], notOn: [10, 30])
      #expect(
        try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(11)).reason == .revoked)
    }
  }

  @Test func `STORE-2, PEER-47: a lifetime purchase that was refunded stays so`() throws {
    let paid = Money(minorUnits: 999, currency: "USD")
    let refund = Make.event(
      "stripe:evt_2", at: day(10), account: nil,
      Fact(.refunded(Refund(amount: paid, paid: paid)), references: ["stripe:in_1"]))
    var restored = Make.purchase("stripe:evt_3", nil)
    restored.effectiveAt = day(20)
    try withCase([Make.purchase("stripe:evt_1", nil), refund, restored]) { ledger in
      try expectAccess(ledger, on: [9], notOn: [10, 21, 5000])
    }
  }

  @Test func `STORE-71: a refund that was undone gives access back`() throws {
    let paid = Money(minorUnits: 999, currency: "USD")
    let refund = Refund(refund: "stripe:re_1", amount: paid, paid: paid, at: day(10))
    let reversal = RefundReversal(refund: "stripe:re_1", at: day(12))
    try withCase([
      Make.purchase("stripe:evt_1"),
      Make.event(
        "stripe:evt_2", at: day(10), account: nil,
        Fact(.refunded(refund), references: ["stripe:in_1"])),
      Make.event(
        "stripe:evt_3", at: day(12), account: nil,
        Fact(.refundReversed(reversal), references: ["stripe:in_1"])),
    ]) { ledger in
      try expectAccess(ledger, on: [9, 12, 30], notOn: [31])
    }
  }

  @Test func `STORE-4, PEER-31: what one product gave ends without touching the other's`() throws {
    let lifetime = Make.purchase(
      "stripe:evt_2", of: "stripe:cs_1", nil, invoice: "stripe:pi_9", product: "prod_basic")
    let end = End(at: day(10), reason: .cancelled)
    try withCase([
      Make.purchase("stripe:evt_1"), lifetime, Make.change("stripe:evt_3", at: 10, .ended(end)),
    ]) { ledger in
      try expectAccess(ledger, on: [5, 10, 500])
      try expectAccess(ledger, "archive", on: [5], notOn: [10, 500])
    }
  }

  @Test func `STORE-34: two events of one time never overwrite each other by chance`() throws {
    let active = Observation(status: "active", standing: .active, isRenewing: true)
    let ended = End(at: day(10), reason: .cancelled)
    try withCase([
      Make.purchase("stripe:evt_1"), Make.change("stripe:evt_2", at: 10, .observed(active)),
      Make.change("stripe:evt_3", at: 10, .ended(ended)),
    ]) { ledger in
      try expectAccess(ledger, on: [9], notOn: [10, 11])
    }
  }

  @Test func `STORE-43, STORE-59, PEER-20: an expiry is true without any message`() throws {
    try withCase([Make.purchase("stripe:evt_1")]) { ledger in
      try expectAccess(ledger, on: [1, 30], notOn: [0, 31, 33])
      let premium = try ledger.entitlement("premium")
      let last = day(31).adding(milliseconds: -1)
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: last))
      #expect(
        try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(33)).reason == .expired)
    }
  }

  @Test func `STORE-55: of several subscriptions only the live ones give`() throws {
    try withCase([
      Make.purchase("stripe:evt_1", days(1, 11)),
      Make.purchase(
        "stripe:evt_2", of: "stripe:sub_2", days(1, 31), invoice: "stripe:in_2",
        product: "prod_basic"),
    ]) { ledger in
      try expectAccess(ledger, on: [5, 15])
      try expectAccess(ledger, "archive", on: [5], notOn: [11, 15])
      let active = try ledger.memberships(of: "stripe:cus_1", at: day(15)).map(\.isActive)
      #expect(active == [false, true])
    }
  }

  @Test func `STORE-11: a new period after the end grants`() throws {
    let end = End(at: day(20), reason: .expired)
    try withCase([
      Make.purchase("stripe:evt_1", days(1, 20)),
      Make.change("stripe:evt_2", at: 20, .ended(end)),
      Make.purchase("stripe:evt_3", days(40, 70), invoice: "stripe:in_3"),
    ]) { ledger in
      try expectAccess(ledger, on: [5, 40, 69], notOn: [20, 39, 70])
    }
  }

  @Test func `PEER-1: a stop is final, whatever holds come and go after it`() throws {
    let bodies: [Fact.Body] = [
      .holdPlaced(Hold(cause: "fraud", at: day(5))),
      .ended(End(at: day(10), reason: .cancelled)),
      .holdReleased(HoldRelease(cause: "fraud", at: day(12))),
      .holdPlaced(Hold(cause: "review", at: day(14))),
      .holdReleased(HoldRelease(cause: "review", at: day(16))),
    ]
    var random = SeededGenerator(seed: 1)
    for _ in 0..<6 {
      let order = bodies.enumerated().shuffled(using: &random)
      try withLedger { ledger in
        try ledger.add(Make.catalogEvent())
        try ledger.add(Make.purchase("stripe:evt_0"))
        for (index, body) in order {
          try ledger.add(
            Make.change(
              EventID(stringLiteral: "stripe:evt_h\(index)"), at: [5, 10, 12, 14, 16][index], body))
        }
        try expectAccess(ledger, on: [4], notOn: [5, 9, 10, 13, 17, 30])
      }
    }
  }

  @Test func `PEER-2: many pauses of one day end where the last one says`() throws {
    let hour: Int64 = 3_600_000
    let toggles = (0..<7).map { index in
      var event = Make.event(
        EventID(stringLiteral: "stripe:evt_t\(index)"),
        at: day(10).adding(milliseconds: Int64(index) * hour))
      event.facts = [
        Fact(
          index % 2 == 0 ? .paused(Pause(cause: "app")) : .resumed(Resumption(cause: "app")),
          membership: "stripe:sub_1")
      ]
      return event
    }
    try withCase([Make.purchase("stripe:evt_1")] + toggles) { ledger in
      try expectAccess(ledger, on: [9], notOn: [11])
    }
    try withCase([Make.purchase("stripe:evt_1")] + toggles.dropLast()) { ledger in
      try expectAccess(ledger, on: [9, 11])
    }
  }

  @Test func `PEER-16: an entitlement that ended later is still seen at an earlier instant`() throws
  {
    let end = End(at: day(10), reason: .cancelled)
    try withCase([
      Make.purchase("stripe:evt_1"), Make.change("stripe:evt_2", at: 10, .ended(end)),
    ]) { ledger in
      try expectAccess(ledger, on: [5], notOn: [15])
      #expect(try ledger.entitlements(of: "stripe:cus_1", at: day(5)).count == 2)
      #expect(try ledger.entitlements(of: "stripe:cus_1", at: day(15)).isEmpty)
    }
  }

  @Test func `PEER-25: a restart gives the same answers for the same log`() throws {
    try withScratchFolder { folder in
      var history = RandomHistory(seed: 25)
      var sheet: AnswerSheet?
      for round in 0..<3 {
        let ledger =
          try round == 0 ? Ledger.create(folder + "/l") : Ledger.open(folder + "/l")
        if round == 0 { try ledger.add(all: history.events(30)) }
        let answers = try AnswerSheet(ledger)
        #expect(sheet.map { answers.differences(from: $0) } ?? [] == [])
        sheet = answers
      }
    }
  }

  @Test func `PEER-28: explaining refolds and names its evidence`() throws {
    try withCase([Make.purchase("stripe:evt_1")]) { ledger in
      for _ in 0..<2 {
        let decision = try ledger.decision(
          for: "stripe:cus_1", on: "premium", at: day(2), explained: true)
        #expect(decision.evidence.contains("stripe:evt_1"))
        #expect(decision.reason == .granted)
      }
    }
  }

  @Test func `PEER-29: nothing known is a denial on every path`() throws {
    try withCase([Make.purchase("stripe:evt_1", account: "stripe:cus_2")]) { ledger in
      try expectAccess(ledger, of: "nobody", notOn: [0, 5, 500])
      #expect(try ledger.entitlements(of: "nobody", at: day(5)).isEmpty)
      #expect(try ledger.memberships(of: "nobody", at: day(5)).isEmpty)
      #expect(
        try !ledger.asKnown(at: .position(1)).decision(for: "nobody", on: "premium").isEntitled)
      let unknown = try ledger.decision(for: "stripe:cus_2", on: "nothing", at: day(5))
      #expect(!unknown.isEntitled && unknown.reason == .unknownEntitlement)
    }
  }

  @Test func `PEER-32: a grant never lowers what others give`() throws {
    let grants = [
      Make.grant("g1", of: "archive", to: "stripe:cus_1", until: day(5)),
      Make.grant("g2", of: "premium", to: "stripe:cus_1", until: day(2)),
    ]
    try withCase([Make.purchase("stripe:evt_1", product: "prod_basic")] + grants) { ledger in
      try expectAccess(ledger, on: [1, 2, 30], notOn: [31])
      try expectAccess(ledger, "archive", on: [4], notOn: [5])
    }
  }

  @Test func `PEER-40: after a transfer exactly one customer holds, at every instant`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.add(
        Make.event(
          "manual:move", at: day(10), account: nil, provider: .manual,
          Fact(.transferred(Transfer(to: "user_2")), membership: "stripe:sub_1")))
      try expectAccess(ledger, on: [5, 9], notOn: [10, 20])
      try expectAccess(ledger, of: "user_2", on: [10, 20], notOn: [5, 9, 31])
      for number in [5, 9, 10, 20] as [Int64] {
        let holders = try ["stripe:cus_1", "user_2"].filter {
          try ledger.memberships(of: CustomerID(stringLiteral: $0), at: day(number)).count == 1
        }
        #expect(holders.count == 1, "day \(number)")
      }
    }
  }

  @Test func `PEER-52: a receipt's position is seen by every later read`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      for number in 1...5 {
        let receipt = try ledger.add(
          Make.purchase(
            EventID(stringLiteral: "stripe:evt_\(number)"),
            invoice: ReferenceID(stringLiteral: "stripe:in_\(number)")))
        let decision = try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(2))
        #expect(decision.position == receipt.position)
      }
    }
  }

  @Test func `PEER-56: asked for and in effect are two facts`() throws {
    let asked = CancellationSchedule(effectiveAt: day(31), requestedAt: day(5))
    try withCase([
      Make.purchase("stripe:evt_1"),
      Make.change("stripe:evt_2", at: 5, .cancellationScheduled(asked)),
    ]) { ledger in
      try expectAccess(ledger, on: [5, 30], notOn: [31])
      let names = try ledger.events().flatMap { $0.event.facts.map(\.body.name) }
      #expect(names.contains("cancellationScheduled") && !names.contains("ended"))
    }
  }

  @Test func `PEER-58: of two revisions of one instant the later recorded one counts`() throws {
    try withLedger { ledger in
      var second = Make.catalog
      second.products[0].entitlements = ["archive"]
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.catalogEvent("manual:c2", second))
      try ledger.add(Make.purchase("stripe:evt_1"))
      try expectAccess(ledger, notOn: [2])
      try expectAccess(ledger, "archive", on: [2])
      #expect(try ledger.catalog()?.catalog == second)
      try ledger.rebuild()
      try expectAccess(ledger, "archive", on: [2])
    }
  }
}
