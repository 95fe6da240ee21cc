import MembershipModel
import MembershipProviders
import Testing

/// What each event type becomes.
@Suite struct RevenueCatEventTests {
  typealias R = RevenueCatFixture

  static let membership: MembershipID = "app-store:2000000001"
  static let transaction: TransactionID = "app-store:2000000002"
  static let reference: ReferenceID = "app-store:2000000002"
  static let offer = Offer(product: "com.example.pro.monthly")
  static let month = Period(start: R.at(R.january), end: R.at(R.february))
  static let price = Money(minorUnits: 999, currency: "EUR")

  static func period(_ kind: TransactionKind, _ amount: Money? = price) -> Transaction {
    Transaction(id: transaction, offer: offer, period: month, kind: kind, amount: amount)
  }

  static func shown(_ status: String, _ standing: Standing = .active) -> Fact {
    Fact(
      .observed(
        Observation(
          status: status, standing: standing, at: R.at(R.january), isRenewing: true,
          items: [ObservedItem(offer: offer)])),
      membership: membership)
  }

  static func paid(_ body: Fact.Body) -> Fact {
    Fact(body, membership: membership, references: [reference])
  }

  static func own(_ body: Fact.Body) -> Fact { Fact(body, membership: membership) }

  static func noted(_ type: String, _ subject: String = "2000000002", _ reason: String = "") -> Fact
  {
    Fact(.noted(Note(type: type, subject: subject, reason: reason)))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let type: String
    let changes: JSONValue
    let facts: [Fact]
    var testDescription: String { type }

    init(_ type: String, _ changes: JSONValue, _ facts: [Fact]) {
      (self.type, self.changes, self.facts) = (type, changes, facts)
    }

    init(_ type: String, _ facts: [Fact]) {
      self.init(type, [:], facts)
    }
  }

  static let rows = purchases + ends + changes

  static let purchases: [Row] = [
    Row(
      "INITIAL_PURCHASE", [paid(.purchased(period(.paid))), shown("normal")]),
    Row(
      "INITIAL_PURCHASE",
      ["period_type": "TRIAL", "price": 0, "price_in_purchased_currency": 0],
      [
        paid(.purchased(period(.trial, Money(minorUnits: 0, currency: "EUR")))),
        shown("trial", .trialing),
      ]),
    Row(
      "INITIAL_PURCHASE", ["period_type": "INTRO"],
      [paid(.purchased(period(.intro))), shown("intro")]),
    Row("RENEWAL", [paid(.renewed(period(.paid))), shown("normal")]),
    Row(
      "RENEWAL", ["price": nil, "price_in_purchased_currency": nil],
      [paid(.renewed(period(.paid, nil))), shown("normal")]),
    Row(
      "RENEWAL", ["period_type": "SEASON"],
      [noted("RENEWAL", "2000000002", "the period type \"season\" is not known")]),
    Row(
      "NON_RENEWING_PURCHASE", ["expiration_at_ms": nil],
      [
        paid(
          .purchased(
            Transaction(
              id: transaction, offer: offer, period: nil, kind: .oneTime, amount: price)))
      ]),
    Row("NON_RENEWING_PURCHASE", [paid(.purchased(period(.oneTime)))]),
  ]

  static let ends: [Row] = [
    Row(
      "CANCELLATION", ["cancel_reason": "UNSUBSCRIBE"],
      [
        own(
          .cancellationScheduled(
            CancellationSchedule(effectiveAt: R.at(R.february), reason: "UNSUBSCRIBE")))
      ]),
    Row(
      "CANCELLATION", ["cancel_reason": "BILLING_ERROR"],
      [
        noted(
          "CANCELLATION", "2000000002",
          "a failed payment ends nothing by itself: BILLING_ISSUE tells of its grace")
      ]),
    Row(
      "CANCELLATION",
      [
        "cancel_reason": "CUSTOMER_SUPPORT", "price": R.number("-10.42"),
        "price_in_purchased_currency": R.number("-9.99"),
        "expiration_at_ms": .integer(R.january + 4000),
      ],
      [
        paid(
          .refunded(
            Refund(
              amount: price, revokes: true, at: R.at(R.january + 4000), transaction: transaction)))
      ]),
  ]

