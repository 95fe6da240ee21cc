import LedgerTestSupport
import MembershipLedger
import Testing

/// A clock that goes back, or is behind, gives nobody access again.
@Suite struct ClockTests {
  private static func prepare(_ ledger: Ledger) throws -> Entitlement {
    try ledger.add(Make.catalogEvent())
    try ledger.add(Make.purchase("stripe:evt_1"))
    return try ledger.entitlement("premium")
  }

  /// Whether each way to ask without an instant says that access is given.
  private static func answers(_ ledger: Ledger, _ premium: Entitlement) throws -> [Bool] {
    let known = try ledger.asKnown(at: .position(ledger.lastPosition()))
    return [
      try ledger.isEntitled("stripe:cus_1", to: premium),
      try ledger.decision(for: "stripe:cus_1", on: "premium").isEntitled,
      try !ledger.entitlements(of: "stripe:cus_1").isEmpty,
      try ledger.memberships(of: "stripe:cus_1").contains(where: \.isActive),
      try ledger.memberships().contains(where: \.isActive),
      try known.decision(for: "stripe:cus_1", on: "premium").isEntitled,
      try !known.entitlements(of: "stripe:cus_1").isEmpty,
      try known.memberships(of: "stripe:cus_1").contains(where: \.isActive),
      try known.memberships().contains(where: \.isActive),
    ]
  }

  @Test(arguments: 0..<3)
  func `an end that was seen to pass stays passed when the clock goes back`(_ way: Int) throws {
    let clock = TestClock(day(30))
    try withLedger(clock) { ledger in
      let premium = try Self.prepare(ledger)
      #expect(try Self.answers(ledger, premium).allSatisfy { $0 })
      clock.instant = day(31)
      switch way {
      case 0: #expect(try !ledger.isEntitled("stripe:cus_1", to: premium))
      case 1: #expect(try !ledger.decision(for: "stripe:cus_1", on: "premium").isEntitled)
      default: #expect(try ledger.memberships().first?.isActive == false)
      }
      clock.instant = day(2)
      #expect(try !Self.answers(ledger, premium).contains(true))
      #expect(ledger.now == day(31))
      // Who names an instant is answered about that one.
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      // What is recorded is recorded at the time that the clock shows, never before what is there.
      #expect(try ledger.add(AppendTests.note(11)).recordedAt == day(30))
    }
  }

  @Test func `the ids of decisions come from where the configuration says`() throws {
    try withScratchFolder { folder in
      let clock = TestClock(day(5))
      let ledger = try Ledger.create(
        folder + "/ledger",
        LedgerConfiguration(
          clock: { clock.instant },
          makeID: { EventID(stringLiteral: "manual:\($0.milliseconds)") }))
      try ledger.add(Make.grant("g", of: "premium", to: "ann", until: day(6)))
      try ledger.link("stripe:cus_1", to: "ann")
      #expect(
        try ledger.event(EventID(stringLiteral: "manual:\(day(5).milliseconds)"))?.position == 2)
      #expect(code { try ledger.link("stripe:cus_2", to: "ann") } == .idConflict)
      clock.instant = day(7)
      let report: SettlementReport = try ledger.settle()
      #expect(report.events == 1)
      #expect(
        try ledger.event(EventID(stringLiteral: "manual:\(day(7).milliseconds)"))?.position == 3)
    }
  }

  @Test func `a recorded time counts where the clock is behind it`() throws {
    try withScratchFolder { folder in
      let (early, late) = (TestClock(day(2)), TestClock(day(2)))
      let other = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(clock: { late.instant }))
      let premium = try Self.prepare(other)
      let ledger = try Ledger.open(
        folder + "/ledger", LedgerConfiguration(clock: { early.instant }))
      #expect(try Self.answers(ledger, premium).allSatisfy { $0 })
      #expect(try ledger.clockLag() == .zero)
      late.instant = day(40)
      try other.add(AppendTests.note(11))
      #expect(try ledger.clockLag() == .milliseconds(38 * 86_400_000))
      #expect(try ledger.statistics().clockLag == .milliseconds(38 * 86_400_000))
      #expect(try ledger.statistics().lastRecordedAt == day(40))
      #expect(try !Self.answers(ledger, premium).contains(true))
      #expect(try ledger.add(AppendTests.note(12)).recordedAt == day(40))
      let opened = try Ledger.open(
        folder + "/ledger", LedgerConfiguration(clock: { early.instant }))
      #expect(opened.now == day(40))
      #expect(try !opened.isEntitled("stripe:cus_1", to: premium))
    }
  }

  @Test func `an append of another process at a later time is seen at the next check`() async throws
  {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger", LedgerConfiguration(clock: { day(2) }))
      let premium = try Self.prepare(ledger)
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium))
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        let ledger = try Ledger.open(
          folder + "/ledger", LedgerConfiguration(clock: { day(31) }))
        try ledger.add(AppendTests.note(11))
      }
      #expect(try !ledger.isEntitled("stripe:cus_1", to: premium))
      #expect(try !Self.answers(ledger, premium).contains(true))
    }
  }

  @Test func `a clock that is right is not behind`() throws {
    let clock = TestClock(day(2))
    try withLedger(clock) { ledger in
      #expect(try ledger.clockLag() == .zero)
      try ledger.add(AppendTests.note(11))
      clock.instant = day(3)
      #expect(try ledger.statistics().clockLag == .zero)
      #expect(ledger.now == day(3))
    }
  }
}
