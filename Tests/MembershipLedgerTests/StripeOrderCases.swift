import LedgerTestSupport
import MembershipLedger
import Testing

private typealias Hook = StripeHook

/// Order, ties and duplicates.
@Suite struct StripeOrderCases {
  @Test(arguments: [0, 1.0 / 86_400])
  func `STRIPE-1, STRIPE-2: a late created never lowers what updated said`(
    _ delay: Double
  ) throws {
    let story = StripeStory(hooks: [
      Hook(
        "created", "customer.subscription.created", at: 1, Hook.subscription("incomplete")),
      Hook.updated(
        "updated", at: 1 + delay, Hook.subscription("active"),
        previous: #"{"status": "incomplete"}"#),
    ])
    try story.expect { answers in
      try #expect(answers.membership(2).status == .active)
      try #expect(answers.membership(2).storeStatus == "active")
      try answers.expect(on: [2, 30], notOn: [0, 31])
    }
  }

  @Test func `STRIPE-4, STORE-35: an old snapshot that comes late is not the newest`() throws {
    let ending = ["cancel_at_period_end": "true", "canceled_at": "\(Hook.second(10))"]
    let story = StripeStory(hooks: [
      Hook.creation, Hook.updated("old", at: 5, Hook.subscription("active")),
      Hook.updated(
        "new", at: 10, Hook.subscription("active", changing: ending),
        previous: #"{"cancel_at_period_end": false, "canceled_at": null}"#),
    ])
    try story.expect { answers in
      let membership = try answers.membership(11)
      #expect(membership.status == .canceling)
      #expect(!membership.willRenew)
      try #expect(answers.membership(7).willRenew)
      #expect(try answers.ledger.lastPosition() == 4)
    }
  }

  @Test func `STRIPE-5: a plan change survives a notice of the same second`() throws {
    let trial = Hook.trial(1, 15)
    let old = Hook.subscription("trialing", 1, 15, product: "prod_basic", changing: trial)
    let story = StripeStory(hooks: [
      Hook("created", "customer.subscription.created", at: 1, old),
      Hook("will_end", "customer.subscription.trial_will_end", at: 12, old),
      Hook.updated(
        "updated", at: 12, Hook.subscription("trialing", 1, 15, changing: trial),
        previous: """
          {"items": {"object": "list", "data": [{"id": "si_1", "object": "subscription_item",
           "quantity": 1, "current_period_start": \(Hook.second(1)),
           "current_period_end": \(Hook.second(15)), "price": \(Hook.price("prod_basic"))}]}}
          """),
    ])
    try story.expect { answers in
      try #expect(answers.membership(13).product == "pro")
      try answers.expect("archive", on: [13], notOn: [15])
    }
  }

  @Test func `STRIPE-8: the product tells what was bought, whichever comes first`() throws {
    let story = StripeStory(hooks: [
      Hook(
        "checkout", "checkout.session.completed", at: 1,
        Hook.checkout(mode: "subscription", paymentStatus: "paid")),
      Hook.creation, Hook.firstPayment,
    ])
    try story.expect { answers in
      try #expect(answers.membership(2, of: "user_1").product == "pro")
      try #expect(answers.membership(2, of: "user_1").customer == "user_1")
      try answers.expect(of: "user_1", on: [2], notOn: [31])
      try answers.expect(on: [2], notOn: [31])
    }
  }

  @Test func `STRIPE-11, PEER-50: an event that carries an older subscription is joined`() throws {
    let story = StripeStory(hooks: [
      Hook.creation, Hook.firstPayment,
      Hook.updated("cycle", at: 31, Hook.subscription("active", 31, 61)),
      Hook("in_2", "invoice.paid", at: 31.1, Hook.invoice(2, "paid", 31, 61)),
      Hook.updated("old", at: 2, Hook.subscription("active")),
    ])
    try story.expect { answers in
      try answers.expect(on: [2, 30, 31, 45], notOn: [0, 61])
      try #expect(answers.membership(45).currentPeriodEnd == day(61))
    }
  }

  @Test func `STRIPE-7: created and updated handled at once give one active subscription`()
    async throws
  {
    let events = [
      Hook("created", "customer.subscription.created", at: 1, Hook.subscription("incomplete")),
      Hook.updated(
        "updated", at: 1, Hook.subscription("active"), previous: #"{"status": "incomplete"}"#),
    ].flatMap { $0.events() }
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      try await ledger.append(Make.catalogEvent())
      try await withThrowingTaskGroup(of: Void.self) { group in
        for event in events + events + events {
          group.addTask { try await ledger.append(event) }
        }
        try await group.waitForAll()
      }
      #expect(try ledger.lastPosition() == 3)
      let memberships = try ledger.memberships(of: "stripe:cus_1", at: day(2))
      #expect(memberships.map(\.status) == [.active])
    }
  }

  @Test func `STRIPE-10, STORE-32: nothing that comes late revives what ended`() throws {
    let story = StripeStory(hooks: [
      Hook.firstPayment, Hook.creation, Hook.updated("old", at: 5, Hook.subscription("active")),
      Hook.deleted(at: 10),
    ])
    try story.expect { answers in
      try answers.expect(on: [2, 9], notOn: [10, 11, 30])
      try answers.expect(.cancelled, on: 11)
      try #expect(answers.membership(11).status == .canceled)
    }
  }
}
