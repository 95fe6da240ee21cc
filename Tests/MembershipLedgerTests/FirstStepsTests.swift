import LedgerTestSupport
import MembershipLedger
import Testing

@Suite struct FirstStepsTests {
  static let catalog = Catalog(
    entitlements: [.init(key: "premium")],
    products: [
      .init(
        id: "pro", entitlements: ["premium"],
        stores: [.init(provider: .stripe, product: "prod_A")])
    ])

  static func day(_ number: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_700_000_000_000 + number * 86_400_000)
  }

  static func catalogEvent() -> Event {
    Event(
      id: "manual:catalog-1", provider: .manual, effectiveAt: day(0),
      facts: [Fact(.catalogRevised(CatalogRevision(catalog: catalog)))])
  }

  static func purchase() -> Event {
    let transaction = Transaction(
      id: "stripe:in_1/si_1/1", offer: Offer(product: "prod_A", plan: "price_1"),
      period: Period(start: day(1), end: day(31)), kind: .paid,
      amount: Money(minorUnits: 999, currency: "USD"))
    return Event(
      id: "stripe:evt_1", provider: .stripe, effectiveAt: day(1), account: "stripe:cus_1",
      facts: [
        Fact(.purchased(transaction), membership: "stripe:sub_1", references: ["stripe:in_1"])
      ])
  }

  @Test func `a purchase gives what the catalog says, and the ledger proves it`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/membership.ledger")
      try await ledger.append(Self.catalogEvent())
      let premium = try ledger.entitlement("premium")
      let receipt = try await ledger.append(Self.purchase())
      #expect(receipt.position == 2)
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: Self.day(2)))
      #expect(try !ledger.isEntitled("stripe:cus_1", to: premium, at: Self.day(31)))
      #expect(try !ledger.isEntitled("stripe:cus_2", to: premium, at: Self.day(2)))
      let again = try await ledger.append(Self.purchase())
      #expect(again.position == 2)
      #expect(again.isDuplicate)
      let decision = try ledger.decision(
        for: "stripe:cus_1", on: "premium", at: Self.day(2), explained: true)
      #expect(decision.isEntitled)
      #expect(decision.evidence == ["manual:catalog-1", "stripe:evt_1"])
      #expect(try ledger.verify().differences == [])
      #expect(try ledger.replay().differences == [])
      try ledger.rebuild()
      #expect(try ledger.replay().differences == [])
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: Self.day(2)))
      #expect(
        try ledger.asKnown(at: .position(1))
          .decision(for: "stripe:cus_1", on: "premium", at: Self.day(2)).reason == .unknownCustomer)
    }
  }
}
