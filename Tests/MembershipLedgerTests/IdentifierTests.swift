import LedgerTestSupport
import MembershipLedger
import Testing

/// Names as long and as hostile as they may be.
@Suite struct IdentifierTests {
  private static func long(_ first: String, _ length: Int = 511) -> String {
    first + String(repeating: "x", count: length - first.utf8.count)
  }

  @Test(arguments: [400, 401, 511])
  func `identifiers of any permitted length work everywhere`(_ length: Int) throws {
    try withLedger { ledger in
      let customer = CustomerID(stringLiteral: Self.long("user", length))
      let account = AccountID(stringLiteral: Self.long("stripe:cus", length))
      let membership = MembershipID(stringLiteral: Self.long("stripe:sub", length))
      let invoice = ReferenceID(stringLiteral: Self.long("stripe:in", length))
      let entitlement = EntitlementKey(stringLiteral: Self.long("premium", length))
      let grant = GrantID(stringLiteral: Self.long("grant", length))
      var catalog = Make.catalog
      catalog.entitlements = [.init(key: entitlement)]
      catalog.products = [
        .init(
          id: "pro", entitlements: [entitlement],
          stores: [.init(provider: .stripe, product: "prod_pro")])
      ]
      try ledger.add(Make.catalogEvent("manual:catalog", catalog))
      let transaction = Transaction(
        id: "stripe:t", offer: Offer(product: "prod_pro"), period: days(1, 31), kind: .paid)
      try ledger.add(
        Make.event(
          EventID(stringLiteral: Self.long("stripe:evt", length)), at: day(1), account: account,
          customer: customer,
          Fact(.purchased(transaction), membership: membership, references: [invoice])))
      let premium = try ledger.entitlement(entitlement)
      for name in [customer.rawValue, account.rawValue] {
        #expect(try ledger.isEntitled(name, to: premium, at: day(2)))
      }
      #expect(try !ledger.isEntitled(customer.rawValue + "y", to: premium, at: day(2)))
      let refund = Refund(
        amount: Money(minorUnits: 999, currency: "USD"),
        paid: Money(minorUnits: 999, currency: "USD"))
      try ledger.add(
        Make.event(
          "stripe:evt_refund", at: day(3), account: nil,
          Fact(.refunded(refund), references: [invoice])))
      #expect(try !ledger.isEntitled(customer.rawValue, to: premium, at: day(4)))
      var given = Make.grant("g", of: entitlement, to: customer)
      given.facts = [Fact(.granted(ManualGrant(id: grant, entitlement: entitlement)))]
      try ledger.add(given)
      #expect(try ledger.isEntitled(account.rawValue, to: premium, at: day(4)))
      let decision = try ledger.decision(
        for: customer, on: entitlement, at: day(4), explained: true)
      #expect(decision.grants == [grant])
      #expect(
        try ledger.events(matching: EventFilter(membership: membership)).map(\.position) == [2, 3])
      try ledger.rebuild()
      try expectSound(ledger)
    }
  }

  @Test func `names that begin or look alike are never one customer`() throws {
    // Composed and decomposed, one a prefix of the other, in another letter case, of another script.
    let names = ["user", "user_1", "USER_1", "u\u{e4}", "ua\u{308}", "a/b", "a", "\u{430}", "🎈"]
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      let premium = try ledger.entitlement("premium")
      for (index, name) in names.enumerated() {
        for other in names[index...] {
          #expect(try !ledger.isEntitled(other, to: premium, at: day(2)), "\(other)")
        }
        try ledger.add(
          Make.grant(
            GrantID(stringLiteral: "g\(index)"), of: "premium", to: CustomerID(stringLiteral: name))
        )
        for other in names[...index] {
          #expect(try ledger.isEntitled(other, to: premium, at: day(2)), "\(other)")
        }
      }
      try expectSound(ledger)
    }
  }

  @Test func `any text may be asked about`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      let premium = try ledger.entitlement("premium")
      for name in ["", "\0", "\u{1}a", Self.long("", 512), Self.long("", 100_000), "a\nb"] {
        #expect(try !ledger.isEntitled(name, to: premium, at: day(2)))
      }
      #expect(code { try ledger.entitlement("nothing") } == .unknownEntitlement)
    }
  }

  @Test func `a page after the last of all positions is empty`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      #expect(try ledger.events(after: try ledger.lastPosition()).isEmpty)
      #expect(code { try ledger.events(after: Position(.max)) } == .unknownReference)
      #expect(try ledger.events(limit: 0).isEmpty)
      #expect(try ledger.events(limit: -1).isEmpty)
    }
  }
}