  static let changes: [Row] = [
    Row("UNCANCELLATION", [own(.cancellationWithdrawn(Withdrawal()))]),
    Row(
      "BILLING_ISSUE", ["grace_period_expiration_at_ms": .integer(R.february + 3 * R.day)],
      [
        own(
          .paymentFailed(
            PaymentFailure(
              period: Period(start: R.at(R.february), end: R.at(R.february + 3 * R.day)),
              graceUntil: R.at(R.february + 3 * R.day))))
      ]),
    Row(
      "BILLING_ISSUE",
      [
        own(
          .paymentFailed(
            PaymentFailure(period: Period(start: R.at(R.february), end: R.at(R.february)))))
      ]),
    Row(
      "EXPIRATION", ["expiration_reason": "UNSUBSCRIBE"],
      [own(.ended(End(at: R.at(R.february), reason: .cancelled)))]),
    Row(
      "EXPIRATION", ["expiration_reason": "BILLING_ERROR"],
      [own(.ended(End(at: R.at(R.february), reason: .paymentFailed)))]),
    Row(
      "EXPIRATION", ["expiration_reason": "SOMETHING_NEW"],
      [own(.ended(End(at: R.at(R.february), reason: .expired)))]),
    Row(
      "EXPIRATION",
      [
        "expiration_reason": "CUSTOMER_SUPPORT", "expiration_at_ms": .integer(R.january + 4000),
        "price": 0, "price_in_purchased_currency": 0,
      ],
      [
        paid(
          .refunded(
            Refund(
              amount: Money(minorUnits: 0, currency: "XXX"), revokes: true,
              at: R.at(R.january + 4000), transaction: transaction)))
      ]),
    Row(
      "EXPIRATION",
      ["expiration_reason": "SUBSCRIPTION_PAUSED", "auto_resume_at_ms": .integer(R.march)],
      [
        own(
          .paused(Pause(cause: "subscription", at: R.at(R.february), resumesAt: R.at(R.march))))
      ]),
    Row(
      "SUBSCRIPTION_PAUSED", ["auto_resume_at_ms": .integer(R.march)],
      [
        own(
          .paused(Pause(cause: "subscription", at: R.at(R.february), resumesAt: R.at(R.march))))
      ]),
    Row(
      "PRODUCT_CHANGE", ["new_product_id": "com.example.max.monthly"],
      [
        own(
          .planChangeScheduled(
            PlanChange(
              at: R.at(R.february), from: offer, to: Offer(product: "com.example.max.monthly"))))
      ]),
    Row(
      "PRODUCT_CHANGE", ["new_product_id": nil],
      [
        noted(
          "PRODUCT_CHANGE", "2000000002",
          "the event does not say what is changed to: its purchase shows it")
      ]),
    Row(
      "SUBSCRIPTION_EXTENDED", ["expiration_at_ms": .integer(R.march)],
      [own(.extended(Extension(transaction: transaction, until: R.at(R.march))))]),
    Row(
      "REFUND_REVERSED",
      [paid(.refundReversed(RefundReversal(transaction: transaction)))]),
    Row(
      "TEMPORARY_ENTITLEMENT_GRANT", ["expiration_at_ms": .integer(R.january + R.day)],
      [
        paid(
          .purchased(
            Transaction(
              id: transaction, offer: offer,
              period: Period(start: R.at(R.january), end: R.at(R.january + R.day)), kind: .free,
              amount: price)))
      ]),
    Row("TEST", [noted("TEST")]),
    Row("INVOICE_ISSUANCE", [noted("INVOICE_ISSUANCE")]),
    Row("EXPERIMENT_ENROLLMENT", [noted("EXPERIMENT_ENROLLMENT")]),
    Row("VIRTUAL_CURRENCY_TRANSACTION", [noted("VIRTUAL_CURRENCY_TRANSACTION")]),
    Row("SUBSCRIBER_ALIAS", []),
    Row("PAYWALL_CLOSED", [noted("PAYWALL_CLOSED")]),
  ]

