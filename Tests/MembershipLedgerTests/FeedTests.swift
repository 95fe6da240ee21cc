import LedgerTestSupport
import MembershipLedger
import Testing

/// What enters the feed of changes, and what does not.
@Suite struct FeedTests {
  /// A change as short as tests like it: who, what, when, why.
  private static func lines(
    _ ledger: Ledger, of customer: CustomerID? = nil, in environment: Environment? = .production
  ) throws -> [String] {
    try ledger.entitlementChanges(limit: .max, of: customer, in: environment).map { change in
      let flips = change.gained.map { "+\($0)" } + change.lost.map { "-\($0)" }
      let days = (change.at.milliseconds - day(0).milliseconds) / 86_400_000
      let heir = change.leadsTo.map { " to \($0)" } ?? ""
      let cause = change.cause.event?.rawValue ?? "time"
      return "\(change.customer) day \(days) \(flips.joined(separator: " "))\(heir): \(cause)"
    }
  }

  private static func basic(
    _ id: EventID, _ period: Period, invoice: ReferenceID = "stripe:in_1",
    account: AccountID = "stripe:cus_1", of membership: MembershipID = "stripe:sub_1",
    in environment: Environment = .production
  ) -> Event {
    Make.purchase(
      id, of: membership, account: account, period, invoice: invoice, product: "prod_basic",
      in: environment)
  }

