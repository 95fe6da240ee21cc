import FoundationEssentials
import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Ten years of a thousand members") struct TenYearTests {
  private static let members =
    Int(ProcessInfo.processInfo.environment["LEDGER_MEMBERS"] ?? "") ?? 40
  private static let seed: UInt64 = 2026

  @Test func `timelines, the known past, replay and verification agree`() throws {
    let history = TenYearHistory(members: Self.members, seed: Self.seed)
    let clock = TestClock()
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try Self.record(history, in: ledger, clock)
      let last = try ledger.lastPosition()
      print("\(Self.members) members, \(history.entries.count) events, seed \(Self.seed)")
      #expect(last == Position(UInt64(history.entries.count + 1)))
      try Self.expectTimelines(of: ledger, history)
      try Self.expectKnownPast(of: ledger, history)
      try expectSound(ledger)
    }
  }

  /// Records what arrives on one day together, on that day.
  private static func record(
    _ history: TenYearHistory, in ledger: Ledger, _ clock: TestClock
  ) throws {
    var next = 0
    while next < history.entries.count {
      let arrival = history.entries[next].arrivesAt
      var end = next
      while end < history.entries.count, history.entries[end].arrivesAt == arrival { end += 1 }
      clock.instant = arrival
      try ledger.add(all: (next..<end).map(history.event))
      next = end
    }
    clock.instant = day(TenYearHistory.length)
  }

  /// Each member's timeline gives access exactly where the plain rule does.
  private static func expectTimelines(of ledger: Ledger, _ history: TenYearHistory) throws {
    let words = Dictionary(grouping: history.entries, by: \.member).mapValues { $0.map(\.word) }
    for (member, words) in words {
      let segments = try ledger.timeline(of: TenYearHistory.customer(member)).segments
      var edges: Set<Timestamp> = []
      for segment in segments {
        edges.formUnion([segment.from, segment.until].compactMap { $0 })
      }
      for edge in edges {
        for instant in [edge.adding(milliseconds: -1), edge] {
          let drawn = segments.contains { segment in
            !segment.entitlements.isEmpty && segment.from ?? .distantPast <= instant
              && instant < segment.until ?? .distantFuture
          }
          if drawn != TenYearHistory.hasAccess(words, at: instant) {
            Issue.record("member \(member) at \(instant): the timeline says \(drawn)")
          }
        }
      }
    }
  }

  /// What was known at random positions is what the plain rule says of the events up to there.
  private static func expectKnownPast(of ledger: Ledger, _ history: TenYearHistory) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let index = Int.random(in: 0..<history.entries.count, using: &random)
      let known = try ledger.asKnown(at: .position(Position(UInt64(index + 2))))
      let entry = history.entries[index]
      for member in [entry.member, Int.random(in: 0..<members, using: &random)] {
        let words = history.entries[...index].filter { $0.member == member }.map(\.word)
        for shift in [-400, -20, 0, 20, 400] as [Int64] {
          let instant = entry.arrivesAt.adding(milliseconds: shift * 86_400_000)
          let decision = try known.decision(
            for: TenYearHistory.customer(member), on: "premium", at: instant)
          #expect(
            decision.isEntitled == TenYearHistory.hasAccess(words, at: instant),
            "position \(index + 2), member \(member) at \(instant)")
        }
      }
    }
  }
}
