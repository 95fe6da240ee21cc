import LedgerTestSupport
import MembershipLedger
import Testing

private typealias Hook = StripeHook

/// Cancelling, resuming, ending.
@Suite struct StripeEndCases {
  @Test func `STRIPE-13: cancelled at period end is entitled now and renewing no more`() throws {
    let ending = ["cancel_at_period_end": "true", "canceled_at": "\(Hook.second(10))"]
    let story = StripeStory(hooks: [
      Hook.firstPayment, Hook.creation,
      Hook.updated(
        "ending", at: 10, Hook.subscription("active", changing: ending),
        previous: #"{"cancel_at_period_end": false, "canceled_at": null}"#),
    ])
    try story.expect { answers in
      let membership = try answers.membership(11)
      #expect(membership.storeStatus == "active")
      #expect(membership.status == .canceling)
      #expect(membership.isActive && !membership.willRenew)
      #expect(membership.cancelAt == day(31))
      try answers.expect(on: [11, 30], notOn: [31])
    }
  }

  @Test func `STRIPE-14: an end at an instant counts without the flag`() throws {
    let story = StripeStory(hooks: [
      Hook.firstPayment, Hook.creation,
      Hook.updated(
        "ending", at: 10,
        Hook.subscription("active", changing: ["cancel_at": "\(Hook.second(20))"]),
        previous: #"{"cancel_at": null}"#),
    ])
    try story.expect { answers in
      let membership = try answers.membership(11)
      #expect(membership.cancelAt == day(20))
      #expect(membership.status == .canceling && !membership.willRenew)
    }
  }

  @Test func `STRIPE-16: subscribing again is a new membership beside the cancelled one`() throws {
    let story = StripeStory(hooks: [
      Hook.firstPayment, Hook.creation, Hook.deleted(at: 10),
      Hook(
        "created_2", "customer.subscription.created", at: 15,
        Hook.subscription("active", 15, 45, id: "sub_2")),
      Hook("in_2", "invoice.paid", at: 15, Hook.invoice(2, "paid", 15, 45, subscription: "sub_2")),
    ])
    try story.expect { answers in
      try answers.expect(on: [5, 15, 44], notOn: [10, 12, 45])
      try #expect(answers.memberships(20).map(\.status) == [.canceled, .active])
    }
  }

  @Test func `STRIPE-17: an immediate end overtakes the planned one`() throws {
    let ending = ["cancel_at_period_end": "true", "canceled_at": "\(Hook.second(10))"]
    let story = StripeStory(hooks: [
      Hook.firstPayment,
      Hook.updated("ending", at: 10, Hook.subscription("active", changing: ending)),
      Hook.deleted(
        at: 15,
        ["cancel_at_period_end": "true", "canceled_at": "\(Hook.second(10))"]),
    ])
    try story.expect { answers in
      try #expect(answers.membership(16).endedAt == day(15))
      try answers.expect(on: [14], notOn: [15, 16, 30])
    }
  }

  @Test func `STRIPE-19: an unpaid period is not given by cancelling at its end`() throws {
    let ending = ["cancel_at_period_end": "true", "canceled_at": "\(Hook.second(33))"]
    let story = StripeStory(hooks: [
      Hook.firstPayment,
      Hook.updated("overdue", at: 31, Hook.subscription("past_due", 31, 61)),
      Hook("failed", "invoice.payment_failed", at: 31, Hook.invoice(2, "open", 31, 61)),
      Hook.updated("ending", at: 33, Hook.subscription("past_due", 31, 61, changing: ending)),
    ])
    try story.expect { answers in
      try answers.expect(on: [5, 30], notOn: [31, 34, 60, 61])
      #expect(try !answers.membership(40).isActive)
    }
  }

  @Test func `STRIPE-20: a trial that was cancelled gives nothing to its planned end`() throws {
    let story = StripeStory(hooks: [
      Hook(
        "created", "customer.subscription.created", at: 1,
        Hook.subscription("trialing", 1, 15, changing: Hook.trial(1, 15))),
      Hook.deleted(at: 5, Hook.trial(1, 15)),
    ])
    try story.expect { answers in
      try answers.expect(on: [1, 4], notOn: [5, 6, 14])
      try #expect(answers.membership(6).status == .canceled)
      try #expect(answers.membership(4).status == .trialing)
    }
  }

  @Test func `STRIPE-44: a deleted customer has no access and keeps the history`() throws {
    let story = StripeStory(hooks: [
      Hook.firstPayment, Hook.creation,
      Hook(
        "gone", "customer.deleted", at: 10,
        #"{"id": "cus_1", "object": "customer", "livemode": true}"#),
    ])
    try story.expect { answers in
      try answers.expect(on: [5, 9], notOn: [10, 11, 30])
      try #expect(answers.membership(11).endedAt == day(10))
    }
  }
}
