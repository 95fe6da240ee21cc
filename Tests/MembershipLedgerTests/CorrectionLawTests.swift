import LedgerTestSupport
import MembershipLedger
import Testing

/// An event that is corrected counts for nothing from then on, and nothing else changes.
@Suite("Laws 1, 15 and 16: corrections") struct CorrectionLawTests {
  /// Appends random events and corrections; calls back after each correction.
  private func record(
    _ seed: UInt64, _ count: Int, in ledger: Ledger, _ corrected: (Event) throws -> Void
  ) throws {
    var history = RandomHistory(seed: seed)
    var random = SeededGenerator(seed: seed &+ 500)
    try ledger.add(Make.catalogEvent())
    for _ in 0..<count {
      if Int.random(in: 0..<4, using: &random) == 0,
        let correction = try history.correction(in: ledger)
      {
        try ledger.add(correction)
        try corrected(correction)
      } else {
        // Some go into one batch.
        let requests = history.events(Int.random(in: 1...3, using: &random))
        for outcome in ledger.append(contentsOf: requests.map { AppendRequest($0) }) {
          _ = outcome
        }
      }
    }
  }

  /// The same log as if each corrected event had said at once what its last correction says.
  private func rewrite(_ ledger: Ledger, into other: Ledger) throws {
    let records = try ledger.events(limit: .max)
    let counting = Set(records.counting.map(\.position))
    for record in records {
      var event = record.event
      event.facts = event.facts.filter { if case .corrected = $0.body { false } else { true } }
      if !counting.contains(record.position) || event.facts.isEmpty {
        event.facts = [Fact(.noted(Note(type: "nothing")))]
        (event.customer, event.account) = (nil, nil)
      }
      try other.add(event)
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `answers are those of the log that said so at once`(_ seed: UInt64) throws {
    try withLedger { ledger in
      var count = 0
      try record(seed, 40, in: ledger) { _ in count += 1 }
      #expect(count > 2, "seed \(seed)")
      try withLedger { other in
        try rewrite(ledger, into: other)
        for environment in [Environment.production, .sandbox] {
          let (ours, theirs) = (
            try AnswerSheet(ledger, in: environment), try AnswerSheet(other, in: environment)
          )
          #expect(ours.differences(from: theirs) == [], "seed \(seed) \(environment)")
          for instant in [day(5), day(17), day(45)] {
            #expect(
              try ledger.memberships(at: instant, in: environment).map(Seen.init)
                == other.memberships(at: instant, in: environment).map(Seen.init),
              "seed \(seed) \(environment)")
          }
        }
        try expectChecksAgree(ledger, "seed \(seed)")
      }
    }
  }

  /// What a membership is, whatever events it was learnt from.
  private struct Seen: Equatable {
    let id: MembershipID
    let customer: CustomerID?
    let status: MembershipStatus
    let isActive: Bool
    let endedAt: Timestamp?

    init(_ membership: Membership) {
      id = membership.id
      customer = membership.customer
      status = membership.status
      isActive = membership.isActive
      endedAt = membership.endedAt
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `replay, verification and a rebuild agree after each`(_ seed: UInt64) throws {
    try withLedger { ledger in
      var count = 0
      try record(seed &+ 100, 40, in: ledger) { _ in
        count += 1
        if count % 4 == 1 { try expectSound(ledger) }
      }
      try expectSound(ledger)
      let digest = try ledger.replay().digest
      try ledger.rebuild()
      #expect(try ledger.replay().digest == digest)
      try expectSound(ledger)
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `what was known before stays, and what is known now is what is answered`(
    _ seed: UInt64
  ) throws {
    try withLedger { ledger in
      var answered: [(position: Position, answers: KnownAnswers)] = []
      try record(seed &+ 200, 24, in: ledger) { _ in
        if answered.count >= 6 { return }
        for back in [1, 0] as [UInt64] {
          let position = Position(try ledger.lastPosition().rawValue - back)
          let known = try ledger.asKnown(at: .position(position))
          answered.append((position, try KnownAnswers(known, at: day(17))))
        }
        try KnownAnswersTests.expectPresent(
          ledger.asKnown(at: .position(ledger.lastPosition())), ledger)
      }
      for (position, answers) in answered {
        let again = try KnownAnswers(ledger.asKnown(at: .position(position)), at: day(17))
        #expect(again == answers, "seed \(seed), position \(position)")
      }
    }
  }
}
