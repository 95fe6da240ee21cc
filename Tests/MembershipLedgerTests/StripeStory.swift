import LedgerTestSupport
import MembershipLedger
import Testing

/// Webhooks that arrive in every telling order, once and twice, and what must come of them.
struct StripeStory {
  let hooks: [StripeHook]
  /// Events of our own that stand before the webhooks.
  var before: [Event] = [Make.catalogEvent()]

  func expect(
    _ location: SourceLocation = #_sourceLocation, _ body: (Answers) throws -> Void
  ) throws {
    try Story(events: hooks.map { $0.events() }, before: before).expect(location, body)
  }
}

/// Documents of any provider that arrive in every telling order, once and twice.
struct Story {
  /// The events of each document.
  let events: [[Event]]
  /// Events of our own that stand before them.
  let before: [Event]
  /// Whose access is asked about where nobody is named.
  var customer: CustomerID = "stripe:cus_1"

  /// Runs `body` over a ledger for each order, after the first delivery and after a second.
  func expect(
    _ location: SourceLocation = #_sourceLocation, _ body: (Answers) throws -> Void
  ) throws {
    for order in Self.orders(of: events.count) {
      try withLedger { ledger in
        try ledger.add(all: before)
        let delivery = order.flatMap { events[$0] }
        for deliveries in [delivery, delivery.reversed()] {
          let outcomes = ledger.append(contentsOf: deliveries.map { AppendRequest($0) })
          for outcome in outcomes { _ = try outcome.get() }
          try body(
            Answers(ledger: ledger, order: order, location: location, customer: customer))
        }
        #expect(try ledger.replay().differences == [], sourceLocation: location)
      }
    }
  }

  /// All orders of up to three; of more, both directions and some shuffles.
  private static func orders(of count: Int) -> [[Int]] {
    let forwards = Array(0..<count)
    if count < 2 { return [forwards] }
    if count == 2 { return [forwards, [1, 0]] }
    if count == 3 {
      return [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    }
    var random = SeededGenerator(seed: UInt64(count))
    return [forwards, forwards.reversed()] + (0..<4).map { _ in forwards.shuffled(using: &random) }
  }
}

/// Questions to a ledger, whose answers are expected; a failure names the order of arrival.
struct Answers {
  let ledger: Ledger
  let order: [Int]
  let location: SourceLocation
  /// Whom the questions are about where nobody is named.
  let customer: CustomerID

  func decision(
    _ at: Double, _ key: EntitlementKey = "premium", of customer: CustomerID? = nil
  ) throws -> Decision {
    let customer = customer ?? self.customer
    let instant = Timestamp(seconds: StripeHook.second(at))
    let decision = try ledger.decision(for: customer, on: key, at: instant)
    let checked = try ledger.isEntitled(
      customer.rawValue, to: ledger.entitlement(key), at: instant)
    #expect(checked == decision.isEntitled, "order \(order)", sourceLocation: location)
    return decision
  }

  /// Expects access on some days and none on others.
  func expect(
    _ key: EntitlementKey = "premium", of customer: CustomerID? = nil,
    on given: [Double] = [], notOn denied: [Double] = []
  ) throws {
    for (days, expected) in [(given, true), (denied, false)] {
      for day in days {
        let answer = try decision(day, key, of: customer)
        #expect(
          answer.isEntitled == expected, "day \(day): \(answer.reason), order \(order)",
          sourceLocation: location)
      }
    }
  }

  func expect(_ reason: DecisionReason, on at: Double) throws {
    let answer = try decision(at)
    #expect(answer.reason == reason, "day \(at), order \(order)", sourceLocation: location)
  }

  func memberships(_ at: Double, of customer: CustomerID? = nil) throws -> [Membership] {
    try ledger.memberships(
      of: customer ?? self.customer, at: Timestamp(seconds: StripeHook.second(at)))
  }

  /// The one membership.
  func membership(_ at: Double, of customer: CustomerID? = nil) throws -> Membership {
    let found = try memberships(at, of: customer)
    #expect(found.count == 1, "order \(order)", sourceLocation: location)
    return try #require(found.first, sourceLocation: location)
  }
}
