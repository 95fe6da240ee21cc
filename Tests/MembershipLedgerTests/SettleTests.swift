import Dispatch
import Glibc
import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

/// Time-driven changes enter the feed once, in order, however they are settled.
@Suite struct SettleTests {
  /// Grants to so many customers, one ending on each day from the second on.
  static func prepare(_ ledger: Ledger, customers: Int, on instant: (Int) -> Timestamp) throws {
    try ledger.add(
      all: (0..<customers).map { number in
        Make.grant(
          GrantID(stringLiteral: "g\(number)"), of: "premium",
          to: CustomerID(stringLiteral: "user_\(number)"), from: day(0), until: instant(number))
      })
  }

  static func losses(_ ledger: Ledger) throws -> [String] {
    try ledger.allChanges().filter { !$0.lost.isEmpty }.map(\.customer.rawValue)
  }

  @Test func `a step takes a bounded number of names, and the whole goes on in time order`() throws
  {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try Self.prepare(ledger, customers: 25) { day(Int64(40 - $0)) }
      clock.instant = day(50)
      let report = try ledger.settle(upTo: nil, stepSize: 4)
      #expect((report.changes, report.events, report.upTo) == (25, 7, day(50)))
      #expect(try Self.losses(ledger) == (0..<25).reversed().map { "user_\($0)" })
      let steps = try ledger.events(after: 25, limit: 99).map(\.event.facts)
      #expect(
        steps.map { $0.first?.body }
          == [19, 23, 27, 31, 35, 39, 50].map { .settled(Settlement(upTo: day($0))) })
      try expectSound(ledger)
    }
  }

  @Test func `what ends in one instant is settled in one step, by name`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try Self.prepare(ledger, customers: 9) { _ in day(2) }
      clock.instant = day(3)
      let report = try ledger.settle(upTo: nil, stepSize: 2)
      #expect((report.changes, report.events) == (9, 1))
      #expect(try Self.losses(ledger) == (0..<9).map { "user_\($0)" })
    }
  }

  @Test func `an instant to come is refused, by the clock and by the newest recorded time`() throws
  {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try Self.prepare(ledger, customers: 1) { _ in day(2) }
      let early = day(1).adding(milliseconds: 1)
      #expect(code { try ledger.settleNow(upTo: early) } == .invalidEvent)
      clock.instant = day(4)
      try ledger.add(Make.catalogEvent())
      clock.instant = day(1)
      #expect(try ledger.settleNow(upTo: day(4)).changes == 1)
      #expect(code { try ledger.settleNow(upTo: day(5)) } == .invalidEvent)
      #expect(try ledger.lastPosition() == 3)
    }
  }

  @Test func `the fact is refused where it is not alone, not ours, or about what is to come`()
    throws
  {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try Self.prepare(ledger, customers: 1) { _ in day(2) }
      clock.instant = day(3)
      let settled = Fact(.settled(Settlement(upTo: day(2))))
      let note = Fact(.noted(Note(type: "x")))
      let cases: [Event] = [
        Make.event("manual:1", at: day(1), account: nil, provider: .manual, settled, note),
        Make.event("stripe:1", at: day(1), account: nil, settled),
        Make.manual("manual:2", .settled(Settlement(upTo: day(4)))),
      ]
      for event in cases { #expect(code { try ledger.add(event) } == .invalidEvent) }
      try ledger.add(Make.manual("manual:3", .settled(Settlement(upTo: day(2)))))
      #expect(try Self.losses(ledger) == ["user_0"])
      // By hand it may be said again; there is nothing more that follows from it.
      try ledger.add(Make.manual("manual:4", .settled(Settlement(upTo: day(2)))))
      #expect(try ledger.allChanges().count == 2)
      try expectSound(ledger)
    }
  }

  @Test func `it settles where the policy accepts the sandbox alone`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try Self.prepare(ledger, customers: 1) { _ in day(2) }
      let policy = Policy(environments: [.sandbox])
      try ledger.add(Make.manual("manual:p", .policyRevised(PolicyRevision(policy: policy))))
      clock.instant = day(3)
      #expect(try ledger.settleNow().changes == 1)
    }
  }

  @Test func `a ledger open for reading settles nothing`() throws {
    try withScratchFolder { folder in
      let clock = TestClock(day(1))
      let writing = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(clock: { clock.instant }))
      let reading = try Ledger.open(
        folder + "/ledger", LedgerConfiguration(isReadOnly: true, clock: { clock.instant }))
      try Self.prepare(writing, customers: 1) { _ in day(2) }
      #expect(try reading.settleNow().events == 0)
      clock.instant = day(3)
      #expect(code { try reading.settleNow() } == .readOnly)
    }
  }

  @Test func `several settle at once while events come, and each change is told once`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try Self.prepare(ledger, customers: 40) { day(Int64($0 % 20 + 2)) }
      clock.instant = day(50)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        do {
          if thread == 3 {
            for number in 0..<20 {
              try ledger.add(
                Make.grant(
                  GrantID(stringLiteral: "h\(number)"), of: "archive",
                  to: CustomerID(stringLiteral: "user_\(number)"), from: day(0), until: day(60)))
            }
          } else {
            _ = try ledger.settle(upTo: nil, stepSize: thread + 1)
          }
        } catch {
          Issue.record(error)
        }
      }
      let losses = try Self.losses(ledger)
      #expect(Set(losses).count == 40)
      #expect(losses.count == 40)
      #expect(try ledger.settleNow().events == 0)
      try expectSound(ledger)
    }
  }

  @Test func `it settles without holding a thread`() async throws {
    try await withScratchFolder { folder in
      let clock = TestClock(day(1))
      let ledger = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(clock: { clock.instant }))
      try Self.prepare(ledger, customers: 3) { _ in day(2) }
      clock.instant = day(3)
      #expect(try await ledger.settle().changes == 3)
      #expect(try await ledger.settle(upTo: day(3)).events == 0)
    }
  }
}

#if DEBUG
  extension CrashTests {
    // Three steps: what a kill leaves is some of them, whole, and the next one goes on.
    @Test(arguments: [
      ("storage.before-begin", 1), ("storage.before-begin", 2), ("storage.put", 1),
      ("storage.put", 5), ("storage.put", 14), ("ledger.projection", 5), ("ledger.projection", 9),
      ("storage.before-commit", 2), ("storage.after-commit", 1), ("storage.after-commit", 3),
      ("ledger.settled", 1), ("ledger.settled", 2),
    ])
    func `settling that is killed at any step is taken up again`(
      _ failpoint: String, _ passage: Int
    ) async throws {
      try await withScratchFolder { folder in
        let ledger = try Ledger.create(
          folder + "/ledger", LedgerConfiguration(clock: { day(1) }))
        try SettleTests.prepare(ledger, customers: 6) { day(Int64($0 + 2)) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [folder = folder as String, failpoint = failpoint as String, passage = passage as Int] in
          let ledger = try Ledger.open(
            folder + "/ledger", LedgerConfiguration(clock: { day(20) }))
          Failpoint.arm(failpoint, action: .kill, passage: passage)
          _ = try ledger.settle(upTo: nil, stepSize: 2)
        }
        let again = try Ledger.open(folder + "/ledger", LedgerConfiguration(clock: { day(20) }))
        try expectSound(again)
        let told = try SettleTests.losses(again)
        #expect(told.count % 2 == 0)
        let rest = try again.settle(upTo: nil, stepSize: 2)
        #expect(Int(rest.changes) == 6 - told.count)
        #expect(try SettleTests.losses(again) == (0..<6).map { "user_\($0)" })
        try expectSound(again)
      }
    }
  }
#endif
