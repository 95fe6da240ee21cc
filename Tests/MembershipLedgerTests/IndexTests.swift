import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

/// The index in memory answers as the stored rows do, and as of the last commit.
@Suite struct IndexTests {
  private static let names = RandomHistory.names.map(\.rawValue) + ["", "stripe:cus_99"]

  /// Two ledgers on one folder: one with a filled index, one that reads the stored rows.
  private func withBoth(
    _ clock: TestClock, _ body: (_ indexed: Ledger, _ plain: Ledger) throws -> Void
  ) throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      let indexed = try Ledger.create(path, LedgerConfiguration(clock: { clock.instant }))
      let plain = try Ledger.open(
        path, LedgerConfiguration(clock: { clock.instant }, indexesAccess: false))
      try indexed.add(Make.catalogEvent())
      indexed.fillIndex()
      #expect(indexed.indexExtent != nil && plain.indexExtent == nil)
      try body(indexed, plain)
    }
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `answers agree with the stored rows over random histories`(seed: UInt64) throws {
    let clock = TestClock()
    try withBoth(clock) { indexed, plain in
      var history = RandomHistory(seed: seed)
      var random = SeededGenerator(seed: seed)
      var known = 0
      for step in 0..<120 {
        // A refusal changes nothing, for either.
        _ = try? indexed.add(history.event())
        if step % 7 == 0 { clock.instant = day(Int64.random(in: -3...70, using: &random)) }
        if step % 40 == 39 { try plain.rebuild() }
        if step % 40 == 5 { indexed.fillIndex() }
        for key in RandomHistory.entitlements {
          guard let entitlement = try? plain.entitlement(key) else { continue }
          for name in Self.names {
            for environment in [.production, .sandbox] as [Environment] {
              let expected = try plain.isEntitled(name, to: entitlement, in: environment)
              #expect(
                try indexed.isEntitled(name, to: entitlement, in: environment) == expected,
                "seed \(seed), step \(step): \(name) \(key) at \(clock.instant)")
              for instant in [day(0), day(20), day(90)] {
                #expect(
                  try indexed.isEntitled(name, to: entitlement, at: instant, in: environment)
                    == plain.isEntitled(name, to: entitlement, at: instant, in: environment))
              }
              let now = max(clock.instant, day(70))
              if indexed.isGivenByIndex(name, entitlement, at: now, in: environment) != nil {
                known += 1
              }
            }
          }
        }
      }
      #expect(known > 1000, "the index itself answered \(known) times")
    }
  }

  @Test func `a check right after a commit sees it; without a look at the commit it would not`()
    throws
  {
    let clock = TestClock(day(2))
    try withBoth(clock) { indexed, plain in
      let premium = try indexed.entitlement("premium")
      var stale = 0
      for number in 0..<50 {
        let name = "stripe:cus_\(number)"
        // By the other opening, so that nothing in this ledger tells it.
        try plain.add(
          Make.purchase(
            EventID(stringLiteral: "stripe:evt_\(number)"),
            of: MembershipID(stringLiteral: "stripe:sub_\(number)"),
            account: AccountID(stringLiteral: name),
            invoice: ReferenceID(stringLiteral: "stripe:in_\(number)")))
        if indexed.isGivenByIndex(name, premium, at: day(2)) == false { stale += 1 }
        #expect(try indexed.isEntitled(name, to: premium))
        #expect(indexed.isGivenByIndex(name, premium, at: day(2)) == true)
      }
      #expect(stale == 50, "the probe finds what is stale")
    }
  }

  @Test func `an end passes by time alone, and a clock that goes back gives nobody access`() throws
  {
    let clock = TestClock(day(2))
    try withBoth(clock) { indexed, _ in
      try indexed.add(Make.purchase("stripe:evt_1"))
      let premium = try indexed.entitlement("premium")
      #expect(try indexed.isEntitled("stripe:cus_1", to: premium))
      clock.instant = day(31).adding(milliseconds: -1)
      #expect(try indexed.isEntitled("stripe:cus_1", to: premium))
      clock.instant = day(31)
      #expect(try !indexed.isEntitled("stripe:cus_1", to: premium))
      clock.instant = day(2)
      #expect(try !indexed.isEntitled("stripe:cus_1", to: premium))
      #expect(indexed.indexExtent != nil)
      // What was had before is asked of the stored rows.
      #expect(try indexed.isEntitled("stripe:cus_1", to: premium, at: day(3)))
      #expect(try !indexed.isEntitled("stripe:cus_1", to: premium, at: day(0)))
    }
  }

  @Test func `what begins later, or is more than a slot holds, is read from the stored row`() throws
  {
    let clock = TestClock(day(2))
    try withBoth(clock) { indexed, _ in
      try indexed.add(Make.purchase("stripe:evt_1", days(10, 20)))
      let premium = try indexed.entitlement("premium")
      #expect(try !indexed.isEntitled("stripe:cus_1", to: premium))
      #expect(indexed.isGivenByIndex("stripe:cus_1", premium, at: day(2)) == nil)
      clock.instant = day(10)
      #expect(try indexed.isEntitled("stripe:cus_1", to: premium))

      let keys = (1...64).map { EntitlementKey(stringLiteral: "feature_\($0)") }
      for (number, key) in keys.enumerated() {
        let grant = ManualGrant(
          id: GrantID(stringLiteral: "grant_\(number)"), entitlement: key, reason: "test")
        try indexed.add(
          Make.event(
            EventID(stringLiteral: "manual:grant-\(number)"), at: day(3), account: nil,
            customer: "user_1", provider: .manual, Fact(.granted(grant))))
        let entitlement = try indexed.entitlement(key)
        #expect(try indexed.isEntitled("user_1", to: entitlement))
        let known = indexed.isGivenByIndex("user_1", entitlement, at: day(10))
        #expect(known == (number < 3 ? true : nil))
      }
      for key in keys {
        #expect(try indexed.isEntitled("user_1", to: indexed.entitlement(key)))
      }
    }
  }

  @Test func `names that lead to another, and names of every length, answer alike`() throws {
    let clock = TestClock(day(2))
    try withBoth(clock) { indexed, plain in
      try indexed.add(Make.purchase("stripe:evt_1"))
      let premium = try indexed.entitlement("premium")
      let lengths = [1, 15, 16, 399, 400, 401, 511]
      var last = "stripe:cus_1"
      for (number, length) in lengths.enumerated() {
        let name = String(repeating: "x", count: length - 1) + "\(number)"
        try indexed.add(
          Make.manual(
            EventID(stringLiteral: "manual:merge-\(number)"), at: day(2),
            .customersMerged(
              CustomerMerge(
                from: CustomerID(stringLiteral: last), into: CustomerID(stringLiteral: name)))))
        for asked in [last, name, "stripe:cus_1"] {
          #expect(try indexed.isEntitled(asked, to: premium), "\(asked.utf8.count) bytes")
          #expect(try plain.isEntitled(asked, to: premium))
        }
        last = name
      }
      #expect(try !indexed.isEntitled(String(repeating: "x", count: 512), to: premium))
    }
  }

  @Test func `an index is made by itself for who asks often, and for nobody else`() async throws {
    let clock = TestClock(day(2))
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(clock: { clock.instant }))
      try await ledger.append(Make.catalogEvent())
      try await ledger.append(Make.purchase("stripe:evt_1"))
      let premium = try ledger.entitlement("premium")
      for _ in 0..<900 { #expect(try ledger.isEntitled("stripe:cus_1", to: premium)) }
      #expect(ledger.indexExtent == nil)
      while ledger.indexExtent == nil {
        #expect(try ledger.isEntitled("stripe:cus_1", to: premium))
        await Task.yield()
      }
      #expect(ledger.indexExtent?.names == 1)
      #expect(ledger.isGivenByIndex("stripe:cus_1", premium, at: day(2)) == true)
    }
  }

  @Test func `more changes than a check takes up are taken up beside the checks`() throws {
    let clock = TestClock(day(2))
    try withBoth(clock) { indexed, plain in
      let premium = try indexed.entitlement("premium")
      try plain.add(
        all: (0..<10_100).map { number in
          Make.purchase(
            EventID(stringLiteral: "stripe:evt_\(number)"),
            of: MembershipID(stringLiteral: "stripe:sub_\(number)"),
            account: AccountID(stringLiteral: "stripe:cus_\(number)"),
            invoice: ReferenceID(stringLiteral: "stripe:in_\(number)"))
        })
      #expect(try indexed.isEntitled("stripe:cus_10099", to: premium))
      #expect(indexed.indexExtent == nil, "it is to be made anew")
      indexed.fillIndex()
      #expect(indexed.indexExtent?.names == 10_100)
      #expect(indexed.isGivenByIndex("stripe:cus_10099", premium, at: day(2)) == true)
      #expect(try !indexed.isEntitled("stripe:cus_10100", to: premium))
    }
  }
}
