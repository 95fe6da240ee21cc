import MembershipModel
import MembershipProviders
import Testing

@Suite struct WhopPaymentTests {
  typealias W = Whop

  static let amount = Money(minorUnits: 690, currency: "USD")

  @Test(arguments: [
    ("subscription_create", false), ("one_time", false), ("subscription_cycle", true),
    ("subscription", true), ("subscription_update", true), ("manual", true), ("novel", true),
  ])
  func `the billing reason tells a first purchase from a renewal`(
    row: (reason: String, isRenewal: Bool)
  ) throws {
    let facts = try W.facts("payment.succeeded", W.payment(reason: row.reason))
    let bought = facts.first { $0.body.name == (row.isRenewal ? "renewed" : "purchased") }
    #expect(facts.transactions.map(\.id) == ["whop:pay_1"])
    #expect(facts.transactions.map(\.amount) == [Self.amount])
    #expect(facts.transactions.map(\.period) == [nil])
    #expect(facts.transactions.map(\.kind) == [.paid])
    #expect(facts.transactions.map(\.isUndated) == [true])
    #expect(bought?.references == ["whop:pay_1"])
    #expect(bought?.membership == "whop:mem_1")
    #expect(facts.hasWhop(.invoiced(Invoice(id: "whop:pay_1", state: .paid))))
    #expect(facts.notes.isEmpty == (row.reason != "novel"))
  }

  @Test func `a payment counts from when it was paid, whenever that is told`() throws {
    let event = try W.event(
      in: W.event("payment.succeeded", W.payment(), generation: .first, at: W.february))
    #expect(event.effectiveAt == W.at(W.january))
    #expect(event.ordering.writtenAt == W.at(W.february))
    #expect(event.account == "whop:user_1")
  }

  @Test func `the older generations name the membership and the plan in their own way`() throws {
    let old: JSONValue = [
      "id": "pay_1", "membership": "mem_1", "final_amount": 2, "subtotal": 2, "currency": "usd",
      "plan": ["id": "plan_1", "plan_type": "one_time"], "product": ["id": "pass_1"],
      "user": ["id": "user_1"], "status": "paid", "refunded_amount": 0,
    ]
    let event = try W.event(
      in: W.event("payment.succeeded", old, generation: .second), observedAt: W.at(W.january))
    #expect(event.facts.transactions.map(\.amount) == [Money(minorUnits: 200, currency: "USD")])
    #expect(names(event.facts) == ["invoiced", "purchased"])
    #expect(event.account == "whop:user_1")
  }

  @Test(
    arguments: [
      (Whop.number("6.9"), "usd", Money(minorUnits: 690, currency: "USD")),
      ("6.90", "usd", Money(minorUnits: 690, currency: "USD")),
      (7, "usd", Money(minorUnits: 700, currency: "USD")),
      (500, "jpy", Money(minorUnits: 500, currency: "JPY")),
      (Whop.number("1.25"), "kwd", Money(minorUnits: 1250, currency: "KWD")),
      (Whop.number("0.123"), "usd", nil), (7, "eth", nil), ("seven", "usd", nil), ([], "usd", nil),
      (.integer(.max), "usd", nil), (7, nil, nil),
    ] as [(JSONValue, JSONValue, Money?)])
  func `STRIPE-52, STRIPE-53: amounts are whole units, and the currency alone scales them`(
    row: (total: JSONValue, currency: JSONValue, amount: Money?)
  ) throws {
    let facts = try W.facts(
      "payment.succeeded", W.payment(changing: ["total": row.total, "currency": row.currency]))
    #expect(facts.transactions.map(\.amount) == [row.amount])
  }

  @Test func `a payment of nothing is free`() throws {
    let facts = try W.facts("payment.succeeded", W.payment(changing: ["total": "0.0"]))
    #expect(facts.transactions.map(\.kind) == [.free])
  }

