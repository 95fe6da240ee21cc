import LedgerTestSupport
import MembershipLedger
import Testing

/// What becomes of RevenueCat's webhooks, from the document to the answer.
@Suite struct RevenueCatCases {
  typealias R = RevenueCatStory

  @Test func `a purchase, its cancellation and its end`() throws {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1),
      R.hook("CANCELLATION", "2", at: 10, extra: ",\"cancel_reason\":\"UNSUBSCRIBE\""),
      R.hook("EXPIRATION", "3", at: 31, extra: ",\"expiration_reason\":\"UNSUBSCRIBE\""),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 10, 30], notOn: [0, 31, 40])
      try expectAccess(ledger, of: "revenuecat:user_1", on: [1, 30], notOn: [31])
      let membership = try #require(try ledger.memberships(of: "user_1", at: day(20)).first)
      #expect(membership.id == "app-store:t1")
      #expect(membership.status == .canceling)
      #expect(membership.cancelAt == day(31))
    }
  }

  @Test func `an uncancelled subscription goes on`() throws {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1),
      R.hook("CANCELLATION", "2", at: 10, extra: ",\"cancel_reason\":\"UNSUBSCRIBE\""),
      R.hook("UNCANCELLATION", "3", at: 12),
      R.hook("RENEWAL", "4", at: 30, 31, 61, transaction: "t2"),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 30, 31, 60], notOn: [61])
      let membership = try #require(try ledger.memberships(of: "user_1", at: day(40)).first)
      #expect(membership.status == .active && membership.willRenew)
    }
  }

  @Test func `what is not paid ends when it was due, or at the end of the grace that was given`()
    throws
  {
    let grace = ",\"grace_period_expiration_at_ms\":\(day(37).milliseconds)"
    let error = ",\"expiration_reason\":\"BILLING_ERROR\""
    let cancelled = ",\"cancel_reason\":\"BILLING_ERROR\""
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1), R.hook("BILLING_ISSUE", "2", at: 31, extra: grace),
      R.hook("CANCELLATION", "3", at: 31, extra: cancelled),
      R.hook("EXPIRATION", "4", at: 37, extra: error),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [30, 31, 36], notOn: [37])
      #expect(try ledger.decision(for: "user_1", on: "premium", at: day(33)).reason == .grace)
      #expect(try ledger.memberships(of: "user_1", at: day(40)).first?.status == .expired)
    }
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1), R.hook("BILLING_ISSUE", "2", at: 31),
      R.hook("CANCELLATION", "3", at: 31, extra: cancelled),
      R.hook("EXPIRATION", "4", at: 32, extra: error),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [30], notOn: [31, 32])
    }
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1), R.hook("BILLING_ISSUE", "2", at: 31, extra: grace),
      R.hook("RENEWAL", "3", at: 34, 34, 64, transaction: "t2"),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [33, 34, 63], notOn: [64])
      #expect(try ledger.memberships(of: "user_1", at: day(40)).first?.status == .active)
    }
  }

  @Test func `STORE-2, PEER-47: a refunded lifetime purchase stays revoked after a restore`() throws
  {
    let refund = ",\"cancel_reason\":\"CUSTOMER_SUPPORT\",\"price\":-9.99"
    try withRevenueCat([
      R.hook("NON_RENEWING_PURCHASE", "1", at: 1, 1, nil),
      R.hook("CANCELLATION", "2", at: 9, 1, nil, extra: refund),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 8], notOn: [9, 400])
      let bought = try R.hook("NON_RENEWING_PURCHASE", "3", at: 20, 1, nil)
      _ = try ledger.restore([AppendRequest(bought)], to: "user_1", by: Attribution(actor: "test"))
      try expectAccess(ledger, of: "user_1", on: [8], notOn: [9, 400])
    }
  }

  @Test func `a refund ends its transaction, and its reversal restores it`() throws {
    let refund = ",\"cancel_reason\":\"CUSTOMER_SUPPORT\""
    let expired = ",\"expiration_reason\":\"CUSTOMER_SUPPORT\""
    let story = [
      try R.hook("INITIAL_PURCHASE", "1", at: 1),
      try R.hook("CANCELLATION", "2", at: 6, 1, 5, extra: refund),
      try R.hook("EXPIRATION", "3", at: 6, 1, 5, extra: expired),
    ]
    try withRevenueCat(story) { ledger in
      try expectAccess(ledger, of: "user_1", on: [4], notOn: [5, 20])
      #expect(
        try ledger.decision(for: "user_1", on: "premium", at: day(20)).reason == .refunded)
    }
    // The word of the expiration alone does it too.
    try withRevenueCat([story[0], story[2]]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [4], notOn: [5, 20])
    }
    try withRevenueCat(story + [R.hook("REFUND_REVERSED", "4", at: 12)]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [4, 12, 30], notOn: [5, 11, 31])
    }
  }

  @Test func `STORE-4, PEER-31, STORE-53: the end of one product leaves what another gives`() throws
  {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1, product: "prod_basic"),
      R.hook("NON_RENEWING_PURCHASE", "2", at: 3, 3, nil, transaction: "t9", original: "t9"),
      R.hook(
        "EXPIRATION", "3", at: 20, 1, 20, product: "prod_basic",
        extra: ",\"expiration_reason\":\"DEVELOPER_INITIATED\""),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 19, 20, 900])
    }
  }

  @Test func `STORE-28, STORE-7: a downgrade is planned until the period ends`() throws {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1),
      R.hook("PRODUCT_CHANGE", "2", at: 10, extra: ",\"new_product_id\":\"prod_basic\""),
      R.hook("RENEWAL", "3", at: 31, 31, 61, transaction: "t2", product: "prod_basic"),
    ]) { ledger in
      let before = try #require(try ledger.memberships(of: "user_1", at: day(20)).first)
      #expect(before.product == "pro" && before.pendingChange?.to?.product == "basic")
      let after = try ledger.memberships(of: "user_1", at: day(40))
      #expect(after.map(\.product) == ["basic"])
      try expectAccess(ledger, "archive", of: "user_1", on: [30], notOn: [31, 60])
    }
  }

  @Test func `STORE-8: a change at once leaves the former product no more`() throws {
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1),
      R.hook("RENEWAL", "2", at: 10, 10, 40, transaction: "t2", product: "prod_basic"),
    ]) { ledger in
      try expectAccess(ledger, "archive", of: "user_1", on: [9], notOn: [10, 20, 39])
      try expectAccess(ledger, of: "user_1", on: [9, 10, 39], notOn: [40])
    }
  }

  @Test func `a pause rests from the end of the period, and a renewal ends it`() throws {
    let pause = ",\"auto_resume_at_ms\":\(day(91).milliseconds)"
    try withRevenueCat([
      R.hook("INITIAL_PURCHASE", "1", at: 1, store: "PLAY_STORE", transaction: "GPA.1"),
      R.hook(
        "SUBSCRIPTION_PAUSED", "2", at: 10, store: "PLAY_STORE", transaction: "GPA.1", extra: pause),
      R.hook(
        "EXPIRATION", "3", at: 31, store: "PLAY_STORE", transaction: "GPA.1",
        extra: ",\"expiration_reason\":\"SUBSCRIPTION_PAUSED\""),
      R.hook("RENEWAL", "4", at: 50, 50, 80, store: "PLAY_STORE", transaction: "GPA.1..0"),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [30, 50, 79], notOn: [31, 49, 81])
      #expect(try ledger.memberships(of: "user_1", at: day(40)).first?.status == .paused)
    }
  }

  @Test func `a temporary grant gives way to its purchase, or ends`() throws {
    let grant = try R.hook("TEMPORARY_ENTITLEMENT_GRANT", "1", at: 1, 1, 2)
    try withRevenueCat([grant, R.hook("INITIAL_PURCHASE", "2", at: 2)]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 2, 30], notOn: [31])
      #expect(try ledger.memberships(of: "user_1", at: day(5)).count == 1)
    }
    try withRevenueCat([grant, R.hook("EXPIRATION", "2", at: 2, 1, 2)]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1], notOn: [2])
    }
  }

  @Test func `a gift by hand gives what the catalog says of its product`() throws {
    try withRevenueCat([
      R.hook(
        "NON_RENEWING_PURCHASE", "1", at: 1, 1, 91, store: "PROMOTIONAL", product: "rc_promo_pro"),
      R.hook(
        "CANCELLATION", "2", at: 20, 1, 91, store: "PROMOTIONAL", product: "rc_promo_pro",
        extra: ",\"cancel_reason\":\"DEVELOPER_INITIATED\""),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 19], notOn: [20, 90])
    }
  }

  @Test func `the store's own document and RevenueCat's tell of one transaction`() throws {
    let own = Make.event(
      "app-store:n1", at: day(1), account: "app-store:t1", provider: .appStore,
      Fact(
        .purchased(
          Transaction(
            id: "app-store:t1", offer: Offer(product: "prod_pro"), period: days(1, 31),
            kind: .paid)), membership: "app-store:t1"))
    let refund = ",\"cancel_reason\":\"CUSTOMER_SUPPORT\""
    try withRevenueCat([own, R.hook("INITIAL_PURCHASE", "1", at: 1)]) { ledger in
      let held = try ledger.memberships(of: "user_1", at: day(5))
      #expect(held.map(\.id) == ["app-store:t1"])
      #expect(held.map(\.customer) == ["user_1"])
      #expect(try ledger.entitlements(of: "user_1", at: day(5)).count == 2)
    }
    try withRevenueCat([
      own, R.hook("INITIAL_PURCHASE", "1", at: 1),
      R.hook("CANCELLATION", "2", at: 6, 1, 5, extra: refund),
    ]) { ledger in
      try expectAccess(ledger, of: "user_1", on: [4], notOn: [5, 20])
    }
  }

  @Test func `a sandbox purchase gives nothing in production`() throws {
    var event = try R.hook("INITIAL_PURCHASE", "1", at: 1)
    event.environment = .sandbox
    try withRevenueCat([event]) { ledger in
      try expectAccess(ledger, of: "user_1", notOn: [1, 20])
    }
  }
}
