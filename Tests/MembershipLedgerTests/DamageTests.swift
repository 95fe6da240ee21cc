import LedgerTestSupport
import MembershipLedger
import Testing

/// What is spoiled on disk is an error that says so, never a wrong answer or a trap.
@Suite struct DamageTests {
  private func withSpoiled(
    _ spoil: (LogFile) throws -> Void, _ body: (Ledger) throws -> Void
  ) throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.add(
        Make.purchase(
          "stripe:evt_2", of: "stripe:sub_2", account: "stripe:cus_2", invoice: "stripe:in_2"))
      try spoil(LogFile(folder + "/ledger"))
      try body(ledger)
    }
  }

  @Test func `a flipped bit anywhere in a record is found whenever it is read`() throws {
    for byte in [0, 31, 32, 40, 100] {
      try withSpoiled({ try $0.flip(byte, ofRow: 1, in: "log") }) { (ledger) throws in
        #expect(code { try ledger.event("stripe:evt_1") } == .damaged)
        #expect(code { try ledger.events() } == .damaged)
        #expect(code { try ledger.replay() } == .damaged)
        #expect(try ledger.verify().differences.contains { $0.contains("position 2") })
        #expect(code { try ledger.add(Make.purchase("stripe:evt_1")) } == .damaged)
      }
    }
  }

  @Test func `a record in another's place is found`() throws {
    func spoil(_ file: LogFile) throws {
      let rows = try file.rows(of: "log")
      try file.put(rows[1].value, for: rows[2].key, in: "log")
    }
    try withSpoiled(spoil) { (ledger) throws in
      #expect(code { try ledger.event("stripe:evt_2") } == .damaged)
      #expect(try ledger.verify().differences.contains { $0.contains("position 3") })
    }
  }

  @Test(arguments: [[UInt8](), [1, 2, 3], [UInt8](repeating: 0xff, count: 40)])
  func `an index entry that cannot be right is found`(_ row: [UInt8]) throws {
    try withSpoiled({ try $0.put(row, for: Array("stripe:evt_1".utf8), in: "ids") }) {
      (ledger) throws in
      #expect(try ledger.verify().differences.contains { $0.contains("stripe:evt_1") })
      if row.count != 40 {
        #expect(code { try ledger.event("stripe:evt_1") } == .damaged)
        #expect(code { try ledger.add(Make.purchase("stripe:evt_1")) } == .damaged)
      }
    }
  }

  @Test func `a head that cannot be right stops every use`() throws {
    for row in [[UInt8](), [1], [UInt8](repeating: 0xff, count: 100)] {
      try withSpoiled({ try $0.put(row, for: Array("head".utf8), in: "head") }) { (ledger) throws in
        #expect(code { try ledger.lastPosition() } == .damaged)
        let report = try ledger.verify()
        #expect(report.events == 3 && report.differences.count == 1)
        #expect(code { try ledger.add(AppendTests.note(1)) } == .damaged)
      }
    }
    try withSpoiled({ try $0.flip(7, ofRow: 0, in: "head") }) { (ledger) throws in
      #expect(code { try ledger.events() } == .damaged)
    }
  }

  @Test func `a spoiled state keeps only the events about it out, and a rebuild heals it`() throws {
    func spoil(_ file: LogFile) throws {
      for row in try file.rows(of: "entities.0")
      where row.key.first == 4 && !row.value.isEmpty && row.key.contains(UInt8(ascii: "2")) {
        try file.put([0xff], for: row.key, in: "entities.0")
      }
    }
    try withSpoiled(spoil) { (ledger) throws in
      let outcomes = ledger.append(contentsOf: [
        AppendRequest(
          Make.purchase("stripe:evt_3", days(31, 61), invoice: "stripe:in_3")),
        AppendRequest(
          Make.purchase(
            "stripe:evt_4", of: "stripe:sub_2", account: "stripe:cus_2", days(31, 61),
            invoice: "stripe:in_4")),
        AppendRequest(AppendTests.note(5)),
      ])
      #expect(outcomes[0].position == 4)
      #expect(outcomes[1] == .failure(LedgerError(.damaged, "")))
      #expect(outcomes[2].position == 5)
      #expect(
        code { try ledger.decision(for: "stripe:cus_2", on: "premium", at: day(2)) } == .damaged)
      #expect(try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(40)).isEntitled)
      #expect(try !ledger.replay().isSound)
      try ledger.rebuild()
      #expect(try ledger.decision(for: "stripe:cus_2", on: "premium", at: day(2)).isEntitled)
      try expectSound(ledger)
    }
  }

  @Test func `names that lead to each other are damage, not an endless search`() throws {
    func spoil(_ file: LogFile) throws {
      let prefix: [UInt8] = [1, 1]
      try file.put([1] + Array("b".utf8), for: prefix + Array("a".utf8), in: "access.0")
      try file.put([1] + Array("a".utf8), for: prefix + Array("b".utf8), in: "access.0")
    }
    try withSpoiled(spoil) { (ledger) throws in
      let premium = try ledger.entitlement("premium")
      #expect(code { try ledger.isEntitled("a", to: premium, at: day(2)) } == .damaged)
      #expect(try !ledger.replay().isSound)
    }
  }
}

extension Result<Receipt, LedgerError> {
  /// The position of what was taken.
  var position: Position? { (try? get())?.position }
}
