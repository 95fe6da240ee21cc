import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Law 13: environments do not mix") struct EnvironmentTests {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `sandbox events change no answer about production`(_ seed: UInt64) throws {
    var history = RandomHistory(seed: seed)
    let events = history.events(50)
    let sheets = try [true, false].map { keepsSandbox in
      try withLedger { ledger in
        try ledger.add(all: events.filter { keepsSandbox || $0.environment == .production })
        return try AnswerSheet(ledger)
      }
    }
    #expect(sheets[0].differences(from: sheets[1]) == [], "seed \(seed)")
  }

  @Test func `the same ids in both environments are two memberships`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", in: .sandbox))
      let premium = try ledger.entitlement("premium")
      #expect(try !ledger.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(2), in: .sandbox))
      #expect(
        try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(2)).reason
          == .unknownCustomer)
      try ledger.add(Make.purchase("stripe:evt_2", days(5, 9)))
      #expect(try !ledger.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(6)))
      #expect(
        try ledger.memberships(of: "stripe:cus_1", at: day(6)).map(\.environment) == [.production])
    }
  }
}

@Suite("Law 14: the catalog is history too") struct CatalogTests {
  /// The first product gives no premium any more.
  private static var reduced: Catalog {
    var catalog = Make.catalog
    catalog.products[0].entitlements = ["archive"]
    return catalog
  }

  private func entitled(_ ledger: Ledger, _ at: Int64) throws -> Bool {
    let premium = try ledger.entitlement("premium")
    let decided = try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(at)).isEntitled
    #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(at)) == decided)
    return decided
  }

  @Test(arguments: [
    (Cohort.newPurchases, [true, true, true]), (.nextRenewal, [true, true, false]),
    (.everyone, [true, false, false]),
  ])
  func `a revision touches whom it names, from when it says, whenever it is recorded`(
    _ cohort: Cohort, _ expected: [Bool]
  ) throws {
    let purchases = [
      Make.purchase("stripe:evt_1", days(1, 31)),
      Make.purchase("stripe:evt_2", days(31, 61), invoice: "stripe:in_2"),
    ]
    let revision = Make.catalogEvent("manual:c2", Self.reduced, appliesTo: cohort, at: day(10))
    for order in [purchases + [revision], [revision] + purchases] {
      try withLedger { ledger in
        try ledger.add(Make.catalogEvent())
        try ledger.add(all: order)
        #expect(try [5, 15, 45].map { try entitled(ledger, $0) } == expected)
        try ledger.rebuild()
        #expect(try [5, 15, 45].map { try entitled(ledger, $0) } == expected)
      }
    }
  }

  @Test func `a new purchase is read under the new revision, an old one under its own`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", days(1, 31)))
      try ledger.add(Make.catalogEvent("manual:c2", Self.reduced, at: day(10)))
      try ledger.add(
        Make.purchase(
          "stripe:evt_2", of: "stripe:sub_2", account: "stripe:cus_2", days(11, 41),
          invoice: "stripe:in_2"))
      let premium = try ledger.entitlement("premium")
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(20)))
      #expect(try !ledger.isEntitled("stripe:cus_2", to: premium, at: day(20)))
    }
  }

  @Test func `a preview lists exactly what applying the revision changes`() throws {
    try withLedger(TestClock(day(10))) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", days(1, 31)))
      try ledger.add(
        Make.purchase(
          "stripe:evt_2", of: "stripe:sub_2", account: "stripe:cus_2", days(5, 35),
          invoice: "stripe:in_2", product: "prod_basic"))
      let impacts = try ledger.preview(
        CatalogRevision(catalog: Self.reduced, appliesTo: .everyone, from: day(10)))
      #expect(impacts.map(\.customer) == ["stripe:cus_1"])
      #expect(impacts.map(\.entitlement) == ["premium"])
      #expect(impacts.map(\.isGained) == [false])
      #expect(impacts.map(\.from) == [day(10)])
      #expect(impacts.map(\.until) == [day(31)])
      #expect(try entitled(ledger, 15))
    }
  }
}
