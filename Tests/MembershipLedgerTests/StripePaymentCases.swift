import LedgerTestSupport
import MembershipLedger
import MembershipProviders
import Testing

private typealias Hook = StripeHook

/// Past due, trial, pause; payment timing and shape.
@Suite struct StripePaymentCases {
  private static let overdue = [
    Hook.firstPayment, Hook.creation,
    Hook.updated("overdue", at: 31, Hook.subscription("past_due", 31, 61)),
    Hook("failed_1", "invoice.payment_failed", at: 31.1, Hook.invoice(2, "open", 31, 61)),
    Hook("failed_2", "invoice.payment_failed", at: 40, Hook.invoice(2, "open", 31, 61)),
  ]

  private static func grace(days: Int64) -> Event {
    let rules = Policy.ProviderRules(provider: .stripe, graceMilliseconds: days * 86_400_000)
    return Make.manual(
      "manual:policy", at: day(0),
      .policyRevised(PolicyRevision(policy: Policy(providers: [rules]))))
  }

  @Test func `STRIPE-22: the policy says how long a declined payment leaves access`() throws {
    try StripeStory(hooks: Self.overdue).expect { answers in
      try answers.expect(on: [30], notOn: [31, 35, 41])
      try #expect(answers.membership(35).status == .pastDue)
    }
    let before = [Make.catalogEvent(), Self.grace(days: 14)]
    try StripeStory(hooks: Self.overdue, before: before).expect { answers in
      try answers.expect(on: [30, 31, 35, 44], notOn: [45, 46])
      try answers.expect(.grace, on: 35)
      try #expect(answers.membership(35).status == .pastDue)
      try #expect(answers.membership(35).isActive && !answers.membership(46).isActive)
    }
  }

  @Test func `STRIPE-23: grace begins with the failed period, however often it is retried`() throws
  {
    var hooks = Self.overdue
    for retry in [43, 44.9, 50] {
      hooks.append(
        Hook("retry_\(retry)", "invoice.payment_failed", at: retry, Hook.invoice(2, "open", 31, 61))
      )
    }
    let before = [Make.catalogEvent(), Self.grace(days: 14)]
    try StripeStory(hooks: hooks, before: before).expect { answers in
      try answers.expect(on: [44], notOn: [45, 50, 55])
      #expect(try answers.decision(35).validUntil == day(45))
    }
  }

  @Test(arguments: [
    ("trialing", false), ("incomplete", false), ("unpaid", false), ("brand_new", false),
    ("active", true),
  ])
  func `STRIPE-25: Stripe's own word is kept, also one that is not known`(
    _ status: String, _ isEntitled: Bool
  ) throws {
    let story = StripeStory(hooks: [
      Hook("created", "customer.subscription.created", at: 1, Hook.subscription(status))
    ])
    try story.expect { (answers) throws in
      try #expect(answers.membership(2).storeStatus == status)
      try #expect(answers.membership(2).status != .canceled)
      #expect(try answers.decision(2).isEntitled == isEntitled)
    }
  }

