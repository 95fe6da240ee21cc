import LedgerTestSupport
import MembershipLedger
import Testing

/// Everything that a ledger can be asked, by what was known at a position.
struct KnownAnswers: Equatable {
  let customers: [CustomerID]
  let memberships: [Membership]
  let timelines: [Timeline]
  let ofMemberships: [Timeline?]
  let holdings: [[EntitlementHolding]]
  let lineages: [Lineage?]
  let trials: [TrialUse?]
  let decisions: [Decision]
  let events: [EventID]
  let eventsOf: [[EventID]]
  let catalog: CatalogRevision?
  let policy: Policy

  init(_ known: KnownLedger, at instant: Timestamp) throws {
    let ids = (1...4).map { MembershipID(stringLiteral: "stripe:sub_\($0)") }
    customers = try known.customers()
    memberships = try known.memberships(at: instant)
    timelines = try RandomHistory.names.map { try known.timeline(of: $0, at: instant) }
    ofMemberships = try ids.map { try known.timeline(ofMembership: $0, at: instant) }
    lineages = try ids.map { try known.lineage(of: $0) }
    trials = try RandomHistory.names.map { try known.trialUse(of: $0, product: "pro") }
    decisions = try RandomHistory.names.flatMap { name in
      try RandomHistory.entitlements.map {
        try known.decision(for: name, on: $0, at: instant, explained: true)
      }
    }
    holdings = try RandomHistory.names.map { try known.entitlements(of: $0, at: instant) }
    events = try known.events().map(\.event.id)
    eventsOf =
      try RandomHistory.names.map { name in
        try known.events(matching: EventFilter(customer: name)).map(\.event.id)
      }
      + ids.map { id in
        try known.events(matching: EventFilter(membership: id)).map(\.event.id)
      }
    catalog = try known.catalog()
    policy = try known.policy(at: instant)
  }
}

