import LedgerTestSupport
import MembershipLedger
import Testing

/// The feed of changes over random histories, against a fold of the same events without a feed.
@Suite struct `The feed of changes` {
  /// How often time-driven changes are settled while a history is recorded.
  enum Settling: CaseIterable {
    case never
    case sometimes
    case always
  }

  /// A history of events with the day on which each is recorded.
  private static func history(seed: UInt64) -> [(event: Event, at: Timestamp)] {
    var history = RandomHistory(seed: seed)
    var random = SeededGenerator(seed: seed &+ 1000)
    var instant = day(0)
    // Something is sure to happen.
    let sure = [
      Make.catalogEvent(), Make.grant("sure", of: "premium", to: "user_1", until: day(20)),
    ]
    return sure.map { ($0, day(0)) }
      + (0..<50).map { _ in
        defer {
          // Some are recorded in the same millisecond, and some just when something runs out.
          let hours = [0, 0, 1, 24, 36, 5 * 24].randomElement(using: &random) ?? 0
          instant = instant.adding(milliseconds: Int64(hours) * 3_600_000)
        }
        return (history.event(), instant)
      }
  }

  private static let end = day(120)

  private func withHistory(
    _ seed: UInt64, _ settling: Settling, _ body: (Ledger) throws -> Void
  ) throws {
    let clock = TestClock()
    try withLedger(clock) { ledger in
      var random = SeededGenerator(seed: seed &+ 2000)
      // Chances of their own: what is corrected is the same, however often it is settled.
      var chance = SeededGenerator(seed: seed &+ 4000)
      var corrections = RandomHistory(seed: seed &+ 3000, prefix: "corrected")
      for (event, instant) in Self.history(seed: seed) {
        clock.instant = instant
        switch settling {
        case .never: break
        case .always: try ledger.settleNow()
        case .sometimes where Bool.random(using: &random):
          let back = Int64.random(in: 0...3, using: &random) * 86_400_000
          try ledger.settleNow(upTo: instant.adding(milliseconds: -back))
        case .sometimes: break
        }
        try ledger.add(event)
        if Int.random(in: 0..<5, using: &chance) == 0,
          let correction = try corrections.correction(in: ledger)
        {
          try ledger.add(correction)
        }
      }
      clock.instant = Self.end
      try ledger.settleNow()
      try body(ledger)
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>, [Settling.never, .sometimes])
  func `replayed from nothing it gives what each name had at each instant`(
    _ seed: UInt64, _ settling: Settling
  ) throws {
    try withHistory(seed, settling) { ledger in
      let changes = try ledger.allChanges()
      var fold = Fold(MemoryStore())
      let events = try ledger.events(limit: .max)
      for (index, record) in events.enumerated() {
        if record.event.correction == nil {
          _ = fold.apply(record)
        } else {
          fold = Fold(MemoryStore())
          fold.apply(all: Array(events[...index]))
        }
        let next = index + 1 < events.count ? events[index + 1].recordedAt : Self.end
        guard record.recordedAt < next || index + 1 == events.count else { continue }
        for instant in Set([record.recordedAt, next.adding(milliseconds: -1), next]) {
          if instant == next && next != Self.end { continue }
          Self.expect(changes, toGive: fold, at: instant, "seed \(seed)")
        }
      }
      try expectSound(ledger)
    }
  }

  private static func expect(
    _ changes: [EntitlementChange], toGive fold: Fold<MemoryStore>, at instant: Timestamp,
    _ hint: String
  ) {
    var held: [String: Set<EntitlementKey>] = [:]
    for change in changes where change.at <= instant {
      let name = "\(change.customer) \(change.environment)"
      held[name, default: []].subtract(change.lost)
      held[name, default: []].formUnion(change.gained)
    }
    for name in RandomHistory.names {
      for environment in [Environment.production, .sandbox] {
        let dossier = fold.dossier(of: name, environment)
        let access = CustomerAccess(dossier, fold.store.terms(), environment)
        let expected =
          dossier.customer == name ? access.holdings(at: instant).map(\.entitlement) : []
        #expect(
          held["\(name) \(environment)"] ?? [] == Set(expected),
          "\(hint): \(name) \(environment) at \(instant)")
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `each name's changes are the same however often it is settled`(_ seed: UInt64) throws {
    var sheets: [[String: [Told]]] = []
    for settling in Settling.allCases {
      try withHistory(seed, settling) { ledger in
        sheets.append(
          try Dictionary(grouping: ledger.allChanges()) { "\($0.customer) \($0.environment)" }
            .mapValues { $0.map(Told.init) })
      }
    }
    #expect(sheets.allSatisfy { $0 == sheets[0] }, "seed \(seed)")
    #expect(!sheets[0].isEmpty, "seed \(seed)")
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `it has no gaps, tells each change once and nothing that is none`(_ seed: UInt64) throws {
    try withHistory(seed, .sometimes) { ledger in
      var last: [String: EntitlementChange] = [:]
      for (index, change) in try ledger.allChanges().enumerated() {
        let name = "\(change.customer) \(change.environment)"
        let before = last.updateValue(change, forKey: name)
        let held = Set(before?.entitlements ?? [])
        #expect(change.sequence == UInt64(index + 1), "seed \(seed)")
        #expect(change.customerSequence == (before?.customerSequence ?? 0) + 1, "seed \(seed)")
        #expect(before?.at ?? .distantPast <= change.at, "seed \(seed)")
        #expect(change.at <= change.recordedAt, "seed \(seed)")
        #expect(!change.gained.isEmpty || !change.lost.isEmpty, "seed \(seed)")
        #expect(held.isDisjoint(with: change.gained), "seed \(seed)")
        #expect(held.isSuperset(of: change.lost), "seed \(seed)")
        let after = held.subtracting(change.lost).union(change.gained).sorted()
        #expect(after == change.entitlements, "seed \(seed)")
        for keys in [change.gained, change.lost] {
          #expect(keys == keys.sorted(), "seed \(seed)")
        }
        if change.leadsTo != nil { #expect(change.entitlements == [], "seed \(seed)") }
      }
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `a rebuild gives the same feed`(_ seed: UInt64) throws {
    try withHistory(seed, .sometimes) { ledger in
      let before = try ledger.allChanges()
      try ledger.rebuild()
      #expect(try ledger.allChanges() == before, "seed \(seed)")
      try expectSound(ledger)
    }
  }

  /// What a change tells, without where it stands.
  private struct Told: Hashable {
    let customerSequence: UInt64
    let at: Timestamp
    let gained: [EntitlementKey]
    let lost: [EntitlementKey]
    let entitlements: [EntitlementKey]
    let cause: EntitlementChange.Cause
    let leadsTo: CustomerID?

    init(_ change: EntitlementChange) {
      customerSequence = change.customerSequence
      at = change.at
      gained = change.gained
      lost = change.lost
      entitlements = change.entitlements
      cause = change.cause
      leadsTo = change.leadsTo
    }
  }
}

extension Ledger {
  /// Every change of all environments.
  func allChanges() throws -> [EntitlementChange] {
    try entitlementChanges(limit: .max, in: nil)
  }

  /// Settles in synchronous code, whatever the caller is.
  @discardableResult
  func settleNow(upTo instant: Timestamp? = nil) throws -> SettlementReport {
    try settle(upTo: instant)
  }
}