  @Test func `a purchase is gained with its event, and lost when time has come`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      clock.instant = day(40)
      #expect(try Self.lines(ledger) == ["stripe:cus_1 day 1 +archive +premium: stripe:evt_1"])
      let report = try ledger.settleNow()
      #expect((report.changes, report.events, report.upTo) == (1, 1, day(40)))
      let changes = try ledger.allChanges()
      #expect(changes.count == 2)
      #expect(changes.last?.lost == ["archive", "premium"])
      #expect(changes.last?.at == day(31))
      #expect(changes.last?.cause == .time)
      #expect(changes.last?.position == 3)
      #expect(changes.last?.recordedAt == day(40))
      #expect(
        try ledger.events(after: 2, limit: 9).map(\.event.facts.first?.body) == [
          .settled(Settlement(upTo: day(40)))
        ])
      try expectSound(ledger)
    }
  }

  @Test func `PEER-55: each course of a membership makes the changes that are published`() throws {
    let clock = TestClock(day(1))
    func step(_ ledger: Ledger, _ number: Int64, _ event: Event) throws -> [String] {
      clock.instant = day(number)
      let last = try ledger.allChanges().count
      try ledger.settleNow()
      try ledger.add(event)
      return try Array(Self.lines(ledger).dropFirst(last))
    }
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      func change(_ id: EventID, at number: Int64, _ body: Fact.Body) -> Event {
        Make.event(id, at: day(number), Fact(body, membership: "stripe:sub_1"))
      }
      let who = "stripe:cus_1 day"
      #expect(
        try step(ledger, 1, Self.basic("stripe:buy", days(1, 31)))
          == ["\(who) 1 +premium: stripe:buy"])
      #expect(
        try step(ledger, 30, Self.basic("stripe:intime", days(31, 61), invoice: "stripe:in_2"))
          == [])
      let late = Self.basic("stripe:late", days(61, 91), invoice: "stripe:in_3")
      #expect(
        try step(ledger, 63, late)
          == ["\(who) 61 -premium: time", "\(who) 63 +premium: stripe:late"])
      let schedule = CancellationSchedule(effectiveAt: day(91))
      #expect(
        try step(ledger, 70, change("stripe:c", at: 70, .cancellationScheduled(schedule))) == [])
      #expect(
        try step(ledger, 71, change("stripe:w", at: 71, .cancellationWithdrawn(Withdrawal()))) == []
      )
      #expect(
        try step(ledger, 72, change("stripe:d", at: 72, .cancellationScheduled(schedule))) == [])
      let end = End(at: day(91), reason: .cancelled)
      #expect(
        try step(ledger, 92, change("stripe:e", at: 91, .ended(end)))
          == ["\(who) 91 -premium: time"])
      let again = Self.basic("stripe:again", days(100, 130), invoice: "stripe:in_4")
      #expect(try step(ledger, 100, again) == ["\(who) 100 +premium: stripe:again"])
      let early = End(at: day(110), reason: .cancelled)
      #expect(
        try step(ledger, 110, change("stripe:f", at: 110, .ended(early)))
          == ["\(who) 110 -premium: stripe:f"])
      try expectSound(ledger)
    }
  }

  @Test func `where nothing is to settle, nothing is recorded`() throws {
    let clock = TestClock(day(40))
    try withLedger(clock) { ledger in
      #expect(try ledger.settleNow().events == 0)
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1", days(35, 65)))
      for _ in 0..<3 {
        #expect(try ledger.settleNow() == ledger.settleNow(upTo: day(40)))
      }
      clock.instant = day(66)
      #expect(try ledger.settleNow(upTo: day(64)).events == 0)
      #expect(try ledger.settleNow(upTo: day(65)).events == 1)
      #expect(try ledger.settleNow().events == 0)
      #expect(try ledger.lastPosition() == 3)
    }
  }

  @Test func `a renewal in time makes no change, whatever the order of arrival`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Self.basic("stripe:evt_2", days(31, 61), invoice: "stripe:in_2"))
      try ledger.add(Self.basic("stripe:evt_1", days(1, 31)))
      clock.instant = day(60)
      try ledger.add(Self.basic("stripe:evt_3", days(61, 91), invoice: "stripe:in_3"))
      try ledger.settleNow()
      #expect(try Self.lines(ledger) == ["stripe:cus_1 day 1 +premium: stripe:evt_1"])
    }
  }

  @Test func `a renewal that comes late ends a gap that there was, and tells of none twice`() throws
  {
    for settles in [true, false] {
      let clock = TestClock(day(1))
      try withLedger(clock) { ledger in
        try ledger.add(Make.catalogEvent())
        try ledger.add(Self.basic("stripe:evt_1", days(1, 31)))
        clock.instant = day(33)
        if settles { try ledger.settleNow() }
        try ledger.add(Self.basic("stripe:evt_2", days(31, 61), invoice: "stripe:in_2"))
        #expect(
          try Self.lines(ledger) == [
            "stripe:cus_1 day 1 +premium: stripe:evt_1", "stripe:cus_1 day 31 -premium: time",
            "stripe:cus_1 day 33 +premium: stripe:evt_2",
          ])
        // Backdated further, it changes nothing for those who heard of it.
        try ledger.add(Self.basic("stripe:evt_0", days(-29, 1), invoice: "stripe:in_0"))
        #expect(try ledger.allChanges().count == 3)
      }
    }
  }

  @Test func `a refund takes access when it is recorded, though it held before`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Self.basic("stripe:evt_1", days(1, 31)))
      clock.instant = day(9)
      let paid = Money(minorUnits: 999, currency: "USD")
      try ledger.add(
        Make.event(
          "stripe:evt_2", at: day(5), account: nil,
          Fact(.refunded(Refund(amount: paid, paid: paid)), references: ["stripe:in_1"])))
      clock.instant = day(50)
      try ledger.settleNow()
      #expect(
        try Self.lines(ledger) == [
          "stripe:cus_1 day 1 +premium: stripe:evt_1",
          "stripe:cus_1 day 9 -premium: stripe:evt_2",
        ])
    }
  }

  @Test func `a transfer takes from one and gives to the other in one event`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Self.basic("stripe:evt_1", days(1, 31)))
      clock.instant = day(10)
      try ledger.add(
        Make.event(
          "manual:move", at: day(10), account: nil, provider: .manual,
          Fact(.transferred(Transfer(to: "user_2")), membership: "stripe:sub_1")))
      let changes = try ledger.allChanges().suffix(2)
      #expect(changes.map(\.position) == [3, 3])
      #expect(
        try Self.lines(ledger).suffix(2) == [
          "stripe:cus_1 day 10 -premium: manual:move", "user_2 day 10 +premium: manual:move",
        ])
    }
  }

  @Test func `a name that is linked or merged loses to the name that it leads to`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Self.basic("stripe:evt_1", days(1, 31)))
      let merge = CustomerMerge(from: "user_1", into: "user_2")
      try ledger.add(
        Make.manual(
          "manual:l", .accountLinked(AccountLink(account: "stripe:cus_1", customer: "user_1"))))
      try ledger.add(Make.manual("manual:m", .customersMerged(merge)))
      try ledger.add(Make.manual("manual:u", .mergeUndone(merge)))
      #expect(
        try Self.lines(ledger) == [
          "stripe:cus_1 day 1 +premium: stripe:evt_1",
          "stripe:cus_1 day 1 -premium to user_1: manual:l", "user_1 day 1 +premium: manual:l",
          "user_1 day 1 -premium to user_2: manual:m", "user_2 day 1 +premium: manual:m",
          "user_1 day 1 +premium: manual:u", "user_2 day 1 -premium: manual:u",
        ])
      #expect(try Self.lines(ledger, of: "user_2").count == 2)
      // What time takes, it takes from the one who has it.
      clock.instant = day(31)
      try ledger.settleNow()
      #expect(try Self.lines(ledger).last == "user_1 day 31 -premium: time")
    }
  }

  @Test func `what is given for later is gained by time`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.grant("g", of: "premium", to: "user_1", from: day(5), until: day(7)))
      try ledger.add(Make.grant("h", of: "premium", to: "user_1", from: day(7), until: day(8)))
      try ledger.add(Make.grant("i", of: "archive", to: "user_1", from: day(8), until: day(9)))
      clock.instant = day(20)
      try ledger.settleNow()
      #expect(
        try Self.lines(ledger) == [
          "user_1 day 5 +premium: time", "user_1 day 8 +archive -premium: time",
          "user_1 day 9 -archive: time",
        ])
    }
  }

  @Test func `a revision of the catalog tells of each customer, by name`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      for number in [3, 1, 2] {
        try ledger.add(
          Self.basic(
            EventID(stringLiteral: "stripe:evt_\(number)"), days(1, 31),
            invoice: ReferenceID(stringLiteral: "stripe:in_\(number)"),
            account: AccountID(stringLiteral: "stripe:cus_\(number)"),
            of: MembershipID(stringLiteral: "stripe:sub_\(number)")))
      }
      var catalog = Make.catalog
      catalog.products[1].entitlements = ["archive"]
      try ledger.add(
        Make.catalogEvent("manual:catalog-2", catalog, appliesTo: .everyone, at: day(1)))
      #expect(
        try Self.lines(ledger).suffix(3)
          == (1...3).map { "stripe:cus_\($0) day 1 +archive -premium: manual:catalog-2" })
    }
  }

  @Test func `sandbox changes stand apart`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Self.basic("stripe:evt_1", days(1, 31), in: .sandbox))
      try ledger.add(Self.basic("stripe:evt_2", days(1, 31), invoice: "stripe:in_2"))
      clock.instant = day(40)
      try ledger.settleNow()
      #expect(
        try Self.lines(ledger) == [
          "stripe:cus_1 day 1 +premium: stripe:evt_2", "stripe:cus_1 day 31 -premium: time",
        ])
      #expect(
        try Self.lines(ledger, in: .sandbox) == [
          "stripe:cus_1 day 1 +premium: stripe:evt_1", "stripe:cus_1 day 31 -premium: time",
        ])
      let all = try ledger.allChanges()
      #expect(all.map(\.customerSequence) == [1, 1, 2, 2])
      #expect(try ledger.entitlementChanges(limit: 9, of: "stripe:cus_1", in: nil) == all)
    }
  }

  @Test func `it is read on from a cursor, page by page, as a whole and by name`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      try ledger.add(Make.catalogEvent())
      for number in 0..<30 {
        let customer: CustomerID = number % 3 == 0 ? "user_1" : "user_2"
        try ledger.add(
          Make.grant(
            GrantID(stringLiteral: "g\(number)"), of: "premium", to: customer,
            from: day(Int64(number + 2)), until: day(Int64(number + 2)).adding(milliseconds: 1)))
      }
      clock.instant = day(99)
      try ledger.settleNow()
      let all = try ledger.allChanges()
      #expect(all.count == 60)
      for customer in [nil, "user_1", "user_2", "user_3"] as [CustomerID?] {
        let expected = all.filter { $0.customer == customer ?? $0.customer }
        for cursor in [0, 1, 17, 59, 60] as [UInt64] {
          let rest = expected.filter { $0.sequence > cursor }
          for limit in [0, 1, 7, 1000] {
            let page = try ledger.entitlementChanges(after: cursor, limit: limit, of: customer)
            #expect(page == Array(rest.prefix(limit)))
          }
        }
      }
    }
  }

  @Test func `a name too long to stand in a key has its changes like any other`() throws {
    let clock = TestClock(day(1))
    try withLedger(clock) { ledger in
      let names = ["a", "b"].map { CustomerID(stringLiteral: String(repeating: $0, count: 511)) }
      for (index, name) in names.enumerated() {
        try ledger.add(
          Make.grant(
            GrantID(stringLiteral: "g\(index)"), of: "premium", to: name, until: day(3)))
      }
      clock.instant = day(4)
      try ledger.settleNow()
      for name in names {
        let changes = try ledger.entitlementChanges(limit: 9, of: name)
        #expect(changes.map(\.customer) == [name, name])
        #expect(changes.map(\.customerSequence) == [1, 2])
      }
      try expectSound(ledger)
    }
  }
}