@Suite("Law 15: every answer as known at a position stays") struct KnownAnswersTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `whatever is recorded afterwards`(_ seed: UInt64) throws {
    try withLedger { ledger in
      var history = RandomHistory(seed: seed)
      var answered: [(position: Position, answers: KnownAnswers)] = []
      for _ in 0..<3 {
        try ledger.add(all: history.events(8))
        let position = try ledger.lastPosition()
        let known = try ledger.asKnown(at: .position(position))
        answered.append((position, try KnownAnswers(known, at: day(17))))
        try Self.expectPresent(known, ledger)
      }
      for (position, answers) in answered {
        let again = try KnownAnswers(ledger.asKnown(at: .position(position)), at: day(17))
        #expect(again == answers, "seed \(seed), position \(position)")
      }
    }
  }

  /// What is known at the last position is what is answered now.
  static func expectPresent(_ known: KnownLedger, _ ledger: Ledger) throws {
    let instant = day(17)
    #expect(try known.customers() == ledger.customers())
    #expect(try known.memberships(at: instant) == ledger.memberships(at: instant))
    #expect(try known.events() == ledger.events())
    #expect(try known.catalog() == ledger.catalog())
    #expect(try known.catalog(at: instant) == ledger.catalog(at: instant))
    #expect(try known.policy(at: instant) == ledger.policy(at: instant))
    for name in RandomHistory.names {
      let filter = EventFilter(customer: name)
      #expect(try known.events(matching: filter) == ledger.events(matching: filter))
      #expect(
        try known.entitlements(of: name, at: instant) == ledger.entitlements(of: name, at: instant))
      #expect(
        try known.trialUse(of: name, product: "pro") == ledger.trialUse(of: name, product: "pro"))
      #expect(
        try known.timeline(of: name, at: instant) == ledger.timeline(of: name, at: instant))
    }
    for number in 1...4 {
      let id = MembershipID(stringLiteral: "stripe:sub_\(number)")
      let (then, now) = (
        try known.timeline(ofMembership: id, at: instant),
        try ledger.timeline(ofMembership: id, at: instant)
      )
      #expect(then == now)
      #expect(try known.lineage(of: id) == ledger.lineage(of: id))
    }
  }

  @Test func `an account was whose it was said to be, though another was named since`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      let grant = ManualGrant(id: "grant_1", entitlement: "premium", reason: "test")
      try ledger.add(
        Make.event(
          "manual:grant", at: day(1), account: nil, customer: "ann", provider: .manual,
          Fact(.granted(grant))))
      for (number, customer) in (["ann", "bob"] as [CustomerID]).enumerated() {
        try ledger.add(
          Make.event(
            EventID(stringLiteral: "stripe:evt_\(number)"), at: day(2 + Int64(number)),
            customer: customer, Fact(.noted(Note(type: "customer.updated")))))
      }
      let before = try ledger.asKnown(at: .position(3))
      #expect(try before.decision(for: "stripe:cus_1", on: "premium", at: day(5)).isEntitled)
      #expect(try !ledger.decision(for: "stripe:cus_1", on: "premium", at: day(5)).isEntitled)
      try expectSound(ledger)
    }
  }

  @Test func `a grant followed what it was said to follow, though it is given anew since`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      for (number, source) in (["stripe:sub_1", nil] as [MembershipID?]).enumerated() {
        let grant = ManualGrant(
          id: "grant_1", entitlement: "archive", reason: "test", follows: source)
        try ledger.add(
          Make.event(
            EventID(stringLiteral: "manual:grant-\(number)"), at: day(1), account: nil,
            customer: "ann", provider: .manual, Fact(.granted(grant))))
      }
      let before = try ledger.asKnown(at: .position(3))
      #expect(try before.decision(for: "ann", on: "archive", at: day(5)).isEntitled)
      #expect(try !before.decision(for: "ann", on: "archive", at: day(40)).isEntitled)
      #expect(try ledger.decision(for: "ann", on: "archive", at: day(40)).isEntitled)
    }
  }

  @Test func `what came to belong to a customer later is not among what was known`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      let before = try ledger.asKnown(at: .position(ledger.lastPosition()))
      let link = AccountLink(account: "stripe:cus_1", customer: "ann")
      try ledger.add(Make.manual("manual:link", at: day(2), .accountLinked(link)))
      let filter = EventFilter(customer: "ann")
      #expect(try ledger.events(matching: filter).count == 2)
      #expect(try before.events(matching: filter).isEmpty)
    }
  }

  @Test func `a fact from before moves the past in effect and leaves the past known`() throws {
    try withLedger { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"))
      let before = try ledger.asKnown(at: .position(ledger.lastPosition()))
      try ledger.add(
        Make.change("stripe:evt_2", at: 10, .ended(End(at: day(10), reason: .cancelled))))
      let later = Catalog(entitlements: [.init(key: "other")], products: [])
      try ledger.add(Make.catalogEvent("manual:c2", later, at: day(50)))
      func ends(_ timeline: Timeline) -> [Timestamp?] {
        timeline.segments.filter { !$0.entitlements.isEmpty }.map(\.until)
      }
      #expect(ends(try ledger.timeline(of: "stripe:cus_1", at: day(20))) == [day(10)])
      #expect(ends(try before.timeline(of: "stripe:cus_1", at: day(20))) == [day(31)])
      let known = try before.timeline(ofMembership: "stripe:sub_1", at: day(20))
      #expect(known.map(ends) == [day(31)])
      #expect(try before.timeline(ofMembership: "stripe:sub_9") == nil)
      #expect(try before.memberships(of: "stripe:cus_1", at: day(20)).first?.isActive == true)
      #expect(try ledger.memberships(of: "stripe:cus_1", at: day(20)).first?.isActive == false)
      #expect(try before.catalog()?.catalog == Make.catalog)
      #expect(try ledger.catalog()?.catalog != Make.catalog)
      #expect(try before.events(after: Position(1), limit: 5).map(\.event.id) == ["stripe:evt_1"])
    }
  }
}
