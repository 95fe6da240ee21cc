import LedgerTestSupport
import MembershipLedger
import MembershipProviders
import Testing

/// Whop's documents through a ledger: in every order, once and twice.
@Suite struct WhopCases {
  private static let catalog = Make.catalogEvent(
    "manual:catalog-1",
    Catalog(
      entitlements: [.init(key: "premium")],
      products: [
        .init(
          id: "pro", entitlements: ["premium"],
          stores: [.init(provider: .whop, product: "prod_1")])
      ]))

  private static func time(_ day: Double) -> String {
    Timestamp(seconds: StripeHook.second(day)).description
  }

  private static func webhook(
    _ type: String, at day: Double, _ data: String, previous: String = "{}"
  ) -> String {
    """
    {"id": "msg_\(type)_\(day)", "api_version": "v1", "api_version_date": "2026-11-17",
     "type": "\(type)", "timestamp": "\(time(day))", "account_id": "biz_1",
     "previous_attributes": \(previous), "data": \(data)}
    """
  }

  private static func membership(
    _ status: String = "active", _ start: Double = 1, _ end: Double = 31,
    isEnding: Bool = false, isPaused: Bool = false
  ) -> String {
    """
    {"id": "mem_1", "status": "\(status)", "created_at": "\(time(1))",
     "renewal_period_start": "\(time(start))", "renewal_period_end": "\(time(end))",
     "cancel_at_period_end": \(isEnding), "payment_collection_paused": \(isPaused),
     "user": {"id": "user_1"}, "plan": {"id": "plan_1"}, "product": {"id": "prod_1"}}
    """
  }

  private static func payment(
    _ id: String, _ reason: String, paidAt day: Double, status: String = "active"
  ) -> String {
    """
    {"id": "\(id)", "status": "paid", "total": 9.99, "currency": "usd",
     "billing_reason": "\(reason)", "created_at": "\(time(day))", "paid_at": "\(time(day))",
     "plan": {"id": "plan_1"}, "product": {"id": "prod_1"}, "user": {"id": "user_1"},
     "membership": {"id": "mem_1", "status": "\(status)"}}
    """
  }

  private static let activated = webhook("membership.activated", at: 1, membership())
  private static let paid = webhook(
    "payment.succeeded", at: 1, payment("pay_1", "subscription_create", paidAt: 1))
  private static let renewed = webhook(
    "payment.succeeded", at: 31, payment("pay_2", "subscription_cycle", paidAt: 31))

  private func story(
    _ documents: String..., by adapter: WhopAdapter = WhopAdapter(trustsUnsigned: true),
    _ location: SourceLocation = #_sourceLocation
  ) -> Story {
    let events = documents.map { text -> [Event] in
      let document = ProviderDocument(body: Array(text.utf8), receivedAt: day(100))
      guard case .events(let events) = adapter.read(document) else {
        Issue.record("refused: \(text)", sourceLocation: location)
        return []
      }
      return events
    }
    return Story(events: events, before: [Self.catalog], customer: "whop:user_1")
  }