  @Test func `a payment that succeeds shows the membership well again`() throws {
    let facts = try W.facts(
      "payment.succeeded", W.payment(reason: "subscription_cycle"), at: W.february)
    #expect(
      facts.hasWhop(
        .observed(Observation(status: "active", standing: .active, at: W.at(W.february)))))
    let doubtful = try W.facts(
      "payment.succeeded",
      W.payment(changing: ["membership": ["id": "mem_1", "status": "past_due"]]))
    #expect(doubtful.observations.isEmpty)
  }

  @Test func `all attempts of one payment are about one period`() throws {
    let failures = try [W.february, W.march].map { time in
      try W.facts("payment.failed", W.payment(status: "open"), at: time)
    }
    let start = Period(start: W.at(W.january), end: W.at(W.january))
    for (facts, time) in zip(failures, [W.february, W.march]) {
      #expect(
        facts.hasWhop(.paymentFailed(PaymentFailure(period: start, failedAt: W.at(time)))))
      #expect(facts.hasWhop(.invoiced(Invoice(id: "whop:pay_1", state: .open))))
      #expect(facts.transactions.isEmpty)
    }
    let kept = WhopAdapter(trustsUnsigned: true, keepsPastDue: true)
    let facts = try W.facts("payment.failed", W.payment(status: "open"), at: W.february, by: kept)
    let until = W.at("2026-01-06T00:00:00.000Z")
    #expect(
      facts.hasWhop(
        .paymentFailed(
          PaymentFailure(period: start, graceUntil: until, failedAt: W.at(W.february)))))
  }

  @Test(arguments: [
    ("draft", InvoiceState.draft), ("open", .open), ("pending", .open), ("unresolved", .open),
    ("paid", .paid), ("uncollectible", .uncollectible), ("void", .void),
    ("novel", .unrecognized(0)),
  ])
  func `a payment's status is its receipt's`(row: (status: String, state: InvoiceState)) throws {
    for type in ["payment.created", "payment.pending"] {
      let facts = try W.facts(type, W.payment(status: row.status))
      #expect(facts.hasWhop(.invoiced(Invoice(id: "whop:pay_1", state: row.state))))
      #expect(facts.transactions.isEmpty)
    }
  }

  @Test func `a payment without a membership is kept without effect`() throws {
    let facts = try W.facts("payment.succeeded", W.payment(changing: ["membership": nil]))
    #expect(names(facts) == ["noted"])
  }

  // MARK: - Refunds and disputes

  @Test func `a refund counts once it has succeeded, and until it fails`() throws {
    for type in ["refund.created", "refund.updated"] {
      let done = try W.facts(type, W.refund())
      let refund = Refund(refund: "whop:rf_1", amount: Self.amount, paid: Self.amount)
      #expect(done.hasWhop(.refunded(refund)))
      #expect(done.map(\.references) == [["whop:pay_1"]])
      for status in ["failed", "canceled"] {
        let undone = try W.facts(type, W.refund(status: status))
        #expect(
          undone.hasWhop(
            .refundReversed(RefundReversal(refund: "whop:rf_1", amount: Self.amount))))
      }
      for status in ["pending", "requires_action", "novel"] {
        #expect(try names(W.facts(type, W.refund(status: status))) == ["noted"])
      }
    }
  }

  @Test func `STRIPE-38: what a payment shows as given back is a total`() throws {
    let object = W.payment(
      changing: ["refunded_amount": Whop.number("3.5"), "refunded_at": .string(W.february)])
    let event = try W.event(in: object)
    let refund = Refund(
      amount: Money(minorUnits: 350, currency: "USD"), paid: Self.amount, at: W.at(W.february))
    #expect(event.facts.hasWhop(.refunded(refund)))
    #expect(event.effectiveAt == W.at(W.january))
  }

  @Test(arguments: [
    ("needs_response", "disputeOpened"), ("under_review", "disputeOpened"),
    ("warning_needs_response", "disputeOpened"), ("warning_under_review", "disputeOpened"),
    ("won", "disputeClosed"), ("lost", "disputeClosed"), ("warning_closed", "disputeClosed"),
    ("closed", "disputeClosed"), ("other", "noted"),
  ])
  func `the status of a dispute says how it stands`(row: (status: String, fact: String)) throws {
    for type in ["dispute.created", "dispute.updated"] {
      let facts = try W.facts(type, W.dispute(status: row.status))
      #expect(names(facts) == [row.fact])
      if row.fact != "noted" { #expect(facts.map(\.membership) == ["whop:mem_1"]) }
      for case .disputeOpened(let dispute) in facts.map(\.body) {
        #expect((dispute.kind == .inquiry) == row.status.hasPrefix("warning"))
        #expect(dispute.amount == Self.amount)
      }
    }
  }

  @Test func `only an alert of fraud is a warning`() throws {
    func facts(_ kind: String) throws -> [Fact] {
      try W.facts(
        "dispute_alert.created", W.dispute(status: "").with(["alert_type": .string(kind)]))
    }
    let hold = Hold(cause: "fraud warning dspt_1", kind: .fraudWarning)
    #expect(try facts("fraud").has(.holdPlaced(hold), of: nil))
    #expect(try names(facts("dispute")) == ["noted"])
  }
}
