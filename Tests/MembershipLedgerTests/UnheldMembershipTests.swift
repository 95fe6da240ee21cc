import LedgerTestSupport
import MembershipLedger
import Testing

/// Memberships that a store tells of before, or without, saying whose they are.
@Suite struct UnheldMembershipTests {
  private func expect(
    _ names: [CustomerID?], _ ledger: Ledger, at instant: Timestamp = day(2),
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let now = try ledger.memberships(at: instant)
    #expect(now.map(\.customer) == names, sourceLocation: location)
    // Folded anew, in memory alone, the list is the same.
    let known = try ledger.asKnown(at: .position(ledger.lastPosition()))
    #expect(try known.memberships(at: instant) == now, sourceLocation: location)
    try ledger.rebuild()
    #expect(try ledger.memberships(at: instant) == now, sourceLocation: location)
  }

  @Test(arguments: [10, 400, 401, 511])
  func `they are listed last, whatever the length of their ids`(_ length: Int) throws {
    try withLedger { ledger in
      let text = "stripe:sub"
      let id = MembershipID(
        stringLiteral: text + String(repeating: "x", count: length - text.utf8.count))
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", of: id, account: nil))
      try ledger.add(
        Make.purchase("stripe:evt_2", of: "stripe:sub_2", invoice: "stripe:in_2"))
      try expect(["stripe:cus_1", nil], ledger)
      let unheld = try #require(try ledger.memberships(at: day(2)).last)
      #expect(unheld.id == id && unheld.isActive && unheld.product == "pro")
      #expect(try ledger.memberships(at: day(2), in: .sandbox).isEmpty)
      try expectSound(ledger)
    }
  }

  @Test func `once somebody is said to hold one it is listed once, as theirs`() throws {
    try withLedger { ledger in
      try ledger.add(Make.purchase("stripe:evt_1", account: nil))
      try expect([nil], ledger)
      try ledger.add(
        Make.purchase("stripe:evt_2", account: "stripe:cus_1", days(31, 61), invoice: "stripe:in_2")
      )
      try expect(["stripe:cus_1"], ledger)
      #expect(try ledger.asKnown(at: .position(1)).memberships(at: day(2)).map(\.customer) == [nil])
    }
  }

  @Test func `one that is transferred is nobody's before`() throws {
    try withLedger { ledger in
      try ledger.add(Make.purchase("stripe:evt_1", account: nil))
      try ledger.add(
        Make.event(
          "manual:1", at: day(5), account: nil, provider: .manual,
          Fact(.transferred(Transfer(to: "ann", at: day(5))), membership: "stripe:sub_1")))
      try expect([nil], ledger)
      try expect(["ann"], ledger, at: day(5))
    }
  }
}
