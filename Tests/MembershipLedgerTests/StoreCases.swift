import LedgerTestSupport
import MembershipLedger
import Testing

/// Cases of app stores and their kits that concern what is bought, changed and paid.
@Suite struct StoreCases {
  private static let pro = Offer(product: "prod_pro")
  private static let basic = Offer(product: "prod_basic")

  private static func only(
    _ ledger: Ledger, at number: Int64, of customer: CustomerID = "stripe:cus_1"
  ) throws -> Membership {
    let memberships = try ledger.memberships(of: customer, at: day(number))
    #expect(memberships.count == 1)
    return try #require(memberships.first)
  }

  @Test func `STORE-7: an upgrade shows as pending until it is in effect`() throws {
    let planned = PlanChange(at: day(15), from: Self.basic, to: Self.pro)
    let stale = Observation(status: "active", standing: .active, isRenewing: true)
    try withCase([
      Make.purchase("stripe:evt_1", product: "prod_basic"),
      Make.change("stripe:evt_2", at: 10, .planChangeScheduled(planned)),
      Make.change("stripe:evt_3", at: 15, .planChanged(planned)),
      Make.change("stripe:evt_0", at: 9, .observed(stale)),
    ]) { ledger in
      try #expect(Self.only(ledger, at: 12).pendingChange?.to?.offer == Self.pro)
      try #expect(Self.only(ledger, at: 12).product == "basic")
      try #expect(Self.only(ledger, at: 16).pendingChange == nil)
      try #expect(Self.only(ledger, at: 16).product == "pro")
      try expectAccess(ledger, "archive", on: [15, 30], notOn: [14, 31])
    }
  }

  @Test func `STORE-8, STORE-31: after a change of tier the new plan alone counts`() throws {
    let change = PlanChange(at: day(10), from: Self.pro, to: Self.basic)
    try withCase([
      Make.purchase("stripe:evt_1"), Make.change("stripe:evt_2", at: 10, .planChanged(change)),
    ]) { ledger in
      try #expect(Self.only(ledger, at: 20).product == "basic")
      try expectAccess(ledger, on: [9, 10, 30], notOn: [31])
      try expectAccess(ledger, "archive", on: [9], notOn: [10, 30])
      #expect(try ledger.entitlements(of: "stripe:cus_1", at: day(20)).count == 1)
    }
  }

  @Test func `STORE-10: one subscription of a store's never serves two accounts`() throws {
    var second = Make.purchase("stripe:evt_2", account: "stripe:cus_2", invoice: "stripe:in_2")
    second.effectiveAt = day(5)
    try withCase([Make.purchase("stripe:evt_1"), second]) { ledger in
      for number in [2, 6, 30] as [Int64] {
        let holders = try (["stripe:cus_1", "stripe:cus_2"] as [CustomerID]).filter {
          try ledger.decision(for: $0, on: "premium", at: day(number)).isEntitled
        }
        #expect(holders == ["stripe:cus_2"], "day \(number)")
      }
    }
  }

  /// A chain of purchase tokens is one membership, anchored at its first token.
  private static func token(
    _ id: EventID, at number: Int64, order: TransactionID, _ offer: Offer, _ period: Period,
    for customer: CustomerID?
  ) -> Event {
    var event = Make.event(
      id, at: day(number), account: nil, customer: customer, provider: .googlePlay,
      Fact(
        .purchased(Transaction(id: order, offer: offer, period: period, kind: .paid)),
        membership: "google-play:token_1"))
    if number > 1 {
      let change = PlanChange(at: day(number), from: Self.basic, to: Self.pro)
      event.facts.append(Fact(.planChanged(change), membership: "google-play:token_1"))
    }
    return event
  }

  private static let playCatalog: Event = {
    var catalog = Make.catalog
    catalog.products[0].stores.append(.init(provider: .googlePlay, product: "prod_pro"))
    catalog.products[1].stores.append(.init(provider: .googlePlay, product: "prod_basic"))
    return Make.catalogEvent("manual:catalog-play", catalog)
  }()