  @Test func `STRIPE-26: a failed first payment is visible, gives nothing and expires`() throws {
    let created = Hook(
      "created", "customer.subscription.created", at: 1, Hook.subscription("incomplete"))
    try StripeStory(hooks: [created]).expect { answers in
      try #expect(answers.membership(1.5).status == .pending)
      try answers.expect(notOn: [1.5, 20])
    }
    let expired = Hook.updated(
      "expired", at: 2, Hook.subscription("incomplete_expired"),
      previous: #"{"status": "incomplete"}"#)
    try StripeStory(hooks: [created, expired]).expect { answers in
      try #expect(answers.membership(3).endedAt != nil)
      #expect(try !answers.membership(3).isActive)
      try answers.expect(notOn: [1.5, 3, 20])
    }
  }

  @Test func `STRIPE-28, PEER-20: a trial that ends paused holds, until it is resumed`() throws {
    let trial = Hook.trial(1, 15)
    let paused = [
      Hook(
        "created", "customer.subscription.created", at: 1,
        Hook.subscription("trialing", 1, 15, changing: trial)),
      Hook(
        "paused", "customer.subscription.paused", at: 15,
        Hook.subscription("paused", 1, 15, changing: trial)),
    ]
    try StripeStory(hooks: paused).expect { answers in
      try answers.expect(on: [5, 14], notOn: [15, 16, 30])
      try #expect(answers.membership(16).status == .paused)
    }
    let resumed = [
      Hook(
        "resumed", "customer.subscription.resumed", at: 20,
        Hook.subscription("active", 20, 50, changing: trial), previous: #"{"status": "paused"}"#),
      Hook("in_2", "invoice.paid", at: 20, Hook.invoice(2, "paid", 20, 50)),
    ]
    try StripeStory(hooks: paused + resumed).expect { answers in
      try answers.expect(on: [5, 20, 49], notOn: [16, 19, 50])
      try #expect(answers.membership(21).status == .active)
    }
    // Without the message the end of the trial ends access all the same.
    try StripeStory(hooks: [paused[0]]).expect { try $0.expect(on: [14], notOn: [15, 16]) }
  }

  @Test func `STRIPE-29: a status of a newer Stripe stops nothing`() throws {
    let story = StripeStory(hooks: [
      Hook.firstPayment, Hook.creation,
      Hook.updated("paused", at: 10, Hook.subscription("paused")),
      Hook.updated("newer", at: 40, Hook.subscription("hibernating")),
    ])
    try story.expect { answers in
      try #expect(answers.membership(11).storeStatus == "paused")
      try #expect(answers.membership(41).storeStatus == "hibernating")
      try answers.expect(on: [9], notOn: [11, 41])
      #expect(try answers.ledger.lastPosition() == 5)
    }
  }

  @Test func `STRIPE-31: a period that began is not a period that is paid`() throws {
    let moved = [
      Hook.firstPayment, Hook.creation,
      Hook.updated("moved", at: 31, Hook.subscription("active", 31, 61)),
      Hook("draft", "invoice.created", at: 31, Hook.invoice(2, "draft", 31, 61)),
    ]
    try StripeStory(hooks: moved).expect { answers in
      try answers.expect(on: [30], notOn: [31, 32])
      try #expect(answers.membership(32).currentPeriodEnd == day(31))
    }
    let paid = moved + [Hook("paid", "invoice.paid", at: 31.05, Hook.invoice(2, "paid", 31, 61))]
    try StripeStory(hooks: paid).expect { answers in
      try answers.expect(on: [30, 31, 60], notOn: [61])
      try #expect(answers.membership(32).currentPeriodEnd == day(61))
    }
  }

  @Test func `STRIPE-32: what is paid later is pending until it is paid`() throws {
    let completed = Hook(
      "completed", "checkout.session.completed", at: 1,
      Hook.checkout(mode: "payment", paymentStatus: "unpaid"))
    try StripeStory(hooks: [completed]).expect { answers in
      try #expect(answers.membership(2).status == .pending)
      try answers.expect(notOn: [2])
    }
    let succeeded = Hook(
      "succeeded", "checkout.session.async_payment_succeeded", at: 4,
      Hook.checkout(mode: "payment", paymentStatus: "paid"))
    try StripeStory(hooks: [completed, succeeded]).expect { answers in
      try answers.expect(on: [5, 5000])
      try answers.expect(of: "user_1", on: [5])
      try #expect(answers.membership(5).status == .completed)
    }
    let failed = Hook(
      "failed", "checkout.session.async_payment_failed", at: 4,
      Hook.checkout(mode: "payment", paymentStatus: "unpaid"))
    try StripeStory(hooks: [completed, failed]).expect { try $0.expect(notOn: [2, 5]) }
  }

  @Test func `STRIPE-34: the item's period counts, else the subscription's, else none`() throws {
    func item(_ period: String) -> String {
      """
      {"object": "list", "has_more": false, "data": [{"id": "si_1", "object":
       "subscription_item", "quantity": 1\(period), "price": \(Hook.price("prod_pro"))}]}
      """
    }
    let (start, end) = (Hook.second(1), Hook.second(31))
    let period = [
      "current_period_start": "\(start)", "current_period_end": "\(end)", "items": item(""),
    ]
    let created = "customer.subscription.created"
    try StripeStory(hooks: [
      Hook("old", created, at: 1, Hook.subscription("active", changing: period))
    ])
    .expect { try $0.expect(on: [2, 30], notOn: [31]) }
    try StripeStory(hooks: [Hook.creation]).expect { try $0.expect(on: [2, 30], notOn: [31]) }
    try StripeStory(hooks: [
      Hook("none", created, at: 1, Hook.subscription("active", changing: ["items": item("")]))
    ]).expect { answers in
      try answers.expect(notOn: [0, 2, 30])
      try #expect(answers.membership(2).currentPeriodEnd == nil)
    }
  }

  @Test func `STRIPE-35: an invoice without a subscription is recorded and has no effect`() throws {
    let invoice = Hook.invoice(
      9,
      changing: ["parent": "null", "lines": #"{"object": "list", "has_more": false, "data": []}"#])
    let story = StripeStory(hooks: [Hook("loose", "invoice.paid", at: 1, invoice)])
    try story.expect { answers in
      try #expect(answers.memberships(2).isEmpty)
      #expect(try answers.ledger.event("stripe:evt_loose") != nil)
      try answers.expect(notOn: [2])
    }
  }

  @Test(arguments: [("kwd", 5000, 3, "5.000"), ("jpy", 500, 0, "500"), ("usd", 999, 2, "9.99")])
  func `STRIPE-52, STRIPE-53: amounts are minor units of their own currency`(
    _ currency: String, _ amount: Int, _ exponent: Int, _ text: String
  ) throws {
    let hook = Hook(
      "paid", "invoice.paid", at: 1,
      Hook.invoice(amount: amount, currency: currency))
    let event = try #require(hook.events().first)
    let transaction = try #require(
      event.facts.lazy.compactMap { fact -> Transaction? in
        if case .purchased(let transaction) = fact.body { transaction } else { nil }
      }.first)
    let money = try #require(transaction.amount)
    #expect(money == Money(minorUnits: Int64(amount), currency: currency))
    #expect(Currency.exponent(of: money.currency, at: .stripe) == exponent)
    #expect(money.amountText(at: .stripe) == text)
  }

  @Test func `STRIPE-47: test mode never grants in production`() throws {
    let hook = Hook(
      "test", "customer.subscription.created", at: 1,
      Hook.subscription("active", changing: ["livemode": "false"]), isLive: false)
    try StripeStory(hooks: [hook]).expect { answers in
      try answers.expect(notOn: [2])
      try answers.expect(.unknownCustomer, on: 2)
      #expect(
        try answers.ledger.decision(
          for: "stripe:cus_1", on: "premium", at: day(2), in: .sandbox
        ).isEntitled)
    }
    let strict = StripeAdapter(trustsUnsigned: true, environment: .production)
    let reading = strict.read(ProviderDocument(body: hook.body, receivedAt: day(1)))
    guard case .refused(let refusal) = reading else {
      Issue.record("a test-mode document was taken")
      return
    }
    #expect(refusal.code == .wrongEnvironment)
  }
}