  @Test func `a payment renews a membership of which no new snapshot came`() throws {
    try story(Self.activated, Self.paid).expect { try $0.expect(on: [1, 30], notOn: [0, 31]) }
    try story(Self.activated, Self.paid, Self.renewed).expect { answers in
      try answers.expect(on: [1, 30, 31, 60], notOn: [0, 61])
      try #expect(answers.membership(40).status == .active)
      #expect(
        try answers.membership(40).currentPeriodEnd
          == Timestamp(
            seconds: StripeHook.second(61)))
    }
  }

  @Test func `STRIPE-37, STORE-34: a refund takes what its payment was for, and no other`() throws {
    let refund = Self.webhook(
      "refund.updated", at: 40,
      """
      {"id": "rf_1", "amount": 9.99, "currency": "usd", "status": "succeeded",
       "created_at": "\(Self.time(40))", "payment": \(Self.payment("pay_2", "", paidAt: 31))}
      """)
    let shown = Self.webhook("membership.updated", at: 32, Self.membership("active", 31, 61))
    try story(Self.activated, Self.paid, Self.renewed, refund).expect { answers in
      try answers.expect(on: [1, 30, 39], notOn: [40, 50])
      try answers.expect(.refunded, on: 45)
    }
    try story(Self.activated, Self.renewed, refund, shown).expect { answers in
      try answers.expect(on: [1, 30, 39], notOn: [40, 50])
    }
  }

  @Test func `STRIPE-40: a dispute holds access until it is won`() throws {
    func dispute(_ status: String, at day: Double) -> String {
      Self.webhook(
        "dispute.updated", at: day,
        """
        {"id": "dspt_1", "amount": 9.99, "currency": "usd", "status": "\(status)",
         "created_at": "\(Self.time(10))", "payment": \(Self.payment("pay_1", "", paidAt: 1))}
        """)
    }
    let opened = dispute("needs_response", at: 10)
    try story(Self.activated, Self.paid, opened).expect { answers in
      try answers.expect(on: [9], notOn: [10, 20])
    }
    try story(Self.activated, Self.paid, opened, dispute("won", at: 15)).expect { answers in
      try answers.expect(on: [9, 15, 30], notOn: [10, 14, 31])
    }
    try story(Self.activated, Self.paid, opened, dispute("lost", at: 15)).expect { answers in
      try answers.expect(on: [9], notOn: [10, 15, 30])
    }
  }

  @Test func `PEER-56, STRIPE-13: a planned end keeps access until it is in effect`() throws {
    let asked = Self.webhook(
      "membership.cancel_at_period_end_changed", at: 10, Self.membership(isEnding: true))
    try story(Self.activated, Self.paid, asked).expect { answers in
      try answers.expect(on: [10, 30], notOn: [31])
      try #expect(answers.membership(20).status == .canceling)
    }
    let withdrawn = Self.webhook(
      "membership.cancel_at_period_end_changed", at: 12, Self.membership())
    try story(Self.activated, asked, withdrawn, Self.renewed).expect { answers in
      try answers.expect(on: [10, 31, 60], notOn: [61])
      try #expect(answers.membership(20).status == .active)
    }
  }

  @Test func `STRIPE-10: what is over stays over, whatever older snapshot comes again`() throws {
    let ended = Self.webhook("membership.deactivated", at: 10, Self.membership("canceled"))
    let older = Self.webhook("membership.updated", at: 5, Self.membership())
    try story(Self.activated, older, ended).expect { answers in
      try answers.expect(on: [5, 9], notOn: [10, 20, 40])
      try #expect(answers.membership(20).status == .canceled)
    }
    let back = Self.webhook("membership.activated", at: 40, Self.membership("active", 40, 70))
    try story(Self.activated, ended, back).expect { answers in
      try answers.expect(on: [5, 40, 69], notOn: [10, 39, 70])
    }
  }

  @Test func `STRIPE-22: past due keeps access only while the merchant's switch says so`() throws {
    let overdue = Self.webhook("membership.updated", at: 31, Self.membership("past_due", 31, 61))
    let settled = Self.webhook("membership.updated", at: 33, Self.membership("active", 31, 61))
    try story(Self.activated, overdue).expect { answers in
      try answers.expect(on: [30], notOn: [31, 33])
      try #expect(answers.membership(32).status == .pastDue)
    }
    try story(Self.activated, overdue, settled).expect { answers in
      try answers.expect(on: [30, 33, 60], notOn: [31, 32, 61])
    }
    let keeping = WhopAdapter(trustsUnsigned: true, keepsPastDue: true)
    try story(Self.activated, overdue, by: keeping).expect { answers in
      try answers.expect(on: [30, 31, 35.9], notOn: [36, 50])
      try answers.expect(.grace, on: 33)
    }
  }

  @Test func `valid, invalid and valid again within a period is access in between`() throws {
    let invalid = Self.webhook("membership.deactivated", at: 10, Self.membership("past_due"))
    let valid = Self.webhook("membership.activated", at: 12, Self.membership())
    try story(Self.activated, invalid, valid).expect { answers in
      try answers.expect(on: [9, 12, 30], notOn: [10, 11, 31])
    }
  }

  @Test func `STRIPE-20: what is cancelled in its trial is over`() throws {
    let trial = Self.webhook("membership.activated", at: 1, Self.membership("trialing", 1, 8))
    let ended = Self.webhook("membership.deactivated", at: 3, Self.membership("canceled", 1, 8))
    try story(trial).expect { answers in
      try answers.expect(on: [1, 7], notOn: [8])
      try #expect(answers.membership(2).status == .trialing)
    }
    try story(trial, ended).expect { try $0.expect(on: [2], notOn: [3, 7]) }
  }

  @Test func `PEER-65: a pause of collection leaves what is paid, and defers what is not`() throws {
    let paused = Self.webhook("membership.updated", at: 10, Self.membership(isPaused: true))
    try story(Self.activated, Self.paid, paused).expect { answers in
      try answers.expect(on: [9, 10, 30], notOn: [31, 40])
    }
  }

  @Test func `free days move the end of a period`() throws {
    let longer = Self.webhook("membership.updated", at: 10, Self.membership("active", 1, 41))
    try story(Self.activated, Self.paid, longer).expect { answers in
      try answers.expect(on: [30, 40], notOn: [41])
    }
  }

  @Test func `what is bought once is had until it is taken, and can be given back`() throws {
    let once = """
      {"id": "mem_1", "status": "completed", "created_at": "\(Self.time(1))",
       "user": {"id": "user_1"}, "plan": {"id": "plan_1"}, "product": {"id": "prod_1"}}
      """
    let bought = Self.webhook("membership.activated", at: 1, once)
    let taken = Self.webhook("membership.deactivated", at: 10, once)
    let given = Self.webhook("membership.activated", at: 20, once)
    try story(bought).expect { answers in
      try answers.expect(on: [1, 1000], notOn: [0])
      try #expect(answers.membership(20).status == .completed)
    }
    try story(bought, taken, given).expect { answers in
      try answers.expect(on: [1, 9, 20, 1000], notOn: [10, 19])
    }
  }
}