  @Test func `STORE-23: a replaced token's purchase keeps the user of the first`() throws {
    try withCase([
      Self.playCatalog,
      Self.token(
        "google-play:1", at: 1, order: "google-play:GPA.1", Self.basic, days(1, 31), for: "user_1"),
      Self.token(
        "google-play:2", at: 10, order: "google-play:GPA.2", Self.pro, days(10, 40), for: nil),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 10, 39], notOn: [0, 40])
      try expectAccess(ledger, "archive", of: "user_1", on: [10, 39], notOn: [9, 40])
    }
  }

  @Test func `STORE-25: of a chain of tokens the newest alone entitles, and one customer`() throws {
    try withCase([
      Self.playCatalog,
      Self.token(
        "google-play:1", at: 1, order: "google-play:GPA.1", Self.basic, days(1, 61), for: "user_1"),
      Self.token(
        "google-play:2", at: 10, order: "google-play:GPA.2", Self.pro, days(10, 40), for: "user_2"),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", notOn: [5, 20, 50])
      try expectAccess(ledger, "archive", of: "user_2", on: [10, 39], notOn: [5, 40])
    }
  }

  @Test func `STORE-26: a subscription long over stands in no new one's way`() throws {
    try withCase([
      Make.purchase("stripe:evt_1", days(1, 31)),
      Make.change("stripe:evt_2", at: 31, .ended(End(at: day(31), reason: .expired))),
      Make.purchase(
        "stripe:evt_3", of: "stripe:sub_2", days(100, 130), invoice: "stripe:in_2"),
    ]) { ledger in
      try expectAccess(ledger, on: [30, 100, 129], notOn: [31, 99, 130])
      let statuses = try ledger.memberships(of: "stripe:cus_1", at: day(110)).map(\.status)
      #expect(statuses == [.expired, .active])
    }
  }

  @Test func `STORE-28, STORE-29: a deferred downgrade leaves the old plan on, the new one next`()
    throws
  {
    let planned = PlanChange(at: day(31), from: Self.pro, to: Self.basic)
    try withCase([
      Make.purchase("stripe:evt_1"),
      Make.change("stripe:evt_2", at: 10, .planChangeScheduled(planned)),
      Make.purchase(
        "stripe:evt_3", days(31, 61), invoice: "stripe:in_2", product: "prod_basic"),
    ]) { ledger in
      let before = try Self.only(ledger, at: 20)
      #expect(before.product == "pro" && before.isActive)
      #expect(before.pendingChange?.at == day(31) && before.pendingChange?.to?.offer == Self.basic)
      let after = try Self.only(ledger, at: 31)
      #expect(after.product == "basic" && after.isActive && after.pendingChange == nil)
      try expectAccess(ledger, "archive", on: [30], notOn: [31, 60])
      try expectAccess(ledger, on: [30, 31, 60], notOn: [61])
    }
  }

  @Test func `STORE-37: both environments are taken, and answer apart`() throws {
    try withCase([
      Make.purchase("stripe:evt_1", days(1, 31)),
      Make.purchase("stripe:evt_2", days(1, 61), invoice: "stripe:in_9", in: .sandbox),
    ]) { ledger in
      let premium = try ledger.entitlement("premium")
      try expectAccess(ledger, on: [30], notOn: [31, 60])
      for (number, expected) in [(30, true), (60, true), (61, false)] as [(Int64, Bool)] {
        #expect(
          try ledger.isEntitled("stripe:cus_1", to: premium, at: day(number), in: .sandbox)
            == expected)
      }
    }
  }

  @Test func `STORE-41: a purchase that waits for consent is pending until it is made`() throws {
    let waiting = Make.change(
      "stripe:evt_1", at: 1, .checkoutClosed(CheckoutClosure(id: "stripe:cs_1", outcome: .pending)))
    try withCase([waiting]) { ledger in
      try #expect(Self.only(ledger, at: 2).status == .pending)
      try expectAccess(ledger, notOn: [0, 1, 20])
    }
    try withCase([waiting, Make.purchase("stripe:evt_2", days(3, 33))]) { ledger in
      try #expect(Self.only(ledger, at: 2).status == .pending)
      try #expect(Self.only(ledger, at: 3).status == .active)
      try expectAccess(ledger, on: [3, 32], notOn: [2, 33])
    }
  }

  @Test func `STORE-44: a retry without grace is no access, one with grace is until its end`()
    throws
  {
    func events(_ graceUntil: Timestamp?) -> [Event] {
      let failure = PaymentFailure(period: days(31, 61), graceUntil: graceUntil, failedAt: day(31))
      return [
        Make.purchase("stripe:evt_1"), Make.change("stripe:evt_2", at: 31, .paymentFailed(failure)),
      ]
    }
    try withCase(events(nil)) { ledger in
      try expectAccess(ledger, on: [30], notOn: [31, 37])
      let membership = try Self.only(ledger, at: 32)
      #expect(membership.status == .pastDue && !membership.isActive)
    }
    try withCase(events(day(37))) { ledger in
      try expectAccess(ledger, on: [30, 31, 36], notOn: [37])
      #expect(try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(32)).reason == .grace)
    }
  }

  @Test func `STORE-47: a renewing membership is trusted past its end as long as the policy says`()
    throws
  {
    let policy = Policy(providers: [
      .init(provider: .stripe, renewalToleranceMilliseconds: 3_600_000)
    ])
    let renewing = Observation(status: "active", standing: .active, isRenewing: true)
    let purchase = [
      Make.purchase("stripe:evt_1"), Make.change("stripe:evt_2", at: 1, .observed(renewing)),
    ]
    let rule = Make.manual(
      "manual:policy", at: day(0), .policyRevised(PolicyRevision(policy: policy)))
    try withCase(purchase) { ledger in
      try expectAccess(ledger, on: [30], notOn: [31])
    }
    try withCase(purchase + [rule]) { ledger in
      try expectAccess(ledger, on: [30, 31], notOn: [32])
      let premium = try ledger.entitlement("premium")
      for (milliseconds, expected) in [(3_599_999, true), (3_600_000, false)] as [(Int64, Bool)] {
        #expect(
          try ledger.isEntitled(
            "stripe:cus_1", to: premium, at: day(31).adding(milliseconds: milliseconds))
            == expected)
      }
    }
    let asked = CancellationSchedule(effectiveAt: day(31), requestedAt: day(5))
    let cancelled = Make.change("stripe:evt_3", at: 5, .cancellationScheduled(asked))
    try withCase(purchase + [rule, cancelled]) { ledger in
      try expectAccess(ledger, on: [30], notOn: [31])
    }
  }

  @Test func `STORE-53: a lifetime purchase and a subscription keep their own ends`() throws {
    try withCase([
      Make.purchase("stripe:evt_1", days(1, 31)),
      Make.purchase(
        "stripe:evt_2", of: "stripe:cs_1", nil, invoice: "stripe:pi_1", product: "prod_basic"),
    ]) { ledger in
      try expectAccess(ledger, on: [1, 31, 5000])
      try expectAccess(ledger, "archive", on: [30], notOn: [31, 5000])
      let statuses = try ledger.memberships(of: "stripe:cus_1", at: day(40)).map(\.status)
      #expect(statuses == [.completed, .expired])
    }
  }

  @Test func `STORE-58: a paused membership shows as paused`() throws {
    try withCase([
      Make.purchase("stripe:evt_1"),
      Make.change("stripe:evt_2", at: 10, .paused(Pause(cause: "subscription"))),
    ]) { ledger in
      try #expect(Self.only(ledger, at: 11).status == .paused)
      #expect(
        try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(11)).reason == .paused)
    }
  }

  @Test func `STORE-61: a refund followed by the end takes access once`() throws {
    let paid = Money(minorUnits: 999, currency: "USD")
    try withCase([
      Make.purchase("stripe:evt_1"),
      Make.event(
        "stripe:evt_2", at: day(10), account: nil,
        Fact(.refunded(Refund(amount: paid, paid: paid)), references: ["stripe:in_1"])),
      Make.change("stripe:evt_3", at: 10, .ended(End(at: day(10), reason: .refunded))),
    ]) { ledger in
      let segments = try ledger.timeline(of: "stripe:cus_1", at: day(20)).segments
      let giving = segments.filter { !$0.entitlements.isEmpty }
      #expect(giving.map(\.until) == [day(10)])
      try #expect(Self.only(ledger, at: 11).status == .refunded)
    }
  }

  @Test func `STORE-62: what is reported under two event ids is given once`() throws {
    try withCase([Make.purchase("stripe:evt_1"), Make.purchase("stripe:evt_2")]) { ledger in
      #expect(try ledger.lastPosition() == Position(3))
      let holdings = try ledger.entitlements(of: "stripe:cus_1", at: day(5))
      #expect(holdings.map(\.entitlement) == ["archive", "premium"])
      #expect(try ledger.memberships(of: "stripe:cus_1", at: day(5)).count == 1)
    }
  }

  @Test func `STORE-67: a notification delivered six times is one event`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      let receipts = try (0..<6).map { _ in try ledger.add(Make.purchase("stripe:evt_1")) }
      #expect(receipts.map(\.isDuplicate) == [false, true, true, true, true, true])
      #expect(Set(receipts.map(\.position)) == [Position(2)])
      #expect(try ledger.lastPosition() == Position(2))
    }
  }

  @Test func `STORE-68: a fact about a transaction acts on that one, not on the latest`() throws {
    let revocation = AccessRevocation(transaction: "stripe:in_1/si_1", at: day(20))
    try withCase([
      Make.purchase("stripe:evt_1", days(1, 31)),
      Make.purchase("stripe:evt_2", days(31, 61), invoice: "stripe:in_2"),
      Make.change("stripe:evt_3", at: 20, .accessRevoked(revocation)),
    ]) { ledger in
      try expectAccess(ledger, on: [19, 31, 60], notOn: [20, 30, 61])
    }
  }
}
