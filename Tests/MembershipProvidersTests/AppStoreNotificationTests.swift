import MembershipModel
import Testing

@testable import MembershipProviders

/// What each type of notification states.
@Suite struct AppStoreNotificationTests {
  typealias A = AppStoreFixture

  static let tenth = A.at("2026-01-10")

  private func facts(
    _ type: String, _ subtype: String? = nil, _ transaction: JSONValue? = A.transaction(),
    _ renewal: JSONValue? = A.renewal(), status: Int64? = 1, signedAt: Timestamp = A.january
  ) throws -> [Fact] {
    try A.event(
      in: A.notification(
        type, subtype, transaction, renewal, status: status, signedAt: signedAt)
    ).facts.filter { $0.body.name != "accountLinked" }
  }

  private static func bought(
    _ id: TransactionID = "app-store:2000", _ kind: TransactionKind = .paid,
    from start: Timestamp = A.january, to end: Timestamp = A.february,
    product: String = "com.example.pro.monthly", amount: Int64 = 999, isIntact: Bool = true
  ) -> Transaction {
    Transaction(
      id: id, offer: Offer(product: product), period: Period(start: start, end: end), kind: kind,
      amount: Money(minorUnits: amount, currency: "USD"), isIntact: isIntact,
      replacesEarlier: true)
  }

  private static func observed(
    _ status: String = "1", _ standing: Standing = .active, renews: Bool = true
  ) -> Fact {
    Fact(
      .observed(Observation(status: status, standing: standing, isRenewing: renews)),
      membership: A.membership)
  }

  private static func fact(_ body: Fact.Body) -> Fact { Fact(body, membership: A.membership) }

  private static let purchase = Fact(
    .purchased(bought()), membership: A.membership, references: ["app-store:line/92000"])

  @Test func `SUBSCRIBED states the purchase and the standing`() throws {
    #expect(try facts("SUBSCRIBED", "INITIAL_BUY") == [Self.purchase, Self.observed()])
    #expect(try facts("SUBSCRIBED", "RESUBSCRIBE") == [Self.purchase, Self.observed()])
  }

