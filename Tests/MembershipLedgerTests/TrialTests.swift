import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Trial once") struct TrialTests {
  private static func trial(
    _ id: EventID, of membership: MembershipID = "stripe:sub_1",
    account: AccountID = "stripe:cus_1", at start: Int64 = 1, product: String = "prod_pro",
    in environment: Environment = .production
  ) -> Event {
    Make.event(
      id, at: day(start), account: account, in: environment,
      Fact(
        .purchased(
          Transaction(
            id: TransactionID(stringLiteral: "\(membership)/trial"), offer: Offer(product: product),
            period: days(start, start + 7), kind: .trial)), membership: membership))
  }

  private static func checkout(
    _ id: EventID, customer: CustomerID?, plan: String = "plan_pro", isTrial: Bool = true,
    in environment: Environment = .production
  ) -> Event {
    var event = Make.event(
      id, at: day(50), account: nil, customer: customer, in: environment, provider: .manual,
      Fact(.checkoutOpened(CheckoutOpening(id: "stripe:cs_9", plan: plan, isTrial: isTrial))))
    event.provenance = Provenance(origin: .checkout)
    return event
  }

  private static func linked(_ account: AccountID, _ customer: CustomerID) -> Event {
    Make.manual(
      EventID(stringLiteral: "manual:link-\(account)"),
      .accountLinked(AccountLink(account: account, customer: customer)))
  }

  private func withTrial(_ body: (Ledger) throws -> Void) throws {
    try withLedger { ledger in
      var catalog = Make.catalog
      catalog.plans = [
        .init(id: "plan_pro", product: "pro", stores: [.init(provider: .stripe, price: "price_1")]),
        .init(id: "plan_basic", product: "basic"),
      ]
      try ledger.add(Make.catalogEvent("manual:c", catalog))
      try ledger.add(Self.linked("stripe:cus_1", "ann"))
      try ledger.add(Self.trial("stripe:trial"))
      try body(ledger)
    }
  }

  private func isUsed(_ ledger: Ledger, _ customer: CustomerID) throws -> Bool {
    try ledger.trialUse(of: customer, product: "pro") != nil
  }

  @Test func `a trial that was used is named with its membership, transaction, time and event`()
    throws
  {
    try withTrial { ledger in
      let use = try #require(try ledger.trialUse(of: "ann", product: "pro"))
      #expect(use.membership == "stripe:sub_1" && use.transaction == "stripe:sub_1/trial")
      #expect(use.at == day(1) && use.event == "stripe:trial" && use.product == "pro")
      #expect(try ledger.trialUse(of: "stripe:cus_1", product: "pro") == use)
      #expect(try ledger.trialUse(of: "ann", product: "basic") == nil)
      #expect(try ledger.trialUse(of: "nobody", product: "pro") == nil)
      #expect(try ledger.trialUse(of: "ann", product: "pro", in: .sandbox) == nil)
      #expect(
        try ledger.asKnown(at: .position(2)).trialUse(of: "ann", product: "pro") == nil)
      #expect(
        try ledger.asKnown(at: .position(3)).trialUse(of: "ann", product: "pro") == use)
    }
  }

  @Test func `PEER-62 cancelling, refunding and subscribing again give no new trial`() throws {
    try withTrial { ledger in
      try ledger.add(
        Make.event(
          "stripe:end", at: day(3),
          Fact(.ended(End(at: day(3), reason: .refunded)), membership: "stripe:sub_1")))
      try ledger.add(Make.purchase("stripe:again", of: "stripe:sub_2", invoice: "stripe:in_9"))
      #expect(code { try ledger.add(Self.checkout("manual:1", customer: "ann")) } == .trialUsed)
      #expect(try ledger.event("manual:1") == nil)
    }
  }

  @Test func `the refusal names the earlier use, and a checkout without a trial is taken`() throws {
    try withTrial { ledger in
      do {
        try ledger.add(Self.checkout("manual:1", customer: "ann", plan: "price_1"))
        Issue.record("a second trial was taken")
      } catch let error as LedgerError {
        for part in ["ann", "pro", "stripe:sub_1", "stripe:trial"] {
          #expect(error.message.contains(part))
        }
      }
      try ledger.add(Self.checkout("manual:2", customer: "ann", isTrial: false))
      try ledger.add(Self.checkout("manual:3", customer: "ann", plan: "plan_basic"))
      try ledger.add(Self.checkout("manual:4", customer: "bob"))
      try ledger.add(Self.checkout("manual:5", customer: "ann", in: .sandbox))
    }
  }

  @Test func `what is needed to tell is asked for`() throws {
    try withTrial { ledger in
      #expect(code { try ledger.add(Self.checkout("manual:1", customer: nil)) } == .invalidEvent)
      #expect(
        code { try ledger.add(Self.checkout("manual:2", customer: "bob", plan: "plan_new")) }
          == .invalidEvent)
      var told = Self.checkout("stripe:evt_9", customer: "ann")
      told.provenance = Provenance(origin: .webhook)
      try ledger.add(told)
    }
  }

  @Test func `merged customers have used what either has, and their undoing leaves each its own`()
    throws
  {
    try withTrial { ledger in
      let merge = CustomerMerge(from: "bob", into: "ann")
      try ledger.add(Make.manual("manual:merge", .customersMerged(merge)))
      #expect(try isUsed(ledger, "bob"))
      #expect(code { try ledger.add(Self.checkout("manual:1", customer: "bob")) } == .trialUsed)
      try ledger.add(Make.manual("manual:undo", .mergeUndone(merge)))
      #expect(try isUsed(ledger, "ann") && !isUsed(ledger, "bob"))
      try ledger.add(Self.checkout("manual:2", customer: "bob"))
    }
  }

  @Test func `a transfer leaves the trial used by who had it, and by who gets the membership`()
    throws
  {
    try withTrial { ledger in
      try ledger.add(
        Make.event(
          "manual:move", at: day(5), account: nil, provider: .manual,
          Fact(.transferred(Transfer(to: "bob")), membership: "stripe:sub_1")))
      #expect(try isUsed(ledger, "ann") && isUsed(ledger, "bob"))
      try ledger.rebuild()
      #expect(try isUsed(ledger, "ann") && isUsed(ledger, "bob"))
    }
  }

  @Test func `a trial is used by beginning it: of two checkouts open at once both may be`() throws {
    try withTrial { ledger in
      // Whoever has left the first one behind is not kept out.
      try ledger.add(Self.checkout("manual:1", customer: "bob"))
      try ledger.add(Self.checkout("manual:2", customer: "bob"))
      try ledger.add(Self.linked("stripe:cus_2", "bob"))
      try ledger.add(Self.trial("stripe:b1", of: "stripe:sub_2", account: "stripe:cus_2", at: 3))
      #expect(code { try ledger.add(Self.checkout("manual:3", customer: "bob")) } == .trialUsed)
      try ledger.add(Self.trial("stripe:b2", of: "stripe:sub_3", account: "stripe:cus_2", at: 4))
      try ledger.add(
        Self.trial(
          "stripe:b3", of: "stripe:sub_4", account: "stripe:cus_2", at: 5, product: "prod_basic"))
      #expect(try ledger.trialUse(of: "bob", product: "pro")?.membership == "stripe:sub_2")
      func repeated(_ instant: Timestamp) throws -> [MembershipID: MembershipID] {
        var found: [MembershipID: MembershipID] = [:]
        for membership in try ledger.memberships(of: "bob", at: instant) {
          found[membership.id] = membership.repeatsTrialOf
        }
        return found
      }
      #expect(try repeated(day(6)) == ["stripe:sub_3": "stripe:sub_2"])
      #expect(try repeated(day(4)) == ["stripe:sub_3": "stripe:sub_2"])
      #expect(try repeated(day(4).adding(milliseconds: -1)) == [:])
      #expect(try ledger.memberships(of: "ann", at: day(6)).first?.repeatsTrialOf == nil)
      #expect(
        try ledger.asKnown(at: .position(7)).memberships(of: "bob", at: day(6))
          .allSatisfy { $0.repeatsTrialOf == nil })
    }
  }

  @Test func `of two checkouts in one batch the one after the trial is refused`() throws {
    try withTrial { ledger in
      let outcomes = ledger.append(contentsOf: [
        AppendRequest(Self.checkout("manual:1", customer: "bob")),
        AppendRequest(Self.trial("stripe:evt_2", of: "stripe:sub_2", account: "stripe:cus_2")),
        AppendRequest(Self.linked("stripe:cus_2", "bob")),
        AppendRequest(Self.checkout("manual:2", customer: "bob")),
      ])
      #expect(outcomes.map { (try? $0.get()) != nil } == [true, true, true, false])
    }
  }
}
