import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Law 1: append only") struct AppendOnlyTests {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `no later event, rebuild or duplicate changes a stored record`(_ seed: UInt64) throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      let file = try LogFile(folder + "/ledger")
      var history = RandomHistory(seed: seed)
      var before: [(key: [UInt8], value: [UInt8])] = []
      for round in 0..<6 {
        let events = history.events(12)
        try ledger.add(all: events)
        if round % 2 == 1 { try ledger.rebuild() }
        let again = ledger.append(contentsOf: events.map { AppendRequest($0) })
        #expect(again.allSatisfy { (try? $0.get())?.isDuplicate == true })
        let after = try file.rows(of: "log")
        #expect(after.count == before.count + 12)
        for (old, new) in zip(before, after) { #expect(old == new, "seed \(seed)") }
        before = after
      }
    }
  }
}

@Suite("Law 2: acknowledged is durable") struct DurableTests {
  @Test func `what was acknowledged is there after every reopening`() throws {
    try withScratchFolder { folder in
      var history = RandomHistory(seed: 7)
      var acknowledged: [Receipt] = []
      _ = try Ledger.create(folder + "/ledger")
      for _ in 0..<5 {
        let ledger = try Ledger.open(folder + "/ledger")
        #expect(try ledger.lastPosition().rawValue == UInt64(acknowledged.count))
        try expectSound(ledger)
        for event in history.events(5) { acknowledged.append(try ledger.add(event)) }
      }
      let ledger = try Ledger.open(folder + "/ledger")
      #expect(try ledger.events().map(\.position) == acknowledged.map(\.position))
      #expect(try ledger.events().map(\.recordedAt) == acknowledged.map(\.recordedAt))
    }
  }
}

@Suite("Law 3: gapless") struct GaplessTests {
  @Test func `a hole is damage and is reported as such`() throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      for number in 1...5 { try ledger.add(AppendTests.note(number)) }
      let file = try LogFile(folder + "/ledger")
      try file.delete([0, 0, 0, 0, 0, 0, 0, 3], in: "log")
      let report = try ledger.verify()
      #expect(!report.isSound)
      #expect(report.differences.contains { $0.contains("position 3") && $0.contains("hole") })
      #expect(code { try ledger.replay() } == .damaged)
      #expect(code { try ledger.events() } == .damaged)
      #expect(code { try ledger.rebuild() } == .damaged)
      #expect(try ledger.events(limit: 2).count == 2)
    }
  }

  @Test func `an event more or an id less than the head counts is damage`() throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      for number in 1...3 { try ledger.add(AppendTests.note(number)) }
      let file = try LogFile(folder + "/ledger")
      let row = try file.rows(of: "log")[2]
      try file.put(row.value, for: [0, 0, 0, 0, 0, 0, 0, 4], in: "log")
      #expect(try !ledger.verify().isSound)
      try file.delete([0, 0, 0, 0, 0, 0, 0, 4], in: "log")
      try expectSound(ledger)
      try file.delete(Array("stripe:evt_2".utf8), in: "ids")
      #expect(try ledger.verify().differences.contains { $0.contains("stripe:evt_2") })
    }
  }
}

@Suite("Law 4: idempotent for ever") struct IdempotentTests {
  @Test func `the same event gives the first receipt back, in and after its batch`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      let event = Make.purchase("stripe:evt_1")
      let both = ledger.append(contentsOf: [AppendRequest(event), AppendRequest(event)])
      clock.instant = day(900)
      var redelivered = event
      redelivered.provenance = Provenance(
        origin: .reconcile, verification: Verification(.verified), document: [1, 2, 3])
      let later = try ledger.add(redelivered)
      let receipts = try both.map { try $0.get() } + [later]
      #expect(receipts.map(\.position) == [1, 1, 1])
      #expect(receipts.map(\.recordedAt) == [day(1), day(1), day(1)])
      #expect(receipts.map(\.isDuplicate) == [false, true, true])
      #expect(try ledger.event("stripe:evt_1")?.event.provenance == event.provenance)
      try expectSound(ledger)
    }
  }

  @Test func `the same id with other content is an error that names both`() throws {
    try withLedger { ledger in
      let event = Make.purchase("stripe:evt_1")
      var other = event
      other.effectiveAt = day(2)
      let outcomes = ledger.append(contentsOf: [AppendRequest(event), AppendRequest(other)])
      #expect(outcomes[1] == .failure(LedgerError(.idConflict, "")))
      do {
        try ledger.add(other)
        Issue.record("a second content was taken")
      } catch let error as LedgerError {
        #expect(error.code == .idConflict)
        #expect(error.message.contains("stripe:evt_1"))
        #expect(error.message.contains("position 1"))
      }
      #expect(try ledger.lastPosition() == 1)
      #expect(try ledger.add(event).isDuplicate)
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `a whole history once more changes nothing`(_ seed: UInt64) throws {
    try withLedger { ledger in
      var history = RandomHistory(seed: seed)
      let events = history.events(40)
      try ledger.add(all: events)
      let before = try ledger.replay()
      try ledger.add(all: events.reversed())
      let after = try ledger.replay()
      #expect(before == after, "seed \(seed)")
    }
  }
}