  @Test(arguments: [nil, "BILLING_RECOVERY"])
  func `DID_RENEW states the next period`(subtype: String?) throws {
    let transaction = A.transaction("2001", from: A.february, to: A.march)
    let renewal = A.renewal(at: A.march, signedAt: A.february)
    let renewed = Fact(
      .renewed(Self.bought("app-store:2001", from: A.february, to: A.march)),
      membership: A.membership, references: ["app-store:line/92001"])
    #expect(
      try facts("DID_RENEW", subtype, transaction, renewal, signedAt: A.february)
        == [renewed, Self.observed()])
  }

  @Test func `a trial is one by its discount, whichever offer gives it`() throws {
    for (offer, discount, price, kind) in [
      (1, "FREE_TRIAL", 0, .trial), (2, "FREE_TRIAL", 0, .trial), (3, "PAY_UP_FRONT", 4990, .paid),
      (1, "PAY_AS_YOU_GO", 4990, .intro), (2, "ONE_TIME", 0, .free),
    ] as [(Int64, String, Int64, TransactionKind)] {
      let transaction = A.transaction(changing: [
        "offerType": .integer(offer), "offerDiscountType": .string(discount),
        "price": .integer(price),
      ])
      let facts = try facts("OFFER_REDEEMED", nil, transaction)
      #expect(facts.transactions.first?.kind == kind)
      let standing: Standing = kind == .trial ? .trialing : .active
      #expect(facts.observations.first?.standing == standing)
    }
    // Before 2024 the kind of discount was not told.
    let old = A.transaction(changing: ["offerType": 1, "price": 0])
    #expect(try facts("SUBSCRIBED", "INITIAL_BUY", old).transactions.first?.kind == .trial)
  }

  @Test(arguments: ["DID_CHANGE_RENEWAL_PREF", "OFFER_REDEEMED"])
  func `an upgrade is a purchase that takes the place of what was had`(type: String) throws {
    let yearly = "com.example.pro.yearly"
    let end = A.at("2027-01-10")
    let transaction = A.transaction(
      "2001", product: yearly, from: Self.tenth, to: end,
      changing: ["transactionReason": "PURCHASE"])
    let renewal = A.renewal(product: yearly, at: end, signedAt: Self.tenth)
    let facts = try facts(type, "UPGRADE", transaction, renewal, signedAt: Self.tenth)
    #expect(
      facts.first?.body
        == .purchased(Self.bought("app-store:2001", from: Self.tenth, to: end, product: yearly)))
    #expect(facts.first?.body.transaction?.replacesEarlier == true)
  }

  @Test(arguments: ["DID_CHANGE_RENEWAL_PREF", "OFFER_REDEEMED"])
  func `a downgrade is planned for the renewal, and can be withdrawn`(type: String) throws {
    let renewal = A.renewal(next: "com.example.basic.monthly", signedAt: Self.tenth)
    let planned = PlanChange(
      at: A.february, from: Offer(product: "com.example.pro.monthly"),
      to: Offer(product: "com.example.basic.monthly"))
    #expect(
      try facts(type, "DOWNGRADE", A.transaction(), renewal, signedAt: Self.tenth).last
        == Self.fact(.planChangeScheduled(planned)))
    #expect(
      try facts("DID_CHANGE_RENEWAL_PREF").last == Self.fact(.planChangeWithdrawn(Withdrawal())))
  }

  @Test func `renewal turned off plans the end of the period, turned on withdraws it`() throws {
    let off = A.renewal(renews: false, signedAt: Self.tenth)
    #expect(
      try facts(
        "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", A.transaction(), off,
        signedAt: Self.tenth)
        == [
          Fact(
            Self.purchase.body, membership: A.membership, references: Self.purchase.references,
            writtenAt: A.january),
          Self.observed(renews: false),
          Self.fact(.cancellationScheduled(CancellationSchedule(effectiveAt: A.february))),
        ])
    #expect(
      try facts("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")
        == [
          Self.purchase, Self.observed(), Self.fact(.cancellationWithdrawn(Withdrawal())),
        ])
  }

  @Test func `a failed renewal keeps access until the end of grace, where there is one`() throws {
    let until = A.at("2026-02-17")
    let grace = A.renewal(
      signedAt: A.february,
      changing: ["gracePeriodExpiresDate": .integer(until.milliseconds)])
    func failure(_ grace: Timestamp?) -> Fact {
      Self.fact(
        .paymentFailed(
          PaymentFailure(
            period: Period(start: A.february, end: grace ?? A.february), graceUntil: grace,
            failedAt: A.february)))
    }
    let shown = A.transaction(signedAt: A.february)
    let failing = try facts(
      "DID_FAIL_TO_RENEW", "GRACE_PERIOD", shown, grace, status: 4, signedAt: A.february)
    #expect(Array(failing.dropFirst()) == [Self.observed("4", .pastDue), failure(until)])
    let none = A.renewal(signedAt: A.february, changing: ["isInBillingRetryPeriod": true])
    let retried = try facts(
      "DID_FAIL_TO_RENEW", nil, shown, none, status: 3, signedAt: A.february)
    #expect(Array(retried.dropFirst()) == [Self.observed("3", .pastDue), failure(nil)])
    let over = A.renewal(
      signedAt: until, changing: ["gracePeriodExpiresDate": .integer(until.milliseconds)])
    let expired = try facts(
      "GRACE_PERIOD_EXPIRED", nil, A.transaction(signedAt: until), over, status: 3,
      signedAt: until)
    #expect(Array(expired.dropFirst()) == [Self.observed("3", .pastDue), failure(until)])
    // The date need not be shown any more once it has passed.
    let bare = try facts(
      "GRACE_PERIOD_EXPIRED", nil, A.transaction(signedAt: until), A.renewal(signedAt: until),
      status: 3, signedAt: until)
    #expect(bare.last == failure(until))
  }

  @Test(
    arguments: [
      ("VOLUNTARY", 1, .cancelled), ("PRICE_INCREASE", 3, .expired),
      ("PRODUCT_NOT_FOR_SALE", 4, .expired), (nil, 5, .expired), ("VOLUNTARY", nil, .cancelled),
    ] as [(String?, Int64?, EndReason)])
  func `EXPIRED ends what was paid for`(
    subtype: String?, intent: Int64?, reason: EndReason
  ) throws {
    let at = A.at("2026-02-02")
    let renewal = A.renewal(
      renews: false, signedAt: at,
      changing: ["expirationIntent": intent.map { .integer($0) } ?? .null])
    let facts = try facts(
      "EXPIRED", subtype, A.transaction(signedAt: at), renewal, status: 2, signedAt: at)
    #expect(
      Array(facts.dropFirst()) == [
        Self.observed("2", .ended, renews: false),
        Self.fact(.ended(End(at: A.february, reason: reason))),
      ])
  }

  @Test func `EXPIRED after retries ends no grace that was had meanwhile`() throws {
    let at = A.at("2026-04-02")
    let renewal = A.renewal(renews: false, signedAt: at, changing: ["expirationIntent": 2])
    let facts = try facts(
      "EXPIRED", "BILLING_RETRY", A.transaction(signedAt: at), renewal, status: 2, signedAt: at)
    #expect(facts.last == Self.fact(.ended(End(at: at, reason: .paymentFailed))))
  }

  @Test func `REFUND takes back its own transaction from the date it shows`() throws {
    let taken = A.transaction(
      signedAt: Self.tenth,
      changing: [
        "revocationDate": .integer(Self.tenth.milliseconds), "revocationReason": 1,
        "revocationType": "REFUND_FULL",
      ])
    let renewal = A.renewal(renews: false, signedAt: Self.tenth)
    let facts = try facts("REFUND", nil, taken, renewal, status: 5, signedAt: Self.tenth)
    let price = Money(minorUnits: 999, currency: "USD")
    #expect(facts.transactions == [Self.bought(isIntact: false)])
    #expect(
      facts[1]
        == Fact(
          .refunded(
            Refund(
              amount: price, paid: price, revokes: true, at: Self.tenth,
              transaction: "app-store:2000")), membership: A.membership,
          references: ["app-store:line/92000"]))
    #expect(Array(facts.dropFirst(2)) == [Self.observed("5", .ended, renews: false)])
  }

  @Test func `STORE-68: a refund, or a question about one, is of the transaction that it shows`()
    throws
  {
    let older = A.transaction(
      "2000", signedAt: A.march,
      changing: ["revocationDate": .integer(A.march.milliseconds)])
    let renewal = A.renewal(at: A.april, signedAt: A.march)
    for (type, status) in [("REFUND", 1), ("CONSUMPTION_REQUEST", 1), ("REFUND", 4)]
      as [(String, Int64)]
    {
      let facts = try facts(type, nil, older, renewal, status: status, signedAt: A.march)
      let named = facts.compactMap { fact -> TransactionID? in
        if case .refunded(let refund) = fact.body { refund.transaction } else { nil }
      }
      #expect(named == ["app-store:2000"])
      #expect(!facts.contains { ["ended", "paymentFailed"].contains($0.body.name) })
    }
  }

  @Test func `a partial refund has its share, and none is rounded without a word`() throws {
    func refund(_ price: Int64, _ share: Int64) throws -> (Int64?, [String]) {
      let taken = A.transaction(changing: [
        "price": .integer(price), "revocationDate": .integer(Self.tenth.milliseconds),
        "revocationType": "REFUND_PRORATED", "revocationPercentage": .integer(share),
      ])
      let facts = try facts("REFUND", nil, taken, nil, status: nil)
      let amount = facts.compactMap { fact -> Int64? in
        if case .refunded(let refund) = fact.body { refund.amount.minorUnits } else { nil }
      }
      return (amount.first, facts.notes.map(\.reason))
    }
    #expect(try refund(10_000, 50_000) == (500, []))
    #expect(
      try refund(9990, 33_333)
        == (332, ["the refund is not shown to the minor unit: it is rounded down"]))
  }

  @Test func `REFUND_REVERSED gives the transaction again`() throws {
    let facts = try facts("REFUND_REVERSED")
    #expect(facts.transactions.first?.isIntact == true)
    #expect(
      facts[1].body == .refundReversed(RefundReversal(transaction: "app-store:2000")))
  }

  @Test func `REVOKE takes back what was shared in a family`() throws {
    let shared = A.transaction(
      signedAt: Self.tenth,
      changing: [
        "inAppOwnershipType": "FAMILY_SHARED", "revocationType": "FAMILY_REVOKE",
        "revocationDate": .integer(Self.tenth.milliseconds),
      ])
    let facts = try facts("REVOKE", nil, shared, nil, status: 5, signedAt: Self.tenth)
    #expect(facts.transactions.first?.ownership == .familyShared)
    #expect(
      facts[1].body
        == .accessRevoked(
          AccessRevocation(
            transaction: "app-store:2000", at: Self.tenth, reason: "family sharing")))
  }

  @Test func `RENEWAL_EXTENDED moves the end of the transaction`() throws {
    let until = A.at("2026-02-15")
    let facts = try facts(
      "RENEWAL_EXTENDED", nil, A.transaction(), A.renewal(at: until, signedAt: A.january))
    #expect(
      facts.last
        == Self.fact(.extended(Extension(transaction: "app-store:2000", until: until))))
  }

  @Test func `ONE_TIME_CHARGE is a purchase without an end, made when it was bought`() throws {
    let lifetime = A.transaction(
      "3000", original: "3000", product: "com.example.lifetime", to: nil, signedAt: Self.tenth,
      changing: ["type": "Non-Consumable", "quantity": 2])
    let event = try A.event(
      in: A.notification("ONE_TIME_CHARGE", nil, lifetime, signedAt: Self.tenth))
    #expect(event.effectiveAt == A.january)
    #expect(event.ordering.writtenAt == Self.tenth)
    let bought = try #require(event.facts.transactions.first)
    #expect(bought.kind == .oneTime && bought.period == nil && bought.quantity == 2)
    #expect(event.facts.first?.membership == "app-store:3000")
    #expect(!bought.replacesEarlier)
  }

  @Test(
    arguments: AppStoreEventTable.kinds.filter { $0.effect == .news || $0.remark != nil }
      .map { [$0.type, $0.subtype] })
  func `news is noted, with what it is about`(names: [String]) throws {
    let json = A.notification(names[0], names[1].isEmpty ? nil : names[1])
    let event = try A.event(in: json)
    #expect(event.facts.map(\.body.name) == ["noted"])
    let kind = try #require(AppStoreEventTable.kind(names[0], names[1]))
    #expect(event.facts.notes.first?.type == kind.kind.name)
    #expect(event.facts.notes.first?.reason == kind.kind.remark)
  }

  @Test func `an unknown type is noted, and an unknown subtype read as its type`() throws {
    let strange = try facts("SOMETHING_NEW", "EVER")
    #expect(strange.map(\.body.name) == ["noted"])
    #expect(strange.notes.first?.type == "SOMETHING_NEW/EVER")
    let renewed = try facts("DID_RENEW", "BY_MAGIC")
    #expect(renewed.map(\.body.name) == ["purchased", "observed", "noted"])
    #expect(renewed.notes.first?.reason == "its subtype is not known")
    let status = try facts("DID_RENEW", nil, status: 9)
    #expect(status.observations.first?.standing == .unrecognized(0))
  }
}

extension Fact.Body {
  fileprivate var transaction: Transaction? {
    switch self {
    case .purchased(let transaction), .renewed(let transaction): transaction
    default: nil
    }
  }
}
