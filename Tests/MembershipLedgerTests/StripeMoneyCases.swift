import LedgerTestSupport
import MembershipLedger
import MembershipProviders
import Testing

private typealias Hook = StripeHook

/// Refunds and disputes, several sources, catalog and plan changes.
@Suite struct StripeMoneyCases {
  private static func refund(_ total: Int, at day: Double) -> StripeHook {
    Hook("refund_\(total)", "charge.refunded", at: day, Hook.charge(refunded: total))
  }

  @Test func `STRIPE-37: a full refund ends what was paid for, and says so`() throws {
    let story = StripeStory(hooks: [
      Hook.firstPayment, Hook.creation, Self.refund(999, at: 10),
    ])
    try story.expect { answers in
      try answers.expect(on: [5, 9], notOn: [10, 11, 30])
      try answers.expect(.refunded, on: 11)
      try #expect(answers.membership(11).status == .refunded)
    }
    let policy = Policy(fullRefund: .keep)
    let kept = [
      Make.catalogEvent(),
      Make.manual("manual:p", at: day(0), .policyRevised(PolicyRevision(policy: policy))),
    ]
    try StripeStory(hooks: story.hooks, before: kept).expect { try $0.expect(on: [11, 30]) }
  }

  @Test func `STRIPE-38: refunds are totals, not added up`() throws {
    let partial = [Hook.firstPayment, Self.refund(400, at: 8), Self.refund(800, at: 9)]
    try StripeStory(hooks: partial).expect { try $0.expect(on: [7, 8, 9, 30], notOn: [31]) }
    try StripeStory(hooks: partial + [Self.refund(999, at: 12)]).expect { answers in
      try answers.expect(on: [7, 9, 11], notOn: [12, 30])
    }
  }

  @Test(arguments: [
    ("won", true), ("warning_closed", true), ("prevented", true), ("lost", false),
  ])
  func `STRIPE-40: a dispute holds; lost takes away, all other ends give back`(
    _ outcome: String, _ isRestored: Bool
  ) throws {
    let opened = Hook(
      "opened", "charge.dispute.created", at: 10, Hook.dispute("needs_response"))
    try StripeStory(hooks: [Hook.firstPayment, Hook.creation, opened]).expect { answers in
      try answers.expect(on: [9], notOn: [10, 11])
      try answers.expect(.held, on: 11)
      try #expect(answers.membership(11).status == .held)
    }
    let closed = Hook("closed", "charge.dispute.closed", at: 20, Hook.dispute(outcome))
    try StripeStory(hooks: [Hook.firstPayment, Hook.creation, opened, closed]).expect { answers in
      try answers.expect(on: [9] + (isRestored ? [20, 25] : []), notOn: [15])
      if !isRestored { try answers.expect(notOn: [20, 25]) }
    }
  }

  @Test func `STRIPE-41: chargebacks act on what was bought, whatever the product is now`() throws {
    var converted = Make.catalog
    converted.products[0].entitlements = ["premium"]
    converted.products[0].stores = [.init(provider: .stripe, product: "prod_other")]
    let before = [
      Make.catalogEvent(), Make.catalogEvent("manual:c2", converted, at: day(5)),
    ]
    let hooks = [
      Hook.firstPayment, Hook("in_2", "invoice.paid", at: 31, Hook.invoice(2, "paid", 31, 61)),
      Hook("dispute_1", "charge.dispute.closed", at: 40, Hook.dispute("lost")),
      Hook("dispute_2", "charge.dispute.closed", at: 41, Hook.dispute("lost", 2)),
    ]
    try StripeStory(hooks: Array(hooks.prefix(2)), before: before).expect { answers in
      try answers.expect("archive", on: [2, 35, 45])
    }
    try StripeStory(hooks: hooks, before: before).expect { answers in
      try answers.expect(on: [35], notOn: [41, 45, 60])
    }
  }

