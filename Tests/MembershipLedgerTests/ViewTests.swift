import LedgerTestSupport
import MembershipLedger
import Testing

/// What a membership shows of itself agrees with what a check answers.
@Suite("How memberships are shown") struct ViewTests {
  private func membership(
    _ ledger: Ledger, at number: Int64, _ location: SourceLocation = #_sourceLocation
  ) throws -> Membership {
    let found = try ledger.memberships(of: "stripe:cus_1", at: day(number))
    return try #require(found.first, sourceLocation: location)
  }

  private func isEntitled(_ ledger: Ledger, at number: Int64) throws -> Bool {
    try Make.catalog.entitlements.contains { entitlement in
      try ledger.decision(for: "stripe:cus_1", on: entitlement.key, at: day(number)).isEntitled
    }
  }

  @Test func `what the catalog does not know is not active, however the store sees it`() throws {
    try withLedger { ledger in
      try ledger.add(all: [Make.catalogEvent(), Make.purchase("stripe:evt_1", product: "unknown")])
      let shown = try membership(ledger, at: 5)
      #expect(!shown.isActive && shown.status == .active)
      #expect(try !isEntitled(ledger, at: 5))
      let segments = try ledger.timeline(of: "stripe:cus_1").segments
      #expect(segments.allSatisfy { $0.entitlements.isEmpty && $0.reason != .granted })
    }
  }

  @Test func `one of which everything was taken is not active, and one with a rest is`() throws {
    func taking(_ id: EventID, at number: Int64, _ keys: EntitlementKey...) -> Event {
      let revocation = AccessRevocation(entitlements: keys)
      return Make.event(
        id, at: day(number), account: nil, provider: .manual,
        Fact(.accessRevoked(revocation), membership: "stripe:sub_1"))
    }
    try withLedger { ledger in
      try ledger.add(all: [Make.catalogEvent(), Make.purchase("stripe:evt_1")])
      try ledger.add(taking("manual:1", at: 5, "archive"))
      try ledger.add(taking("manual:2", at: 8, "premium"))
      for (number, isActive) in [(4, true), (5, true), (7, true), (8, false)] as [(Int64, Bool)] {
        #expect(try membership(ledger, at: number).isActive == isActive, "day \(number)")
        #expect(try isEntitled(ledger, at: number) == isActive, "day \(number)")
      }
      let last = try ledger.timeline(of: "stripe:cus_1").segments.first { $0.from == day(8) }
      #expect(last?.reason == .revoked && last?.entitlements == [])
      try expectSound(ledger)
    }
  }

