import LedgerTestSupport
import MembershipLedger
import Testing

@Suite struct AppendTests {
  @Test func `positions begin at 1 and have no gaps, refused events between or not`() throws {
    try withLedger { ledger in
      let outcomes = ledger.append(contentsOf: [
        AppendRequest(Make.purchase("stripe:evt_1")),
        AppendRequest(Make.event("stripe:evt_bad", at: day(1))),
        AppendRequest(Make.purchase("stripe:evt_2")),
        AppendRequest(Make.purchase("stripe:evt_1")),
        AppendRequest(Make.purchase("stripe:evt_3")),
      ])
      #expect(outcomes.map { try? $0.get().position } == [1, nil, 2, 1, 3])
      #expect(outcomes.map { try? $0.get().isDuplicate } == [false, nil, false, true, false])
      #expect(try ledger.lastPosition() == 3)
      #expect(try ledger.events().map(\.position) == [1, 2, 3])
      try expectSound(ledger)
    }
  }

  @Test func `an empty list of requests has no outcomes`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      #expect(await ledger.append(contentsOf: []).isEmpty)
      try appendNothing(ledger)
    }
  }

  private func appendNothing(_ ledger: Ledger) throws {
    #expect(ledger.append(contentsOf: []).isEmpty)
  }

  @Test func `more requests than one transaction takes are all appended, in order`() async throws {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      let outcomes = await ledger.append(
        contentsOf: (1...1300).map { AppendRequest(Self.note($0)) })
      #expect(outcomes.map { try? $0.get().position.rawValue } == (1...1300).map { $0 })
      try appendMany(ledger)
    }
  }

  private func appendMany(_ ledger: Ledger) throws {
    let outcomes = ledger.append(
      contentsOf: (1301...2500).map { AppendRequest(Self.note($0)) })
    #expect(outcomes.map { try? $0.get().position.rawValue } == (1301...2500).map { $0 })
    #expect(try ledger.lastPosition() == 2500)
  }

  static func note(_ number: Int) -> Event {
    Make.event(
      EventID(stringLiteral: "stripe:evt_\(number)"), at: day(1),
      Fact(.noted(Note(type: "customer.updated"))))
  }

  @Test func `the recorded time never goes back, whatever the clock does`() throws {
    let clock = TestClock(day(10))
    try withLedger(clock) { ledger in
      let first = try ledger.add(Self.note(1))
      clock.instant = day(5)
      let second = try ledger.add(Self.note(2))
      clock.instant = day(11)
      let third = try ledger.add(Self.note(3))
      let again = try ledger.add(Self.note(2))
      let times = [first, second, third, again].map(\.recordedAt)
      #expect(times == [day(10), day(10), day(11), day(10)])
      let known = try [9, 10, 12].map { try ledger.asKnown(at: .time(day($0))).position }
      #expect(known == [0, 2, 3])
      #expect(code { try ledger.asKnown(at: .position(4)) } == .unknownReference)
    }
  }

  @Test func `a condition holds at the last position of its subject alone`() throws {
    try withLedger { ledger in
      let membership: MembershipID = "stripe:sub_1"
      try ledger.add(Make.purchase("stripe:evt_1"), if: .last(of: membership, is: 0))
      #expect(
        code {
          try ledger.add(Make.purchase("stripe:evt_2"), if: .last(of: membership, is: 0))
        } == .conditionFailed)
      // Events about others do not matter.
      try ledger.add(
        Make.purchase("stripe:evt_3", of: "stripe:sub_9", account: "stripe:cus_9"))
      try ledger.add(Make.purchase("stripe:evt_2"), if: .last(of: membership, is: 1))
      #expect(try ledger.lastPosition() == 3)
      // An event that was taken is answered, whatever its condition says by now.
      #expect(
        try ledger.add(Make.purchase("stripe:evt_2"), if: .last(of: membership, is: 1))
          .isDuplicate)
    }
  }

  @Test func `a condition on a customer sees all that bears on the customer`() throws {
    try withLedger { ledger in
      let link = AccountLink(account: "stripe:cus_1", customer: "user_1")
      try ledger.add(Make.purchase("stripe:evt_1"))
      try ledger.add(Make.manual("manual:link", .accountLinked(link)))
      try ledger.add(
        Make.event(
          "stripe:evt_2", at: day(2), account: nil,
          Fact(.paymentLinked(PaymentLink()), references: ["stripe:in_1", "stripe:pi_1"])))
      for customer in ["user_1", "stripe:cus_1"] as [CustomerID] {
        #expect(
          code { try ledger.add(Self.note(9), if: .last(of: customer, is: 2)) }
            == .conditionFailed)
      }
      try ledger.add(Self.note(9), if: .last(of: "user_1" as CustomerID, is: 3))
      try ledger.add(Self.note(10), if: .last(of: "user_2" as CustomerID, is: 0))
    }
  }

  @Test func `conditions of one batch see what the batch has taken before them`() throws {
    try withLedger { ledger in
      let membership: MembershipID = "stripe:sub_1"
      let outcomes = ledger.append(
        contentsOf: (1...4).map {
          AppendRequest(
            Make.purchase(EventID(stringLiteral: "stripe:evt_\($0)")),
            if: .last(of: membership, is: 0))
        })
      #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, false, false])
    }
  }

  @Test func `a record of up to 65535 bytes is taken, a larger one refused`() throws {
    try withLedger { ledger in
      func event(_ size: Int) -> Event {
        var event = Self.note(1)
        event.reason = String(repeating: "r", count: size)
        return event
      }
      #expect(code { try ledger.add(event(65_535)) } == .invalidEvent)
      var (low, high) = (60_000, 65_535)
      while low + 1 < high {
        let middle = (low + high) / 2
        let record = RecordedEvent(position: 1, recordedAt: day(0), event: event(middle))
        if record.encoded().count <= 65_535 { low = middle } else { high = middle }
      }
      #expect(code { try ledger.add(event(high)) } == .invalidEvent)
      #expect(try ledger.add(event(low)).position == 1)
      try expectSound(ledger)
    }
  }

  @Test func `an event that could not be read again is refused, and others go on`() throws {
    try withLedger { ledger in
      var backwards = Make.purchase("stripe:evt_1")
      backwards.facts = [
        Fact(
          .purchased(Transaction(id: "stripe:t", period: days(9, 2), kind: .paid)),
          membership: "stripe:sub_1")
      ]
      var unnamed = Self.note(2)
      unnamed.facts = [Fact(.noted(Note(type: "")))]
      var future = Self.note(3)
      future.effectiveAt = .distantFuture
      var lost = Self.note(4)
      lost.facts = []
      var foreign = Self.note(5)
      foreign.environment = .unrecognized(300)
      let hostile = [backwards, unnamed, future, lost, foreign]
      for event in hostile { #expect(code { try ledger.add(event) } == .invalidEvent) }
      let outcomes = ledger.append(
        contentsOf: (hostile + [Self.note(6)]).map { AppendRequest($0) })
      #expect(outcomes.map { (try? $0.get())?.position } == [nil, nil, nil, nil, nil, 1])
      try expectSound(ledger)
    }
  }

  @Test func `an environment that the policy does not accept is refused`() throws {
    try withLedger { ledger in
      let policy = Policy(environments: [.production])
      try ledger.add(Make.purchase("stripe:evt_0", in: .sandbox))
      try ledger.add(
        Make.manual("manual:policy", at: day(-1), .policyRevised(PolicyRevision(policy: policy))))
      #expect(
        code { try ledger.add(Make.purchase("stripe:evt_1", in: .sandbox)) } == .invalidEvent)
      // What was taken before stays, and is answered as before.
      #expect(try ledger.add(Make.purchase("stripe:evt_0", in: .sandbox)).isDuplicate)
    }
  }
}
