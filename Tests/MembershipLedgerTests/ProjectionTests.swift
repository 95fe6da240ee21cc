import LedgerTestSupport
import MembershipLedger
import Testing

/// What the hot path reads follows every change of names, and every explanation finds its events.
@Suite struct ProjectionTests {
  private func expectAgreement(_ ledger: Ledger, _ location: SourceLocation = #_sourceLocation)
    throws
  {
    try expectChecksAgree(ledger, "", location)
    for name in RandomHistory.names {
      _ = try ledger.decision(for: name, on: "premium", at: day(5), explained: true)
    }
    try expectSound(ledger, location)
  }

  private static func merge(_ number: Int, _ from: CustomerID, _ into: CustomerID) -> Event {
    Make.manual(
      EventID(stringLiteral: "manual:merge_\(number)"),
      .customersMerged(CustomerMerge(from: from, into: into)))
  }

  @Test func `a customer merged elsewhere leaves the first one with nothing of its`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.grant("g", of: "premium", to: "user_1"))
      for (number, target) in (["user_2", "user_3", "user_4", "user_2"] as [CustomerID])
        .enumerated()
      {
        try ledger.add(Self.merge(number, "user_1", target))
        try expectAgreement(ledger)
      }
      try ledger.add(Self.merge(8, "user_2", "user_1"))
      try expectAgreement(ledger)
      try ledger.add(
        Make.manual(
          "manual:undo", .mergeUndone(CustomerMerge(from: "user_1", into: "user_2"))))
      try expectAgreement(ledger)
    }
  }

  @Test func `an account linked elsewhere leaves the first customer with nothing of its`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", customer: "user_1"))
      try expectAgreement(ledger)
      for (number, target) in (["user_2", "user_3", "user_2"] as [CustomerID]).enumerated() {
        try ledger.add(
          Make.manual(
            EventID(stringLiteral: "manual:link_\(number)"),
            .accountLinked(AccountLink(account: "stripe:cus_1", customer: target))))
        try expectAgreement(ledger)
      }
      var hint = AppendTests.note(7)
      hint.customer = "user_4"
      hint.effectiveAt = day(9)
      try ledger.add(hint)
      try expectAgreement(ledger)
      try ledger.add(
        Make.manual(
          "manual:unlink",
          .accountUnlinked(AccountLink(account: "stripe:cus_1", customer: "user_2"))))
      try expectAgreement(ledger)
    }
  }

  @Test func `a grant that is given anew to another leaves the first one with nothing`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.grant("g", of: "premium", to: "user_1"))
      var anew = Make.grant("g", of: "premium", to: "user_2", until: day(20))
      anew.id = "manual:anew"
      anew.effectiveAt = day(2)
      try ledger.add(anew)
      try expectAgreement(ledger)
      #expect(try !ledger.decision(for: "user_1", on: "premium", at: day(5)).isEntitled)
      #expect(try ledger.decision(for: "user_2", on: "premium", at: day(5)).isEntitled)
    }
  }

  @Test func `a link that comes with a fact about money alone is found again`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.add(
        Make.event(
          "stripe:evt_2", at: day(2), customer: "user_1",
          Fact(.paymentLinked(PaymentLink()), references: ["stripe:in_77", "stripe:pi_77"])))
      try expectAgreement(ledger)
      #expect(try ledger.decision(for: "user_1", on: "premium", at: day(5)).isEntitled)
    }
  }

  @Test func `a membership that moves between accounts leaves the first with nothing`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", account: "stripe:cus_1"))
      try ledger.add(
        Make.purchase(
          "stripe:evt_2", account: "stripe:cus_2", days(31, 61), invoice: "stripe:in_2"))
      try expectAgreement(ledger)
      try ledger.add(
        Make.event(
          "manual:move", at: day(10), account: nil, provider: .manual,
          Fact(.transferred(Transfer(to: "user_3")), membership: "stripe:sub_1")))
      try expectAgreement(ledger)
    }
  }

  @Test func `what many payments share reaches each membership`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      let paid = Money(minorUnits: 999, currency: "USD")
      try ledger.add(
        Make.event(
          "stripe:evt_r", at: day(4), account: nil,
          Fact(.refunded(Refund(amount: paid, paid: paid)), references: ["stripe:ch_1"])))
      try ledger.add(
        Make.event(
          "stripe:evt_l", at: day(4), account: nil,
          Fact(.paymentLinked(PaymentLink()), references: ["stripe:pi_1", "stripe:ch_1"])))
      try ledger.add(Make.purchase("stripe:evt_1"))
      try expectAgreement(ledger)
      #expect(try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(5)).isEntitled)
      try ledger.add(
        Make.event(
          "stripe:evt_l2", at: day(4), account: nil,
          Fact(.paymentLinked(PaymentLink()), references: ["stripe:in_1", "stripe:pi_1"])))
      try expectAgreement(ledger)
      #expect(try !ledger.decision(for: "stripe:cus_1", on: "premium", at: day(5)).isEntitled)
    }
  }
}
