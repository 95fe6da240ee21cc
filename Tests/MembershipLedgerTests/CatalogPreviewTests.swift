import LedgerTestSupport
import MembershipLedger
import MembershipModel
import Testing

@Suite("Law 14: a preview says what applying does") struct CatalogPreviewTests {
  /// What a revision gives to or takes from one customer.
  private struct Change: Hashable {
    let customer: CustomerID
    let entitlement: EntitlementKey
    let gains: Bool
    let from: Timestamp?
    let until: Timestamp?
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `over random histories the two agree, customer by customer and to the millisecond`(
    _ seed: UInt64
  ) throws {
    var history = RandomHistory(seed: seed)
    let events = history.events(40)
    var random = SeededGenerator(seed: seed)
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(all: events)
      for round in 0..<4 {
        let revision = Self.revision(using: &random)
        let preview = try ledger.preview(revision).map {
          Change(
            customer: $0.customer, entitlement: $0.entitlement, gains: $0.isGained, from: $0.from,
            until: $0.until)
        }
        let before = try Self.access(ledger)
        let event = Event(
          id: EventID(stringLiteral: "manual:revision-\(round)"), provider: .manual,
          effectiveAt: day(0), facts: [Fact(.catalogRevised(revision))])
        try ledger.add(event)
        let expected = Self.changes(before, try Self.access(ledger))
        #expect(Set(preview) == expected, "seed \(seed), round \(round)")
        #expect(Set(preview).count == preview.count)
      }
    }
  }

  private static func revision(using random: inout SeededGenerator) -> CatalogRevision {
    var catalog = Make.catalog
    catalog.entitlements.append(.init(key: "support"))
    for index in catalog.products.indices {
      catalog.products[index].entitlements = RandomHistory.entitlements.filter { _ in
        Bool.random(using: &random)
      }
      catalog.products[index].isPerSeat = Int.random(in: 0..<3, using: &random) == 0
    }
    if Int.random(in: 0..<4, using: &random) == 0 { catalog.products.removeLast() }
    let cohorts: [Cohort] = [.newPurchases, .nextRenewal, .everyone]
    return CatalogRevision(
      catalog: catalog, appliesTo: cohorts.randomElement(using: &random) ?? .everyone,
      from: day(Int64.random(in: 0...12, using: &random) * 5))
  }

  /// Who has what when, by a fold of the log.
  private static func access(_ ledger: Ledger) throws -> [CustomerID: AccessStretches] {
    var fold = Fold(MemoryStore())
    for record in try ledger.events() { _ = fold.apply(record) }
    let terms = fold.store.terms()
    return Dictionary(
      uniqueKeysWithValues: try ledger.customers().map { customer in
        (customer, AccessStretches(fold.dossier(of: customer, .production), terms))
      })
  }

  private static func changes(
    _ before: [CustomerID: AccessStretches], _ after: [CustomerID: AccessStretches]
  ) -> Set<Change> {
    var changes: Set<Change> = []
    for (customer, new) in after {
      guard let old = before[customer] else { continue }
      for key in RandomHistory.entitlements {
        for (gains, periods) in [
          (true, new[key].subtracting(old[key])), (false, old[key].subtracting(new[key])),
        ] {
          for period in periods {
            changes.insert(
              Change(
                customer: customer, entitlement: key, gains: gains, from: period.start.bounded,
                until: period.end.bounded))
          }
        }
      }
    }
    return changes
  }

  @Test func `readers see the old revision or the new one, never a part of each`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      try await ledger.append(Self.whole(0, ["premium"]))
      for number in 1...4 {
        try await ledger.append(
          Make.purchase(
            EventID(stringLiteral: "stripe:evt_\(number)"),
            of: MembershipID(stringLiteral: "stripe:sub_\(number)"),
            account: AccountID(stringLiteral: "stripe:cus_\(number)"),
            invoice: ReferenceID(stringLiteral: "stripe:in_\(number)"),
            product: number.isMultiple(of: 2) ? "prod_pro" : "prod_basic"))
      }
      try await withThrowingTaskGroup { group in
        group.addTask {
          try await Background.run {
            for number in 1...60 {
              try ledger.add(
                Self.whole(number, number.isMultiple(of: 2) ? ["premium"] : ["archive"]))
            }
          }
        }
        for reader in 1...3 {
          group.addTask {
            try await Background.run { try Self.expectWhole(ledger, "stripe:cus_\(reader)") }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// A revision under which both products give the same.
  private static func whole(_ number: Int, _ keys: [EntitlementKey]) -> Event {
    var catalog = Make.catalog
    for index in catalog.products.indices { catalog.products[index].entitlements = keys }
    return Make.catalogEvent(
      EventID(stringLiteral: "manual:c\(number)"), catalog, appliesTo: .everyone, at: day(0))
  }

  private static func expectWhole(_ ledger: Ledger, _ customer: String) throws {
    let customer = try CustomerID(customer)
    while try ledger.lastPosition() < 65 {
      let had = try ledger.entitlements(of: customer, at: day(5)).map(\.entitlement)
      #expect(had == ["premium"] || had == ["archive"])
      let all = try ledger.timeline(of: customer, at: day(5)).segments
        .filter { !$0.entitlements.isEmpty }.flatMap(\.entitlements)
      #expect(Set(all).count <= 1)
    }
  }
}
