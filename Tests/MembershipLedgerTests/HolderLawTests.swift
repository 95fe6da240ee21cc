import LedgerTestSupport
import MembershipLedger
import Testing

@Suite("Law 12: one holder") struct HolderLawTests {
  private static let customers: [CustomerID] = ["user_1", "user_2", "user_3"]
  private static let accounts: [AccountID] = ["stripe:cus_1", "stripe:cus_2"]
  private static let memberships: [MembershipID] = ["stripe:sub_1", "stripe:sub_2"]

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func
    `any sequence of links, merges, transfers and undoings keeps each membership with one holder`(
      _ seed: UInt64
    ) throws
  {
    var random = SeededGenerator(seed: seed)
    let clock = TestClock(day(2))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      for (number, membership) in Self.memberships.enumerated() {
        try ledger.add(
          Make.purchase(
            EventID(stringLiteral: "stripe:evt_\(number)"), of: membership,
            account: Self.accounts[number],
            invoice: ReferenceID(stringLiteral: "stripe:in_\(number)")))
      }
      var instants: Set<Timestamp> = [day(1), day(31)]
      for step in 0..<16 {
        clock.instant = day(2 + Int64(step))
        let at = Bool.random(using: &random) ? nil : day(Int64.random(in: 1...40, using: &random))
        instants.insert(at ?? clock.instant)
        act(on: ledger, at: at, &random)
        try expectOneHolder(
          ledger, around: [at ?? clock.instant, day(20)], "seed \(seed), step \(step)")
      }
      try expectOneHolder(ledger, around: instants, "seed \(seed)")
      #expect(try ledger.replay().differences == [], "seed \(seed)")
    }
  }

  /// Any decision; that some are refused is part of the law.
  private func act(on ledger: Ledger, at instant: Timestamp?, _ random: inout SeededGenerator) {
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: values.indices, using: &random)]
    }
    let (account, customer, other) = (
      pick(Self.accounts), pick(Self.customers), pick(Self.customers)
    )
    let membership = pick(Self.memberships)
    let taker = pick(Self.customers + Self.accounts.map { CustomerID(stringLiteral: "\($0)") })
    do throws(LedgerError) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: try ledger.link(account, to: customer)
      case 2: try ledger.unlink(account)
      case 3: try ledger.merge(customer, into: other)
      case 4: try ledger.unmerge(customer, from: other)
      case 5: try ledger.undoTransfer(of: membership, at: instant)
      case 6:
        let time = instant ?? day(20)
        let id = UInt64.random(in: 0...UInt64.max, using: &random)
        try ledger.append(
          Make.event(
            EventID(stringLiteral: "stripe:evt_t\(id)"), at: time, account: nil,
            Fact(.transferred(Transfer(to: taker)), membership: membership)))
      default: try ledger.transfer(membership, to: taker, at: instant)
      }
    } catch {
      let refusals: [LedgerError.Code] = [
        .belongsToAnother, .sameCustomer, .nothingToUndo, .anonymousCustomer, .invalidEvent,
      ]
      #expect(refusals.contains(error.code), "\(error)")
    }
  }

  private func expectOneHolder(
    _ ledger: Ledger, around instants: Set<Timestamp>, _ hint: String
  ) throws {
    for instant in instants.flatMap({ [-1, 0, 1].map($0.adding(milliseconds:)) }) {
      let listed = try ledger.memberships(at: instant)
      #expect(listed.map(\.id).sorted() == Self.memberships, "\(hint): \(instant)")
      for membership in listed {
        let lineage = try #require(try ledger.lineage(of: membership.id))
        #expect(lineage.holder(at: instant)?.customer == membership.customer, "\(hint)")
        let entitled = try ledger.customers().filter {
          try ledger.entitlements(of: $0, at: instant).contains { $0.membership == membership.id }
        }
        let holders = membership.isActive ? [membership.customer].compactMap { $0 } : []
        #expect(entitled == holders, "\(hint)")
      }
    }
  }
}