  @Test func `STRIPE-43: an unlinked customer's purchases are kept and can be claimed`() throws {
    let hooks = [
      Hook.firstPayment, Hook.creation,
      Hook(
        "other", "customer.subscription.created", at: 2,
        Hook.subscription(
          "incomplete", 2, 32, id: "sub_2", customer: "cus_2",
          changing: ["metadata": #"{"customer_id": "user_1"}"#])),
    ]
    let link = AccountLink(account: "stripe:cus_1", customer: "user_1")
    try StripeStory(hooks: hooks).expect { answers in
      try answers.expect(on: [5])
      try answers.expect(of: "user_1", notOn: [5])
    }
    let claimed = [Make.catalogEvent(), Make.manual("manual:link", .accountLinked(link))]
    try StripeStory(hooks: hooks, before: claimed).expect { answers in
      for name in ["user_1", "stripe:cus_1", "stripe:cus_2"] as [CustomerID] {
        try answers.expect(of: name, on: [5], notOn: [31])
      }
      try #expect(answers.memberships(5, of: "user_1").count == 2)
    }
  }

  @Test func `STRIPE-46: a scheduled downgrade is known before it is in effect`() throws {
    let schedule = """
      {"id": "sub_sched_1", "object": "subscription_schedule", "customer": "cus_1",
       "subscription": "sub_1", "released_subscription": null, "status": "active",
       "livemode": true, "metadata": {}, "current_phase":
       {"start_date": \(Hook.second(1)), "end_date": \(Hook.second(31))}, "phases": [
       {"start_date": \(Hook.second(1)), "end_date": \(Hook.second(31)),
        "items": [{"price": "price_prod_pro", "quantity": 1}]},
       {"start_date": \(Hook.second(31)), "end_date": \(Hook.second(61)),
        "items": [{"price": "price_prod_basic", "quantity": 1}]}]}
      """
    let planned = [
      Hook.firstPayment, Hook.creation,
      Hook("planned", "subscription_schedule.created", at: 5, schedule),
    ]
    try StripeStory(hooks: planned).expect { answers in
      let change = try answers.membership(6).pendingChange
      #expect(change?.at == day(31))
      #expect(change?.to?.offer.plan == "price_prod_basic")
      #expect(change?.from?.offer == Offer(product: "prod_pro", plan: "price_prod_pro"))
      #expect(change?.item == "si_1")
      try answers.expect("archive", on: [6, 30])
    }
    let changed =
      planned + [
        Hook.updated("cycle", at: 31, Hook.subscription("active", 31, 61, product: "prod_basic")),
        Hook(
          "in_2", "invoice.paid", at: 31, Hook.invoice(2, "paid", 31, 61, product: "prod_basic")),
      ]
    try StripeStory(hooks: changed).expect { answers in
      try answers.expect("archive", on: [30], notOn: [31, 40])
      try answers.expect(on: [30, 31, 60], notOn: [61])
      try #expect(answers.membership(40).product == "basic")
    }
  }

  @Test func `STRIPE-49: the own catalog decides, Stripe's list is only compared`() throws {
    let summary = """
      {"object": "entitlements.active_entitlement_summary", "customer": "cus_1", "livemode": true,
       "entitlements": {"object": "list", "has_more": false,
       "data": [{"id": "ent_1", "lookup_key": "support"}]}}
      """
    let hooks = [
      Hook.firstPayment, Hook.creation,
      Hook("claim", "entitlements.active_entitlement_summary.updated", at: 2, summary),
    ]
    var grown = Make.catalog
    grown.entitlements.append(.init(key: "support"))
    let without = [Make.catalogEvent("manual:c1", grown)]
    try StripeStory(hooks: hooks, before: without).expect { answers in
      try answers.expect("support", notOn: [5, 15])
      try answers.expect(on: [5])
    }
    grown.products[0].entitlements.append("support")
    let revised =
      without + [Make.catalogEvent("manual:c2", grown, appliesTo: .everyone, at: day(10))]
    try StripeStory(hooks: hooks, before: revised).expect { answers in
      try answers.expect("support", on: [10, 30], notOn: [9, 31])
    }
  }

  @Test func `STRIPE-50: what a plan gave does not outlive its removal`() throws {
    var removed = Make.catalog
    removed.products[0].entitlements = ["archive"]
    let before = [
      Make.catalogEvent(),
      Make.catalogEvent("manual:c2", removed, appliesTo: .everyone, at: day(10)),
    ]
    try StripeStory(hooks: [Hook.firstPayment, Hook.creation], before: before).expect { answers in
      try answers.expect(on: [9], notOn: [10, 30])
      try answers.expect("archive", on: [9, 10, 30])
    }
  }
}
