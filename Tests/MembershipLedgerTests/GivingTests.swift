import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Giving by hand") struct GivingTests {
  private static func event(_ id: EventID, to customer: CustomerID = "ann", at: Int64 = 5) -> Event
  {
    Make.event(id, at: day(at), account: nil, customer: customer, provider: .manual)
  }

  private static func gift(
    _ id: GrantID, stacking: GrantStacking? = .after, until: Timestamp? = nil
  ) -> ManualGrant {
    ManualGrant(id: id, entitlement: "premium", until: until, stacking: stacking)
  }

  private static var month: CalendarDuration {
    get throws { try CalendarDuration(parsing: "P30D") }
  }

  /// `give` in synchronous code, whatever the caller is.
  private func give(
    _ ledger: Ledger, _ grant: ManualGrant, _ event: Event, _ duration: CalendarDuration? = nil
  ) throws -> GrantReceipt {
    try ledger.give(grant, in: event, lasting: duration)
  }

  @Test func `PEER-35 a gift after what there is begins where that ends, one beside it at once`()
    throws
  {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", account: nil, customer: "ann", days(1, 31)))
      let beside = try give(
        ledger, Self.gift("g1", stacking: nil), Self.event("manual:g1"), Self.month)
      #expect(beside.grant.from == day(5) && beside.grant.until == day(35))
      let after = try give(ledger, Self.gift("g2"), Self.event("manual:g2"), Self.month)
      #expect(after.grant.from == day(35) && after.grant.until == day(65))
      #expect(after.grant.stacking == .after)
      let next = try give(ledger, Self.gift("g3"), Self.event("manual:g3"), Self.month)
      #expect(next.grant.from == day(65) && next.grant.until == day(95))
      #expect(
        try ledger.decision(for: "ann", on: "premium", at: day(5)).until == day(95))
      guard case .granted(let recorded)? = try ledger.event("manual:g3")?.event.facts.first?.body
      else {
        Issue.record("the grant is not recorded")
        return
      }
      #expect(recorded == next.grant)
    }
  }

  @Test func `without access a gift after it begins at once`() throws {
    try withLedger { ledger in
      let given = try give(ledger, Self.gift("g1"), Self.event("manual:g1"), Self.month)
      #expect(given.grant.from == day(5) && given.grant.until == day(35))
    }
  }

  @Test func `the same event gives once, and its first times stay`() throws {
    try withLedger { ledger in
      let first = try give(ledger, Self.gift("g1"), Self.event("manual:g1"), Self.month)
      let second = try give(ledger, Self.gift("g1"), Self.event("manual:g1"), Self.month)
      #expect(second.grant == first.grant && second.receipt.isDuplicate)
      #expect(try ledger.lastPosition() == 1)
      #expect(
        code { try give(ledger, Self.gift("other"), Self.event("manual:g1"), Self.month) }
          == .idConflict)
    }
  }

  @Test func `what cannot be is refused: after access without end, an end before the start`() throws
  {
    try withLedger { ledger in
      try ledger.add(Make.grant("for-ever", of: "premium", to: "ann"))
      #expect(
        code { try give(ledger, Self.gift("g1"), Self.event("manual:g1"), Self.month) }
          == .invalidEvent)
      #expect(
        code {
          try give(
            ledger, Self.gift("g2", stacking: .overlap, until: day(5)), Self.event("manual:g2"))
        } == .invalidEvent)
      #expect(
        code {
          try give(
            ledger, Self.gift("g3", stacking: nil), Self.event("manual:g3"),
            try CalendarDuration(parsing: "P9000Y"))
        } == .invalidEvent)
      var nobody = Self.event("manual:g4")
      nobody.customer = nil
      #expect(code { try give(ledger, Self.gift("g4"), nobody, Self.month) } == .invalidEvent)
      #expect(try ledger.lastPosition() == 1)
    }
  }

  @Test func `gifts given at one time come one after the other`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      let month = try Self.month
      let given = try await withThrowingTaskGroup { group in
        for number in 1...8 {
          group.addTask {
            try await ledger.give(
              Self.gift(GrantID(stringLiteral: "g\(number)")),
              in: Self.event(EventID(stringLiteral: "manual:g\(number)")), lasting: month)
          }
        }
        var given: [GrantReceipt] = []
        for try await receipt in group { given.append(receipt) }
        return given
      }
      let starts = given.compactMap(\.grant.from).sorted()
      #expect(starts == (0..<8).map { day(5 + $0 * 30) })
    }
  }

  @Test func `a later change of the membership that a gift follows is the receiver's at once`()
    throws
  {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", days(1, 31)))
      try ledger.add(
        Make.event(
          "manual:gift", at: day(2), account: nil, customer: "bob", provider: .manual,
          Fact(
            .granted(
              ManualGrant(id: "g", entitlement: "premium", giver: "ann", follows: "stripe:sub_1"))))
      )
      let premium = try ledger.entitlement("premium")
      #expect(try ledger.isEntitled("bob", to: premium, at: day(20)))
      try ledger.add(
        Make.event(
          "stripe:evt_end", at: day(10),
          Fact(.ended(End(at: day(10), reason: .cancelled)), membership: "stripe:sub_1")))
      #expect(try !ledger.isEntitled("bob", to: premium, at: day(20)))
      let decision = try ledger.decision(
        for: "bob", on: "premium", at: day(20), explained: true)
      #expect(decision.reason == .cancelled && decision.evidence.contains("stripe:evt_end"))
      try expectSound(ledger)
    }
  }

  @Test func `a gift after what there is keeps its times, whatever becomes of the catalog`() throws
  {
    var bare = Make.catalog
    bare.products[0].entitlements = ["archive"]
    func withoutPremium(_ id: EventID) -> Event {
      var event = Make.catalogEvent(id, bare, appliesTo: .everyone, at: day(6))
      guard case .catalogRevised(var revision) = event.facts[0].body else { return event }
      revision.from = day(10)
      event.facts[0].body = .catalogRevised(revision)
      return event
    }
    try withLedger { ledger in
      try ledger.add(all: [Make.catalogEvent(), Make.purchase("stripe:evt_1", days(1, 31))])
      let account: CustomerID = "stripe:cus_1"
      let before = try give(
        ledger, Self.gift("g1"), Self.event("manual:g1", to: account), Self.month)
      #expect(before.grant.from == day(31))
      try ledger.add(withoutPremium("manual:catalog-2"))
      // It was promised from day 31 on; what the revision takes before that is the revision's doing.
      #expect(try !ledger.decision(for: account, on: "premium", at: day(20)).isEntitled)
      #expect(try ledger.decision(for: account, on: "premium", at: day(31)).isEntitled)
      let after = try give(
        ledger, Self.gift("g2"), Self.event("manual:g2", to: account), Self.month)
      #expect(after.grant.from == day(10) && after.grant.until == day(40))
      try expectSound(ledger)
    }
  }

  @Test func `what a gift follows is known, in the environment of the gift`() throws {
    try withLedger { ledger in
      try ledger.add(Make.purchase("stripe:evt_1", days(1, 31), in: .sandbox))
      let gift = ManualGrant(
        id: "g", entitlement: "premium", giver: "ann", follows: "stripe:sub_1")
      let event = Self.event("manual:g", to: "bob")
      #expect(code { try give(ledger, gift, event) } == .unknownReference)
      let text = try #require(message { try give(ledger, gift, event) })
      #expect(text.contains("no membership stripe:sub_1 in production"))
      #expect(try ledger.lastPosition() == 1)
      var inSandbox = event
      inSandbox.environment = .sandbox
      #expect(try !give(ledger, gift, inSandbox).receipt.isDuplicate)
    }
  }

  @Test func `a gift does not both follow its receiver's membership and begin after it`() throws {
    try withLedger { ledger in
      try ledger.add(all: [Make.catalogEvent(), Make.purchase("stripe:evt_1", days(1, 31))])
      func gift(_ id: GrantID, _ stacking: GrantStacking?) -> ManualGrant {
        ManualGrant(
          id: id, entitlement: "premium", follows: "stripe:sub_1", stacking: stacking)
      }
      let own = Self.event("manual:g1", to: "stripe:cus_1")
      #expect(code { try give(ledger, gift("g1", .after), own, try Self.month) } == .invalidEvent)
      let text = try #require(message { try give(ledger, gift("g1", .after), own, try Self.month) })
      #expect(text.contains("stripe:sub_1") && text.contains("\(day(31))"))
      // Beside what there is, and to another customer, it may be meant.
      _ = try give(
        ledger, gift("g2", nil), Self.event("manual:g2", to: "stripe:cus_1"), Self.month)
      let other = try give(
        ledger, gift("g3", .after), Self.event("manual:g3", to: "bob"), Self.month)
      #expect(other.grant.from == day(5))
    }
  }

  @Test func `single entitlements are taken from a membership as a whole`() throws {
    try withLedger { ledger in
      let taking = AccessRevocation(transaction: "stripe:t", entitlements: ["premium"])
      let event = Make.event(
        "manual:take", at: day(1), provider: .manual,
        Fact(.accessRevoked(taking), membership: "stripe:sub_1"))
      #expect(code { try ledger.add(event) } == .invalidEvent)
    }
  }
}