  @Test func `a retry that fails changes nothing about the days before it`() throws {
    func failure(_ number: Int, at instant: Int64) -> Event {
      StripeHook(
        "f\(number)", "invoice.payment_failed", at: Double(instant),
        StripeHook.invoice(2, "open", 31, 61)
      ).events()[0]
    }
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(
        all: StripeHook("p", "invoice.paid", at: 1, StripeHook.invoice(1, "paid", 1, 31)).events())
      try ledger.add(failure(1, at: 31))
      let before = try [31, 33, 36, 40].map { try membership(ledger, at: $0) }
      #expect(before.allSatisfy { $0.status == .pastDue && $0.willRenew })
      try ledger.add(all: [failure(2, at: 34), failure(3, at: 37)])
      let after = try [31, 33, 36, 40].map { try membership(ledger, at: $0) }
      #expect(after.map(\.status) == before.map(\.status))
      #expect(after.map(\.willRenew) == before.map(\.willRenew))
    }
  }

  @Test func `an end that is stated for later is shown as what it is`() throws {
    try withLedger { ledger in
      try ledger.add(all: [Make.catalogEvent(), Make.purchase("stripe:evt_1", days(1, 61))])
      try ledger.add(
        Make.change("stripe:evt_e", at: 10, .ended(End(at: day(40), reason: .cancelled))))
      let before = try membership(ledger, at: 9)
      #expect(before.status == .active && before.cancelAt == nil && before.willRenew)
      let pending = try membership(ledger, at: 11)
      #expect(pending.status == .canceling && pending.isActive && !pending.willRenew)
      #expect(pending.cancelAt == day(40) && pending.endedAt == nil)
      let planned = try ledger.asKnown(at: .position(ledger.lastPosition()))
        .timeline(of: "stripe:cus_1", at: day(11)).planned
      #expect(planned.map(\.kind).contains("cancellation"))
      #expect(!planned.map(\.kind).contains("renewal"))
      let over = try membership(ledger, at: 41)
      #expect(over.status == .canceled && over.endedAt == day(40) && over.cancelAt == nil)
    }
  }

  @Test func `PEER-8: an end in effect leaves nothing pending`() throws {
    let change = PlanChange(
      at: day(31), from: Offer(product: "prod_pro"), to: Offer(product: "prod_basic"))
    try withLedger { ledger in
      try ledger.add(all: [Make.catalogEvent(), Make.purchase("stripe:evt_1")])
      try ledger.add(Make.change("stripe:evt_p", at: 5, .planChangeScheduled(change)))
      try ledger.add(
        Make.change("stripe:evt_e", at: 10, .ended(End(at: day(10), reason: .cancelled))))
      #expect(try membership(ledger, at: 8).pendingChange?.to?.product == "basic")
      #expect(try membership(ledger, at: 12).pendingChange == nil)
      let planned = try ledger.asKnown(at: .position(ledger.lastPosition()))
        .timeline(of: "stripe:cus_1", at: day(12)).planned
      #expect(planned.contains { $0.kind == "planChange" && $0.isSuperseded })
    }
  }
}

/// Decisions that no rule may keep from being put right.
@Suite("Decisions about terms and names") struct DecisionTests {
  @Test func `a policy that shuts an environment out is replaced by another`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      let shut = PolicyRevision(policy: Policy(environments: [.sandbox]))
      try ledger.add(Make.manual("manual:p1", at: day(0), .policyRevised(shut)))
      #expect(code { try ledger.add(Make.purchase("stripe:evt_1")) } == .invalidEvent)
      let grant = Make.grant("manual:g1", of: "premium", to: "user_1", from: day(1))
      #expect(code { try ledger.add(grant) } == .invalidEvent)
      try ledger.add(Make.catalogEvent("manual:catalog-2", at: day(2)))
      let open = PolicyRevision(policy: Policy())
      try ledger.add(Make.manual("manual:p2", at: day(0), .policyRevised(open)))
      try ledger.add(Make.purchase("stripe:evt_1"))
      try expectSound(ledger)
    }
  }

  @Test func `Law 12: nobody's account is given no account of a customer's`() throws {
    try withLedger { ledger in
      try ledger.add(all: [Make.catalogEvent(), Make.purchase("stripe:evt_1")])
      try ledger.link("stripe:cus_1", to: "user_1")
      #expect(code { try ledger.link("stripe:cus_1", to: "stripe:cus_2") } == .anonymousCustomer)
      let raw = Make.manual(
        "manual:raw", at: day(3),
        .accountLinked(AccountLink(account: "stripe:cus_1", customer: "app-store:9")))
      #expect(code { try ledger.add(raw) } == .anonymousCustomer)
      #expect(try ledger.decision(for: "user_1", on: "premium", at: day(5)).isEntitled)
      // Two of nobody's may be one, and a customer's own account stands for the customer.
      try ledger.link("stripe:cus_3", to: "stripe:cus_4")
      try ledger.link("stripe:cus_2", to: "user_2")
      try ledger.link("stripe:cus_1", to: "stripe:cus_2")
      #expect(try ledger.decision(for: "user_2", on: "premium", at: day(5)).isEntitled)
      try expectSound(ledger)
    }
  }
}
