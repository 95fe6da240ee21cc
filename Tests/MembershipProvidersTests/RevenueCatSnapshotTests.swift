import MembershipModel
import MembershipProviders
import Testing

/// Subscriber objects and rows of an export.
@Suite struct RevenueCatSnapshotTests {
  typealias R = RevenueCatFixture

  private let month = Period(start: R.at(R.january), end: R.at(R.february))

  @Test func `each purchase of a subscriber is an event of its own`() throws {
    let events = R.events(
      in: R.subscriber(
        subscriptions: [
          "com.example.pro.monthly": R.subscription(),
          "com.example.max.monthly": R.subscription(["is_sandbox": true]),
        ],
        single: [
          "lifetime": [
            [
              "id": "a1", "purchase_date": "2026-01-03T00:00:00Z", "store": "app_store",
              "is_sandbox": false, "store_transaction_id": "2000000009",
            ]
          ]
        ]))
    #expect(events.map(\.environment) == [.production, .sandbox, .production])
    #expect(events.allSatisfy { $0.customer == "user_42" && $0.provenance.origin == .reconcile })
    #expect(events.flatMap(\.facts.transactions).map(\.kind) == [.paid, .paid, .oneTime])
    #expect(events[0].facts.transactions.map(\.period) == [month])
    #expect(events[0].effectiveAt == R.at(1_768_435_200_000))
    // What never ends was bought when it says, not when it was seen.
    #expect(events[2].effectiveAt == R.at(R.january + 2 * R.day))
    #expect(events[2].ordering.writtenAt == R.at(1_768_435_200_000))
    #expect(events[2].facts.first?.membership == "app-store:2000000009")
    #expect(Set(events.map(\.id)).count == 3)
  }

  @Test func `the same answer gives the same events, however its fields are ordered`() throws {
    let one = R.subscriber(subscriptions: ["pro": R.subscription()])
    let fields = R.subscription().fields ?? []
    let other = R.subscriber(subscriptions: ["pro": .object(fields.reversed())])
    #expect(R.events(in: one) == R.events(in: other))
    let later = R.subscriber(
      subscriptions: ["pro": R.subscription()], ["request_date_ms": 1_768_435_200_001])
    #expect(R.events(in: one).map(\.id) != R.events(in: later).map(\.id))
  }

  @Test func `what is to come shows`() throws {
    func bodies(_ changes: JSONValue) throws -> [String] {
      try R.event(in: R.subscriber(subscriptions: ["pro": R.subscription(changes)]))
        .facts.map(\.body.name).filter { $0 != "accountLinked" }
    }
    #expect(try bodies([:]) == ["purchased", "observed"])
    #expect(
      try bodies(["unsubscribe_detected_at": "2026-01-02T00:00:00Z"])
        == ["purchased", "observed", "cancellationScheduled"])
    #expect(
      try bodies([
        "billing_issues_detected_at": "2026-01-31T00:00:00Z",
        "unsubscribe_detected_at": "2026-01-31T00:00:00Z",
        "grace_period_expires_date": "2026-02-07T00:00:00Z",
      ]) == ["purchased", "observed", "paymentFailed"])
    #expect(
      try bodies(["refunded_at": "2026-01-02T00:00:00Z"]) == ["purchased", "observed", "refunded"])
    #expect(
      try bodies(["auto_resume_date": "2026-03-01T00:00:00Z"])
        == ["purchased", "observed", "paused"])
    #expect(
      try bodies(["original_purchase_date": "2025-12-01T00:00:00Z"]) == ["renewed", "observed"])
    #expect(try bodies(["expires_date": nil]) == ["noted"])
    #expect(try bodies(["store_transaction_id": nil]) == ["noted"])
  }

  @Test func `a subscriber who bought nothing is noted`() throws {
    let event = try R.event(in: R.subscriber())
    #expect(event.facts.notes.map(\.reason) == ["the subscriber has bought nothing"])
    #expect(event.account == "revenuecat:user_42")
  }

  @Test func `a row goes by the ids of its store and is marked as an import`() throws {
    let event = try R.event(in: R.row())
    #expect(event.provenance.origin == .import)
    #expect(event.customer == "user_42")
    #expect(event.effectiveAt == R.at(R.january + R.day))
    #expect(
      event.facts.map(\.body.name) == ["renewed", "observed", "accountLinked", "accountLinked"])
    #expect(event.facts.first?.membership == "app-store:2000000001")
    #expect(event.facts.first?.references == ["app-store:2000000002"])
    #expect(
      event.facts.transactions == [
        Transaction(
          id: "app-store:2000000002", offer: Offer(product: "com.example.pro.monthly"),
          period: month, kind: .paid, amount: Money(minorUnits: 999, currency: "EUR"))
      ])
  }

  @Test func `a row and a webhook state the same transaction`() throws {
    let row = try R.event(in: R.row()).facts
    let hook = try R.event(in: R.webhook("RENEWAL")).facts
    #expect(row.transactions == hook.transactions)
    #expect(row.first?.membership == hook.first?.membership)
    #expect(row.first?.references == hook.first?.references)
  }

  @Test func `an amended row is another event, and the same row is the same`() throws {
    let first = try R.event(in: R.row())
    let refunded = try R.event(
      in: R.row(["refunded_at": "2026-01-05 10:00:00", "updated_at": "2026-01-05 11:00:00"]))
    #expect(first.id != refunded.id)
    #expect(refunded.effectiveAt > first.effectiveAt)
    #expect(refunded.facts.contains { $0.body.name == "refunded" })
    #expect(try R.event(in: R.row()) == first)
  }

  @Test func `trials, offers, gifts and single purchases are told apart`() throws {
    func kinds(_ changes: JSONValue) throws -> [TransactionKind] {
      try R.event(in: R.row(changes)).facts.transactions.map(\.kind)
    }
    #expect(try kinds(["is_trial_period": "true"]) == [.trial])
    #expect(try kinds(["is_in_intro_offer_period": "TRUE"]) == [.intro])
    #expect(try kinds(["store": "promotional"]) == [.free])
    #expect(try kinds(["store": "promotional", "end_time": ""]) == [.oneTime])
    #expect(try kinds(["is_auto_renewable": "false", "end_time": ""]) == [.oneTime])
    #expect(try kinds(["price_in_purchased_currency": "0"]) == [.free])
    #expect(try kinds(["end_time": ""]) == [])
    #expect(try kinds(["end_time": "2025-12-31 00:00:00"]) == [])
    #expect(try kinds(["start_time": ""]) == [])
  }

  @Test func `a cell that cannot be read is told of, and the rest stands`() throws {
    let facts = try R.event(in: R.row(["renewal_number": "second", "refunded_at": "soon"])).facts
    #expect(facts.transactions.count == 1)
    #expect(
      facts.notes.map(\.reason) == [
        "renewal_number is no whole number; refunded_at is no time in UTC"
      ])
  }
}