  @Test(arguments: rows)
  func `each event type states its facts`(row: Row) throws {
    #expect(try R.facts(row.type, row.changes) == row.facts)
  }

  @Test func `every type of the table has a row here`() {
    #expect(
      Set(Self.rows.map(\.type)).union(["TRANSFER"]).isSuperset(
        of: RevenueCatDocumentationTests.types))
  }

  @Test func `a purchase happened when it was made, and was written when it was told of`() throws {
    let event = try R.event(in: R.webhook("INITIAL_PURCHASE"))
    #expect(event.id == "revenuecat:ev_1")
    #expect(event.provider == .revenueCat)
    #expect(event.environment == .production)
    #expect(event.effectiveAt == R.at(R.january))
    #expect(event.ordering == SourceOrdering(writtenAt: R.at(R.january + 5000)))
    #expect(event.provenance.origin == .webhook)
    let other = try R.event(in: R.webhook("UNCANCELLATION"))
    #expect(other.effectiveAt == R.at(R.january + 5000))
    #expect(other.ordering == SourceOrdering())
  }

  @Test func `a renewal is told of before its period begins`() throws {
    let early = try R.event(
      in: R.webhook("RENEWAL", ["event_timestamp_ms": .integer(R.january - R.day)]))
    #expect(early.effectiveAt == R.at(R.january))
    #expect(early.ordering.writtenAt == R.at(R.january - R.day))
  }

  @Test func `a purchase of a family member is shared`() throws {
    let facts = try R.facts("INITIAL_PURCHASE", ["is_family_share": true])
    #expect(facts.transactions.map(\.ownership) == [.familyShared])
  }

  @Test(arguments: [JSONValue.null, "SANDBOX", "production", 1])
  func `what does not say that its money is real is of the sandbox`(place: JSONValue) throws {
    #expect(
      try R.event(in: R.webhook("RENEWAL", ["environment": place])).environment == .sandbox)
  }

  @Test func `a missing expiry is never for ever`() throws {
    let event = R.event("NON_RENEWING_PURCHASE").without("expiration_at_ms")
    let facts = try R.event(in: ["api_version": "1.0", "event": event]).facts
    #expect(facts.transactions.isEmpty)
    #expect(facts.notes.count == 1)
    for type in ["INITIAL_PURCHASE", "RENEWAL", "TEMPORARY_ENTITLEMENT_GRANT"] {
      #expect(try R.facts(type, ["expiration_at_ms": nil]).transactions.isEmpty, "\(type)")
    }
  }

  @Test func `a temporary grant that does not say what it gives is noted`() throws {
    let event: JSONValue = [
      "type": "TEMPORARY_ENTITLEMENT_GRANT", "id": "ev_9", "app_id": "app_1",
      "event_timestamp_ms": .integer(R.january), "app_user_id": "user_42", "store": "APP_STORE",
    ]
    let facts = try R.event(in: ["event": event]).facts
    #expect(facts.notes.map(\.reason) == ["the event does not say what is given until when"])
    #expect(facts.transactions.isEmpty)
  }

  @Test func `amounts are exact in the currency of the purchase`() throws {
    func amount(_ price: JSONValue, _ currency: JSONValue) throws -> Money? {
      try R.facts(
        "RENEWAL", ["price_in_purchased_currency": price, "currency": currency]
      ).transactions.first?.amount
    }
    #expect(try amount(1200, "JPY") == Money(minorUnits: 1200, currency: "JPY"))
    #expect(try amount(R.number("1.234"), "KWD") == Money(minorUnits: 1234, currency: "KWD"))
    #expect(try amount(R.number("0.5"), "USD") == Money(minorUnits: 50, currency: "USD"))
    #expect(try amount(R.number("9.999"), "USD") == nil)
    #expect(try amount(R.number("9.99"), "NOPE") == nil)
  }
}
