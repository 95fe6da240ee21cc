import LedgerTestSupport
import MembershipLedger
import Testing

/// Runs `body` on ledgers that were told a case in each of two orders, and each event twice.
func withCase(
  _ events: [Event], at now: Timestamp = day(0), _ location: SourceLocation = #_sourceLocation,
  _ body: (Ledger) throws -> Void
) throws {
  for order in [events, events.reversed()] {
    try withLedger(TestClock(now)) { ledger in
      try ledger.add(Make.catalogEvent())
      try ledger.add(all: order)
      try ledger.add(all: order)
      try body(ledger)
      #expect(try ledger.replay().differences == [], sourceLocation: location)
    }
  }
}

/// Expects that an entitlement is had on some days and not on others, by each way of asking.
func expectAccess(
  _ ledger: Ledger, _ key: EntitlementKey = "premium", of customer: String = "stripe:cus_1",
  on given: [Int64] = [], notOn denied: [Int64] = [],
  _ location: SourceLocation = #_sourceLocation
) throws {
  let entitlement = try ledger.entitlement(key)
  for (days, expected) in [(given, true), (denied, false)] {
    for number in days {
      #expect(
        try ledger.isEntitled(customer, to: entitlement, at: day(number)) == expected,
        "day \(number)", sourceLocation: location)
      let decision = try ledger.decision(
        for: CustomerID(stringLiteral: customer), on: key, at: day(number))
      #expect(decision.isEntitled == expected, "day \(number)", sourceLocation: location)
    }
  }
}

extension Make {
  /// An event of a store's about one membership.
  static func change(
    _ id: EventID, at number: Int64, of membership: MembershipID = "stripe:sub_1",
    account: AccountID? = "stripe:cus_1", _ bodies: Fact.Body...
  ) -> Event {
    var event = Make.event(id, at: day(number), account: account)
    event.facts = bodies.map { Fact($0, membership: membership) }
    return event
  }
}
