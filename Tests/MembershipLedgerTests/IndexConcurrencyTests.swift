import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

/// The index while it is changed and made anew, under many threads.
@Suite struct IndexConcurrencyTests {
  private static let customers = 150

  private static func gained(_ number: Int) -> String { "gains_\(number)" }
  private static func lost(_ number: Int) -> String { "loses_\(number)" }

  private static func grant(_ name: String) -> Event {
    Make.event(
      EventID(stringLiteral: "manual:given-\(name)"), at: day(1), account: nil,
      customer: CustomerID(stringLiteral: name), provider: .manual,
      Fact(
        .granted(
          ManualGrant(
            id: GrantID(stringLiteral: "grant_\(name)"), entitlement: "premium", reason: "test"))))
  }

  private static func revoke(_ name: String) -> Event {
    Make.manual(
      EventID(stringLiteral: "manual:taken-\(name)"), at: day(2),
      .grantRevoked(ManualGrantRevocation(id: GrantID(stringLiteral: "grant_\(name)"))))
  }

  /// Who has been given, or has lost, something, by what was acknowledged to the writers.
  private struct Acknowledged {
    var gained = 0
    var lost = 0
  }

  @Test func `every thread sees what was acknowledged to any, while the index is made anew`()
    async throws
  {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(clock: { day(3) }))
      try await ledger.append(Make.catalogEvent())
      let events = (0..<Self.customers).map { AppendRequest(Self.grant(Self.lost($0))) }
      for outcome in await ledger.append(contentsOf: events) { _ = try outcome.get() }
      ledger.fillIndex()
      let acknowledged = Lock(Acknowledged())
      let isDone = Lock(false)
      let checkers = (0..<3).map { worker in
        Background { try Self.check(ledger, worker, acknowledged, until: isDone) }
      }
      let gaining = Background {
        for number in 0..<Self.customers {
          try ledger.add(Self.grant(Self.gained(number)))
          acknowledged.withLock { $0.gained = number + 1 }
          if number % 40 == 20 { try ledger.rebuild() }
        }
      }
      let losing = Background {
        for number in 0..<Self.customers {
          try ledger.add(Self.revoke(Self.lost(number)))
          acknowledged.withLock { $0.lost = number + 1 }
        }
      }
      try await gaining.finish()
      try await losing.finish()
      isDone.withLock { $0 = true }
      for checker in checkers { try await checker.finish() }
    }
  }

  private static func check(
    _ ledger: Ledger, _ worker: Int, _ acknowledged: borrowing Lock<Acknowledged>,
    until isDone: borrowing Lock<Bool>
  ) throws {
    let premium = try ledger.entitlement("premium")
    var random = SeededGenerator(seed: UInt64(worker))
    var byIndex = 0
    while !isDone.withLock({ $0 }) {
      let known = acknowledged.withLock { $0 }
      for number in some(of: known.gained, &random) {
        #expect(try ledger.isEntitled(gained(number), to: premium), "gained \(number)")
        if ledger.isGivenByIndex(gained(number), premium, at: day(3)) != nil { byIndex += 1 }
      }
      for number in some(of: known.lost, &random) {
        #expect(try !ledger.isEntitled(lost(number), to: premium), "lost \(number)")
      }
      if worker == 0 { ledger.fillIndex() }
    }
    #expect(byIndex > 0)
  }

  /// The last of so many, and some others.
  private static func some(of count: Int, _ random: inout SeededGenerator) -> [Int] {
    if count == 0 { return [] }
    return [count - 1] + (0..<8).map { _ in Int.random(in: 0..<count, using: &random) }
  }
}
