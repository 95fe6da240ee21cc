import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeInvoiceTests {
  typealias S = StripeFixture

  let period = Period(start: at(S.january), end: at(S.february))

  @Test(arguments: ["invoice.paid", "invoice.payment_succeeded"])
  func `a paid invoice buys the periods of its lines`(type: String) throws {
    let facts = try facts(type, S.invoice())
    let invoice = Invoice(id: "stripe:in_1", state: .paid, period: period)
    let transaction = Transaction(
      id: "stripe:in_1/si_1/1767225600", offer: Offer(product: "prod_A", plan: "price_A"),
      period: period, kind: .paid, amount: Money(minorUnits: 1000, currency: "USD"), item: "si_1")
    let references: [ReferenceID] = ["stripe:in_1", "stripe:pi_1"]
    #expect(
      facts == [
        Fact(.invoiced(invoice), membership: "stripe:sub_1", references: references),
        Fact(.renewed(transaction), membership: "stripe:sub_1", references: references),
      ])
  }

  @Test func `the first invoice is the purchase`() throws {
    let facts = try facts("invoice.paid", S.invoice(reason: "subscription_create"))
    #expect(names(facts) == ["invoiced", "purchased"])
  }

  @Test(arguments: [
    ("draft", InvoiceState.draft), ("open", .open), ("uncollectible", .uncollectible),
    ("void", .void), ("mystery", .unrecognized(0)),
  ])
  func `an unpaid invoice buys nothing, whatever its event`(
    status: String, state: InvoiceState
  ) throws {
    for type in ["invoice.paid", "invoice.updated", "invoice.finalized", "invoice.voided"] {
      let facts = try facts(type, S.invoice(status: status))
      let invoice = Invoice(id: "stripe:in_1", state: state, period: period)
      #expect(facts.has(.invoiced(invoice)))
      #expect(facts.transactions.isEmpty)
    }
  }

  @Test(arguments: [
    "invoice.overdue", "invoice.payment_action_required", "invoice.payment_failed",
  ])
  func `an unpaid invoice names the period that is not paid`(type: String) throws {
    let facts = try facts(type, S.invoice(status: "open"))
    #expect(names(facts) == ["invoiced", "paymentFailed"])
    #expect(
      facts.has(.paymentFailed(PaymentFailure(period: period, invoice: "stripe:in_1"))))
    #expect(facts.allSatisfy { $0.references == ["stripe:in_1", "stripe:pi_1"] })
  }

  @Test func `an invoice that is paid by now has not failed`() throws {
    #expect(try names(facts("invoice.payment_failed", S.invoice())) == ["invoiced", "renewed"])
  }

  @Test(arguments: Generation.allCases)
  func `prorations and items beside the subscription buy nothing`(generation: Generation) throws {
    let beside =
      generation == .before
      ? S.line(.before, changing: ["type": "invoiceitem"])
      : S.line(
        .since, changing: ["parent": ["type": "invoice_item_details", "invoice_item_details": [:]]])
    let proration = S.line(generation, amount: 300, isProration: true)
    let facts = try facts("invoice.paid", S.invoice(generation, lines: [proration, beside]))
    #expect(names(facts) == ["invoiced"])
  }

  @Test(arguments: Generation.allCases)
  func `an invoice of prorations alone bills no period and names the changes that it settles`(
    generation: Generation
  ) throws {
    let change = S.january + 864_000
    let lines = [-600, 900].map { amount in
      S.line(generation, amount: amount, from: change, isProration: true)
    }
    let facts = try facts(
      "invoice.payment_failed", S.invoice(generation, status: "open", lines: lines))
    #expect(
      facts.has(
        .invoiced(
          Invoice(
            id: "stripe:in_1", state: .open,
            prorations: [
              Proration(
                at: at(change), item: "si_1", amount: Money(minorUnits: 300, currency: "USD"))
            ]))))
    let unpaid = Period(start: at(change), end: at(S.february))
    #expect(facts.has(.paymentFailed(PaymentFailure(period: unpaid, invoice: "stripe:in_1"))))
  }

  @Test func `lines of a period past and of the next are bought each, the last one is billed`()
    throws
  {
    let lines = [
      S.line(item: "si_used", from: S.january - 100, to: S.january), S.line(item: "si_next"),
    ]
    let facts = try facts("invoice.paid", S.invoice(lines: lines))
    #expect(facts.transactions.map(\.item) == ["si_used", "si_next"])
    #expect(facts.has(.invoiced(Invoice(id: "stripe:in_1", state: .paid, period: period))))
  }

  @Test func `an amount is what is left after discounts`() throws {
    let line = S.line(changing: ["discount_amounts": [["amount": 250], ["amount": 50]]])
    let facts = try facts("invoice.paid", S.invoice(lines: [line]))
    #expect(facts.transactions.map(\.amount?.minorUnits) == [700])
    #expect(facts.transactions.map(\.kind) == [.paid])
  }

  @Test(arguments: [("jpy", "JPY", Int64(1000)), ("kwd", "KWD", 12340), ("isk", "ISK", 100_000)])
  func `minor units stay as sent in every currency`(
    currency: String, code: String, amount: Int64
  ) throws {
    let line = S.line(amount: amount, changing: ["currency": .string(currency)])
    let facts = try facts("invoice.paid", S.invoice(lines: [line]))
    #expect(facts.transactions.map(\.amount) == [Money(minorUnits: amount, currency: code)])
  }

  @Test func `a full discount makes a line free`() throws {
    let line = S.line(changing: ["discount_amounts": [["amount": 1000]]])
    let facts = try facts("invoice.paid", S.invoice(lines: [line]))
    #expect(facts.transactions.map(\.kind) == [.free])
    #expect(facts.transactions.map(\.id) == ["stripe:in_1/si_1/1767225600"])
  }

  @Test(arguments: Generation.allCases)
  func `a trial's line is the trial that the subscription shows`(generation: Generation) throws {
    // Since basil the line of a trial shows no price but has the words.
    let line =
      generation == .before
      ? S.line(.before, amount: 0)
      : S.line(
        .since, price: S.price("price_A", amount: 0), amount: 0,
        changing: ["description": "Trial period for Pro"])
    let facts = try facts(
      "invoice.paid", S.invoice(generation, reason: "subscription_create", lines: [line]))
    #expect(facts.transactions.map(\.kind) == [.trial])
    #expect(facts.transactions.map(\.id) == ["stripe:sub_1/unbilled/si_1/1767225600"])
    #expect(facts.transactions.map(\.isObserved) == [false])
  }

  @Test func `an old plan in tiers is tried at first, and free later`() throws {
    let tiers: JSONValue = [
      "id": "price_A", "object": "plan", "product": "prod_A", "amount": nil,
      "billing_scheme": "tiered", "trial_period_days": 14,
    ]
    let line = S.line(.before, amount: 0, changing: ["plan": tiers]).without("price")
    for (reason, kind) in [
      ("subscription_create", TransactionKind.trial), ("subscription_cycle", .free),
    ] {
      let facts = try facts("invoice.paid", S.invoice(.before, reason: reason, lines: [line]))
      #expect(facts.transactions.map(\.kind) == [kind])
    }
  }

  @Test(arguments: Generation.allCases)
  func `a first period up to a fixed day of billing is bought, although called a proration`(
    generation: Generation
  ) throws {
    let stub = S.line(generation, amount: 400, isProration: true)
    let first = S.invoice(generation, reason: "subscription_create", lines: [stub])
    let facts = try facts("invoice.paid", first)
    #expect(names(facts) == ["invoiced", "purchased"])
    #expect(facts.transactions.map(\.period) == [period])
    #expect(facts.transactions.map(\.amount?.minorUnits) == [400])
    #expect(facts.has(.invoiced(Invoice(id: "stripe:in_1", state: .paid, period: period))))
  }

  @Test(arguments: Generation.allCases)
  func `a line for a price of nothing is free`(generation: Generation) throws {
    let line = S.line(generation, price: S.price("price_0", amount: 0), amount: 0)
    let facts = try facts("invoice.paid", S.invoice(generation, lines: [line]))
    #expect(facts.transactions.map(\.kind) == [.free])
  }

  @Test func `lines of one item and period, as prices in tiers have them, are one transaction`()
    throws
  {
    let lines = [
      S.line(amount: 700, changing: ["quantity": 10]),
      S.line(amount: 60, changing: ["quantity": 3]),
    ]
    let facts = try facts("invoice.paid", S.invoice(lines: lines))
    #expect(facts.transactions.map(\.quantity) == [13])
    #expect(facts.transactions.map(\.amount?.minorUnits) == [760])
  }

  @Test func `a line without an item is known by its own id`() throws {
    let line = S.line(.before).without("subscription_item")
    let facts = try facts("invoice.paid", S.invoice(.before, lines: [line]))
    #expect(facts.transactions.map(\.id) == ["stripe:in_1/il_1/1767225600"])
  }

  @Test func `lines that name other subscriptions are theirs`() throws {
    let other = S.line(.before, item: "si_2", changing: ["subscription": "sub_2"])
    let facts = try facts(
      "invoice.paid", S.invoice(.before, lines: [S.line(.before), other]))
    #expect(
      facts.map { $0.membership?.rawValue } == [
        "stripe:sub_1", "stripe:sub_1", "stripe:sub_2", "stripe:sub_2",
      ])
  }

  @Test(arguments: Generation.allCases)
  func `an invoice that bills no subscription is noted`(generation: Generation) throws {
    let manual: JSONValue =
      generation == .before ? ["subscription": nil] : ["parent": nil]
    let facts = try facts(
      "invoice.paid", S.invoice(generation, reason: "manual", lines: [], changing: manual))
    #expect(facts.notes.map(\.reason) == ["the invoice bills no subscription"])
    #expect(names(facts) == ["noted"])
  }

  @Test func `an upcoming invoice is noted`() throws {
    #expect(
      try names(facts("invoice.upcoming", S.invoice(status: "draft").without("id"))) == ["noted"])
  }

  @Test func `a deleted draft is void`() throws {
    let facts = try facts("invoice.deleted", S.invoice(status: "draft"))
    #expect(facts.has(.invoiced(Invoice(id: "stripe:in_1", state: .void, period: period))))
  }

  @Test func `an invoice of the time before statuses is paid where it says so`() throws {
    let paid = S.invoice(.before).without("status")
    #expect(try names(facts("invoice.paid", paid)) == ["invoiced", "renewed"])
    let open = S.invoice(.before, changing: ["paid": false]).without("status")
    #expect(try names(facts("invoice.paid", open)) == ["invoiced", "noted"])
  }

  static let untrustworthy: [JSONValue] = [
    ["period": nil], ["period": ["start": .integer(S.february), "end": .integer(S.january)]],
    ["amount": nil], ["amount": "1000"], ["amount": -5], ["currency": nil], ["quantity": 0],
    ["currency": "dollars"], ["period": ["start": .integer(.max), "end": .integer(.max)]],
    ["discount_amounts": [["amount": .integer(.min)], ["amount": .integer(.min)]]],
  ]

  @Test(arguments: untrustworthy)
  func `a paid line that cannot be trusted buys nothing and is noted`(changes: JSONValue) throws {
    let facts = try facts("invoice.paid", S.invoice(lines: [S.line(changing: changes)]))
    #expect(names(facts) == ["invoiced", "noted"])
  }

  @Test func `lines that are not shown are noted`() throws {
    let lines: JSONValue = ["object": "list", "has_more": true, "data": [S.line()]]
    let facts = try facts("invoice.paid", S.invoice(changing: ["lines": lines]))
    #expect(names(facts) == ["invoiced", "renewed", "noted"])
    #expect(facts.notes.map(\.reason) == ["the invoice has more lines than are shown"])
  }
}
