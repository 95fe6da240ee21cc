import LedgerTestSupport
import MembershipLedger
import Testing

/// Who holds what RevenueCat moves and merges.
@Suite struct RevenueCatTransferCases {
  typealias R = RevenueCatStory

  private static func holders(
    _ ledger: Ledger, of users: [String] = ["user_1", "user_2", "user_3"], on number: Int64
  ) throws -> [String] {
    try users.filter {
      try ledger.decision(
        for: CustomerID(stringLiteral: $0), on: "premium", at: day(number)
      ).isEntitled
    }
  }

  @Test func `STORE-16, PEER-38, PEER-40: a transfer moves everything at its instant`() throws {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1),
      R.transfer("2", at: 10, from: ["user_1"], to: ["user_2"]),
      R.hook("RENEWAL", "3", at: 31, 31, 61, transaction: "t2", user: "user_2"),
    ]) { ledger in
      let expected: [(Int64, [String])] = [
        (0, []), (1, ["user_1"]), (9, ["user_1"]), (10, ["user_2"]), (60, ["user_2"]), (61, []),
      ]
      for (number, users) in expected {
        try #expect(Self.holders(ledger, on: number) == users, "day \(number)")
      }
      let lineage = try #require(try ledger.lineage(of: "app-store:t1"))
      #expect(lineage.holders.map(\.customer) == ["user_1", "user_2"])
      #expect(lineage.holders.last?.event == "revenuecat:2")
    }
  }

  @Test func `STORE-17: what the other bought before and afterwards stays`() throws {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1),
      R.hook(
        "INITIAL_PURCHASE", "2", at: 2, 2, 32, transaction: "t5", original: "t5", user: "user_2"),
      R.transfer("3", at: 10, from: ["user_1"], to: ["user_2"]),
      R.hook("INITIAL_PURCHASE", "4", at: 12, 12, 42, transaction: "t7", original: "t7"),
    ]) { ledger in
      try #expect(Self.holders(ledger, on: 9) == ["user_1", "user_2"])
      try #expect(Self.holders(ledger, on: 11) == ["user_2"])
      try #expect(Self.holders(ledger, on: 13) == ["user_1", "user_2"])
      try #expect(Self.holders(ledger, on: 41) == ["user_1"])
      #expect(try ledger.memberships(of: "user_2", at: day(20)).count == 2)
    }
  }

  @Test func `a transfer of a customer with anonymous names takes what each name bought`() throws {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1, user: "$RCAnonymousID:a"),
      R.hook(
        "INITIAL_PURCHASE", "2", at: 2, 2, 42, transaction: "t5", original: "t5",
        aliases: ["$RCAnonymousID:a"]),
      R.transfer(
        "3", at: 10, from: ["user_1", "$RCAnonymousID:a"], to: ["$RCAnonymousID:b", "user_2"]),
    ]) { ledger in
      try #expect(Self.holders(ledger, on: 9) == ["user_1"])
      try #expect(Self.holders(ledger, on: 10) == ["user_2"])
      #expect(try ledger.memberships(of: "user_2", at: day(20)).count == 2)
      #expect(try ledger.memberships(of: "user_1", at: day(20)).isEmpty)
    }
  }

  @Test func `an anonymous receiver takes nothing from a customer until it is one`() throws {
    let story = [
      try R.hook("INITIAL_PURCHASE", "1", at: 1),
      try R.transfer("2", at: 10, from: ["user_1"], to: ["$RCAnonymousID:b"]),
    ]
    try withRevenueCat(story) { ledger in
      try #expect(Self.holders(ledger, on: 20) == ["user_1"])
    }
    let login = try R.hook(
      "SUBSCRIBER_ALIAS", "3", at: 15, user: "user_2", aliases: ["$RCAnonymousID:b"])
    try withRevenueCat(story + [login]) { ledger in
      try #expect(Self.holders(ledger, on: 9) == ["user_1"])
      try #expect(Self.holders(ledger, on: 20) == ["user_2"])
    }
  }

  @Test func `PEER-44: whoever is seen first, somebody has it`() throws {
    let hooks = [
      try R.hook("INITIAL_PURCHASE", "1", at: 1, user: "$RCAnonymousID:a"),
      try R.hook("RENEWAL", "2", at: 31, 31, 61, transaction: "t2", user: "user_2"),
    ]
    try withRevenueCat(hooks) { ledger in
      for number in [1, 30, 31, 60] as [Int64] {
        try #expect(Self.holders(ledger, on: number) == ["user_2"], "day \(number)")
      }
    }
  }

  @Test func `aliases are one customer, whichever name speaks`() throws {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1, user: "user_1"),
      R.hook("UNCANCELLATION", "2", at: 5, user: "user_2", aliases: ["user_1"]),
    ]) { ledger in
      try #expect(Self.holders(ledger, on: 6) == ["user_1", "user_2"])
      #expect(try ledger.memberships(of: "user_1", at: day(6)).map(\.customer) == ["user_2"])
    }
  }

  @Test func `what was known before a transfer is answered the same afterwards`() throws {
    try withLedger(TestClock(day(50))) { ledger in
      try ledger.add(RevenueCatStory.catalog)
      try ledger.add(R.hook("INITIAL_PURCHASE", "1", at: 1))
      let known = try ledger.lastPosition()
      try ledger.add(R.transfer("2", at: 10, from: ["user_1"], to: ["user_2"]))
      let past = try ledger.asKnown(at: .position(known))
      #expect(try past.decision(for: "user_1", on: "premium", at: day(20)).isEntitled)
      #expect(try !past.decision(for: "user_2", on: "premium", at: day(20)).isEntitled)
      let explained = try ledger.asKnown(at: .position(ledger.lastPosition()))
        .decision(for: "user_2", on: "premium", at: day(20), explained: true)
      #expect(explained.isEntitled)
      #expect(explained.evidence.contains("revenuecat:2"))
      try expectSound(ledger)
    }
  }

  @Test func `a transfer by hand undoes one of RevenueCat's`() throws {
    try withLedger(TestClock(day(20))) { ledger in
      try ledger.add(RevenueCatStory.catalog)
      try ledger.add(R.hook("INITIAL_PURCHASE", "1", at: 1))
      try ledger.add(R.transfer("2", at: 10, from: ["user_1"], to: ["user_2"]))
      try ledger.add(
        Make.event(
          "manual:back", at: day(20), account: nil, provider: .manual,
          Fact(.transferred(Transfer(to: "user_1")), membership: "app-store:t1")))
      try #expect(Self.holders(ledger, on: 19) == ["user_2"])
      try #expect(Self.holders(ledger, on: 21) == ["user_1"])
      try expectSound(ledger)
    }
  }

  @Test func `only a provider moves everything, and says from whom`() throws {
    try withLedger { ledger in
      let all = Fact(.transferred(Transfer(to: "user_2", from: "revenuecat:user_1")))
      #expect(
        code { try ledger.add(Make.event("manual:all", at: day(1), provider: .manual, all)) }
          == .invalidEvent)
      let nobody = Fact(.transferred(Transfer(to: "user_2")))
      #expect(
        code { try ledger.add(Make.event("x", at: day(1), provider: .revenueCat, nobody)) }
          == .invalidEvent)
    }
  }
}
