import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Law 15: the past stays put") struct PastTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `what was answered at a position is answered so for ever`(_ seed: UInt64) throws {
    try withLedger { ledger in
      var history = RandomHistory(seed: seed)
      var sheets: [(position: Position, sheet: AnswerSheet)] = []
      for _ in 0..<4 {
        try ledger.add(all: history.events(8))
        sheets.append((try ledger.lastPosition(), try AnswerSheet(ledger, .few)))
      }
      try ledger.rebuild()
      for (position, sheet) in sheets {
        let known = try AnswerSheet(ledger, .few, knownAt: position)
        #expect(
          known.differences(from: sheet) == [], "seed \(seed), position \(position)")
      }
    }
  }

  @Test func `a link, a merge and a revision are known from their positions on`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      let link = AccountLink(account: "stripe:cus_1", customer: "user_1")
      try ledger.add(Make.manual("manual:link", .accountLinked(link)))
      let merge = CustomerMerge(from: "user_1", into: "user_2")
      try ledger.add(Make.manual("manual:merge", .customersMerged(merge)))
      var catalog = Make.catalog
      catalog.products[0].entitlements = ["archive"]
      try ledger.add(Make.catalogEvent("manual:c2", catalog, appliesTo: .everyone, at: day(3)))
      func known(_ position: Position, _ name: CustomerID, _ at: Int64) throws -> Bool {
        try ledger.asKnown(at: .position(position))
          .decision(for: name, on: "premium", at: day(at)).isEntitled
      }
      #expect(
        try (1...5).map { try known(Position($0), "stripe:cus_1", 5) }
          == [false, true, true, true, false])
      #expect(
        try (1...5).map { try known(Position($0), "user_1", 2) }
          == [false, false, true, true, true])
      #expect(
        try (1...5).map { try known(Position($0), "user_2", 2) }
          == [false, false, false, true, true])
      // An instant before a later end is answered by what is known now (PEER-16).
      try ledger.add(
        Make.event(
          "stripe:evt_end", at: day(20),
          Fact(.ended(End(at: day(20), reason: .cancelled)), membership: "stripe:sub_1")))
      #expect(try ledger.decision(for: "user_2", on: "archive", at: day(19)).isEntitled)
      #expect(try !ledger.decision(for: "user_2", on: "archive", at: day(20)).isEntitled)
    }
  }
}

@Suite("Law 16: replay equals live") struct ReplayTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `after every step a fold from nothing gives the stored projections`(
    _ seed: UInt64
  ) throws {
    try withLedger { ledger in
      var history = RandomHistory(seed: seed)
      var digests: [(position: Position, digest: String)] = []
      for step in 1...12 {
        if step % 3 == 0 {
          try ledger.add(all: history.events(step))
        } else {
          try ledger.add(history.event())
        }
        let report = try ledger.replay()
        #expect(report.differences == [], "seed \(seed), step \(step)")
        digests.append((try ledger.lastPosition(), report.digest))
      }
      try ledger.rebuild()
      #expect(try ledger.replay().differences == [])
      #expect(try ledger.replay().digest == digests.last?.digest)
      for (position, digest) in digests {
        #expect(try ledger.replay(until: .position(position)).digest == digest)
      }
      try expectChecksAgree(ledger, "seed \(seed)")
      try expectChecksAgree(ledger, in: .sandbox, "seed \(seed)")
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `providers' events in any order and number give the same answers`(
    _ seed: UInt64
  ) throws {
    var history = RandomHistory(seed: seed)
    let events = history.providerEvents(25)
    var first: AnswerSheet?
    var shuffle = SeededGenerator(seed: seed)
    for round in 0..<4 {
      try withLedger { ledger in
        try ledger.add(Make.catalogEvent())
        let order = round == 0 ? events : (events + events.prefix(9)).shuffled(using: &shuffle)
        for start in stride(from: 0, to: order.count, by: 7) {
          try ledger.add(all: Array(order[start..<min(start + 7, order.count)]))
        }
        let sheet = try AnswerSheet(ledger)
        #expect(first.map { sheet.differences(from: $0) } ?? [] == [], "seed \(seed)")
        first = first ?? sheet
        #expect(try ledger.replay().differences == [], "seed \(seed)")
      }
    }
  }
}

@Suite("Law 18: answers carry their proof") struct ProofTests {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `an explanation refolds to the stored answer, which holds as long as it says`(
    _ seed: UInt64
  ) throws {
    try withLedger { ledger in
      var history = RandomHistory(seed: seed)
      try ledger.add(all: history.events(50))
      for name in RandomHistory.names {
        for key in RandomHistory.entitlements.prefix(2) {
          try check(ledger, name, key, seed)
        }
      }
    }
  }

  private func check(
    _ ledger: Ledger, _ name: CustomerID, _ key: EntitlementKey, _ seed: UInt64
  ) throws {
    let answers = try RandomHistory.instants.map { instant in
      try ledger.decision(
        for: name, on: key, at: instant, explained: instant == day(30))
    }
    for answer in answers {
      for other in answers
      where other.at >= answer.validFrom ?? .distantPast
        && other.at < answer.validUntil ?? .distantFuture
      {
        #expect(
          other.isEntitled == answer.isEntitled && other.reason == answer.reason,
          "seed \(seed): \(name) \(key) \(answer.at) \(other.at)")
      }
      if let end = answer.validUntil, end < .distantFuture {
        let next = try ledger.decision(for: name, on: key, at: end)
        #expect(
          next.isEntitled != answer.isEntitled || next.reason != answer.reason,
          "seed \(seed): \(name) \(key) \(answer.at) until \(end)")
      }
    }
  }

  @Test func `an explanation names the events that the answer rests on`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.add(Make.purchase("stripe:evt_other", of: "stripe:sub_2", account: "stripe:cus_2"))
      let link = AccountLink(account: "stripe:cus_1", customer: "user_1")
      try ledger.add(Make.manual("manual:link", .accountLinked(link)))
      let decision = try ledger.decision(
        for: "user_1", on: "premium", at: day(2), explained: true)
      #expect(decision.isEntitled)
      #expect(decision.evidence.contains("stripe:evt_1"))
      #expect(decision.evidence.contains("manual:catalog-1"))
      #expect(!decision.evidence.contains("stripe:evt_other"))
      #expect(
        try ledger.decision(for: "user_1", on: "premium", at: day(2)).evidence.isEmpty)
    }
  }

  @Test func `an explanation that the stored state contradicts is damage, not an answer`() throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      let file = try LogFile(folder + "/ledger")
      let rows = try file.rows(of: "entities.0")
      let membership = try #require(rows.first { $0.key.first == 4 && !$0.value.isEmpty })
      try file.put([], for: membership.key, in: "entities.0")
      #expect(
        code {
          try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(2), explained: true)
        } == .damaged)
      try ledger.rebuild()
      #expect(
        try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(2), explained: true)
          .isEntitled)
    }
  }
}
