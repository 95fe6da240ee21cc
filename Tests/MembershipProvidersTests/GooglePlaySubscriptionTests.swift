import MembershipModel
import MembershipProviders
import Testing

@Suite struct GooglePlaySubscriptionTests {
  typealias G = GooglePlay

  private func transaction(
    _ id: TransactionID = "google-play:GPA.3333-4137-0319-36762", until: String = G.end,
    kind: TransactionKind = .paid, isObserved: Bool = false
  ) throws -> Transaction {
    Transaction(
      id: id, offer: Offer(product: "pro_monthly", plan: "monthly"),
      period: try Period(start: G.time(G.start), end: G.time(until)), kind: kind,
      amount: isObserved || kind != .paid ? nil : Money(minorUnits: 999, currency: "USD"),
      isObserved: isObserved, hasUnknownStart: true)
  }

  private func observation(
    _ state: String, _ standing: Standing, isRenewing: Bool = true,
    over: [String] = ["subscription", "account hold"]
  ) -> Fact.Body {
    .observed(
      Observation(
        status: "SUBSCRIPTION_STATE_\(state)", standing: standing, isRenewing: isRenewing,
        unpausedCauses: over))
  }

  private func expect(
    _ facts: [Fact], are expected: [Fact.Body], _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(facts.map(\.body) == expected, sourceLocation: location)
    #expect(
      facts.allSatisfy { $0.membership == G.membership }, sourceLocation: location)
  }

  @Test func `an active subscription is a purchase under its order, up to its expiry`() throws {
    let facts = try G.facts(G.subscription())
    expect(facts, are: [observation("ACTIVE", .active), .purchased(try transaction())])
    #expect(facts[1].references == ["google-play:GPA.3333-4137-0319-36762"])
  }

  @Test func `an order with a number is a renewal`() throws {
    let renewed = G.item(until: "2026-03-01T00:00:00Z", order: "\(G.order)..0")
    expect(
      try G.facts(G.subscription(items: [renewed])),
      are: [
        observation("ACTIVE", .active),
        .renewed(
          try transaction(
            "google-play:GPA.3333-4137-0319-36762..0", until: "2026-03-01T00:00:00Z")),
      ])
  }

  @Test func `the order of the subscription stands in for that of its only item`() throws {
    let item = G.item(order: nil)
    let facts = try G.facts(
      G.subscription(items: [item], changing: ["latestOrderId": .string(G.order)]))
    #expect(facts.transactions.map(\.id) == [try transaction().id])
    let unnamed = try G.facts(G.subscription(items: [item]))
    #expect(unnamed.transactions.map(\.id) == ["google-play:token_1/pro_monthly"])
  }

  @Test(arguments: [
    ("freeTrial", TransactionKind.trial), ("introductoryPrice", .intro), ("basePrice", .paid),
    ("prorationPeriod", .paid),
  ])
  func `the phase of the offer says what was given for it`(
    phase: String, kind: TransactionKind
  ) throws {
    let item = G.item(changing: ["offerPhase": .object([.init(phase, [:])])])
    let facts = try G.facts(G.subscription(items: [item]))
    #expect(facts.transactions.map(\.kind) == [kind])
    #expect(facts.transactions.map { $0.amount == nil } == [kind != .paid])
    #expect(facts.observations.map(\.standing) == [kind == .trial ? .trialing : .active])
  }

  @Test func `a pending purchase gives nothing and is unfinished`() throws {
    let pending = G.subscription(
      "PENDING", items: [G.item(until: nil, order: nil)],
      changing: ["startTime": nil, "linkedPurchaseToken": "token_0"])
    expect(
      try G.facts(pending), are: [observation("PENDING", .incomplete, isRenewing: false)])
  }

  @Test func `a pending purchase that was cancelled never started, and replaced nothing`() throws {
    let cancelled = G.subscription(
      "PENDING_PURCHASE_CANCELED", items: [G.item(until: nil, order: nil)],
      changing: ["startTime": nil, "linkedPurchaseToken": "token_0"])
    expect(
      try G.facts(cancelled),
      are: [
        observation("PENDING_PURCHASE_CANCELED", .ended, isRenewing: false),
        .ended(End(at: try G.time(G.seen), reason: .neverStarted)),
      ])
  }

  @Test func `in a grace period the store keeps what was had until the expiry`() throws {
    let until = "2026-02-08T00:00:00Z"
    let grace = G.subscription("IN_GRACE_PERIOD", items: [G.item(until: until)])
    for (notification, start) in [
      (nil, "2026-02-02T00:00:00Z"),
      (G.subscriptionNotification(6, at: "2026-02-01T06:00:00Z"), "2026-02-01T06:00:00Z"),
    ] as [(JSONValue?, String)] {
      expect(
        try G.facts(grace, at: "2026-02-02T00:00:00Z", because: notification),
        are: [
          observation("IN_GRACE_PERIOD", .pastDue),
          .purchased(
            try transaction("google-play:token_1/pro_monthly", until: start, isObserved: true)),
          .paymentFailed(
            PaymentFailure(
              period: try Period(start: G.time(start), end: G.time(until)),
              graceUntil: try G.time(until), failedAt: try G.time(start))),
        ])
    }
  }

  @Test func `an account hold rests access from the expiry on`() throws {
    let hold = G.subscription("ON_HOLD")
    let end = try G.time(G.end)
    expect(
      try G.facts(hold, at: "2026-02-03T00:00:00Z"),
      are: [
        observation("ON_HOLD", .pastDue, over: ["subscription"]),
        .purchased(try transaction("google-play:token_1/pro_monthly", isObserved: true)),
        .paymentFailed(
          PaymentFailure(period: Period(start: end, end: end), failedAt: end)),
        .holdPlaced(Hold(cause: "account hold", at: end)),
      ])
    let told = try G.facts(
      hold, at: "2026-02-03T00:00:00Z",
      because: G.subscriptionNotification(5, at: "2026-02-02T00:00:00Z"))
    let from = try G.time("2026-02-02T00:00:00Z")
    #expect(
      told.has(
        .paymentFailed(
          PaymentFailure(
            period: Period(start: end, end: from), graceUntil: from, failedAt: end)),
        of: G.membership))
    #expect(told.has(.holdPlaced(Hold(cause: "account hold", at: from)), of: G.membership))
  }

  @Test func `a pause is in effect from the expiry on and names its end`() throws {
    let resumes = "2026-05-01T00:00:00Z"
    let paused = G.subscription(
      "PAUSED", changing: ["pausedStateContext": ["autoResumeTime": .string(resumes)]])
    expect(
      try G.facts(paused, at: "2026-02-03T00:00:00Z"),
      are: [
        observation("PAUSED", .paused, over: ["account hold"]),
        .purchased(try transaction("google-play:token_1/pro_monthly", isObserved: true)),
        .paused(
          Pause(
            cause: "subscription", at: try G.time(G.end), resumesAt: try G.time(resumes))),
      ])
  }

  @Test(arguments: [
    ("userInitiatedCancellation", "by the user"), ("systemInitiatedCancellation", "by the store"),
    ("developerInitiatedCancellation", "by the developer"),
    ("replacementCancellation", "replaced"), ("", ""),
  ])
  func `a cancellation ends at the expiry, not when it was asked for`(
    field: String, reason: String
  ) throws {
    let asked = "2026-01-05T00:00:00Z"
    let isUser = field == "userInitiatedCancellation"
    let context: JSONValue = .object([
      .init(field, isUser ? ["cancelTime": .string(asked)] : [:])
    ])
    let cancelled = G.subscription(
      "CANCELED", changing: ["canceledStateContext": field.isEmpty ? nil : context])
    expect(
      try G.facts(cancelled),
      are: [
        observation("CANCELED", .active, isRenewing: false), .purchased(try transaction()),
        .cancellationScheduled(
          CancellationSchedule(
            effectiveAt: try G.time(G.end), requestedAt: isUser ? try G.time(asked) : nil,
            reason: reason)),
      ])
  }

  @Test(arguments: [
    ("userInitiatedCancellation", EndReason.cancelled),
    ("systemInitiatedCancellation", .paymentFailed),
    ("developerInitiatedCancellation", .cancelled), ("replacementCancellation", .replaced),
    ("", .expired),
  ])
  func `an expired subscription ended at its expiry`(field: String, reason: EndReason) throws {
    let context: JSONValue = .object([.init(field, [:])])
    let expired = G.subscription(
      "EXPIRED", changing: ["canceledStateContext": field.isEmpty ? nil : context])
    expect(
      try G.facts(expired, at: "2026-02-03T00:00:00Z"),
      are: [
        observation("EXPIRED", .ended, isRenewing: false),
        .purchased(try transaction("google-play:token_1/pro_monthly", isObserved: true)),
        .ended(End(at: try G.time(G.end), reason: reason)),
      ])
  }

  @Test func `what is called expired before its expiry ended when it was seen`() throws {
    let facts = try G.facts(G.subscription("EXPIRED"))
    #expect(facts.has(.ended(End(at: try G.time(G.seen), reason: .expired)), of: G.membership))
  }

  @Test func `what expired because it was revoked was taken back`() throws {
    let facts = try G.facts(
      G.subscription("EXPIRED"), because: G.subscriptionNotification(12, at: G.seen))
    #expect(
      facts.has(
        .accessRevoked(AccessRevocation(at: try G.time(G.seen), reason: "revoked at the store")),
        of: G.membership))
    #expect(!G.names(facts).contains("ended"))
  }

  @Test func `a state that is not known is kept and gives nothing`() throws {
    let facts = try G.facts(G.subscription("HIBERNATING"))
    #expect(G.names(facts) == ["observed", "noted"])
    #expect(facts.observations.map(\.standing) == [.unrecognized(0)])
    #expect(facts.notes[0].reason == #"the state "SUBSCRIPTION_STATE_HIBERNATING" is not known"#)
  }

  // MARK: Silent grace

  @Test(arguments: [
    ("2026-01-31T23:59:59Z", nil), ("2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z"),
    ("2026-02-01T23:00:00Z", "2026-02-02T00:00:00Z"),
    ("2026-02-02T00:00:00Z", "2026-02-03T00:00:00Z"),
  ])
  func `what is active past its expiry is in silent grace`(
    observedAt: String, until: String?
  ) throws {
    let facts = try G.facts(G.subscription(), at: observedAt)
    let graces = facts.compactMap { fact -> Timestamp? in
      if case .paymentFailed(let failure) = fact.body { failure.graceUntil } else { nil }
    }
    #expect(try graces == [until].compactMap { try $0.map(G.time) })
  }

  @Test func `what is active long past its expiry, or renews not, has no grace`() throws {
    let late = try G.facts(G.subscription(), at: "2026-02-03T00:00:00Z")
    #expect(G.names(late) == ["observed", "purchased", "noted"])
    let prepaid = G.item(changing: ["autoRenewingPlan": nil, "prepaidPlan": [:]])
    let facts = try G.facts(G.subscription(items: [prepaid]), at: "2026-02-01T12:00:00Z")
    #expect(G.names(facts) == ["observed", "purchased"])
    #expect(facts.observations.map(\.isRenewing) == [false])
  }

  // MARK: Items

  @Test func `a deferred replacement is planned for the expiry, and the new item not had yet`()
    throws
  {
    let old = G.item(changing: ["deferredItemReplacement": ["productId": "basic_monthly"]])
    let new = G.item("basic_monthly", until: nil, order: nil)
    let facts = try G.facts(G.subscription(items: [old, new]))
    expect(
      facts,
      are: [
        observation("ACTIVE", .active), .purchased(try transaction()),
        .planChangeScheduled(
          PlanChange(
            at: try G.time(G.end), from: Offer(product: "pro_monthly", plan: "monthly"),
            to: Offer(product: "basic_monthly", plan: "monthly"))),
      ])
  }

  @Test func `a deferred removal drops the item at its expiry`() throws {
    let removed = G.item("extra", changing: ["deferredItemRemoval": [:]])
    let facts = try G.facts(G.subscription(items: [G.item(), removed]))
    let change = PlanChange(
      at: try G.time(G.end), from: Offer(product: "extra", plan: "monthly"), item: "extra",
      quantity: 0)
    #expect(facts.has(.planChangeScheduled(change), of: G.membership))
  }

  @Test func `items that share an order are transactions of their own`() throws {
    let facts = try G.facts(G.subscription(items: [G.item(), G.item("extra")]))
    #expect(
      facts.transactions.map(\.id)
        == [
          "google-play:\(G.order)/pro_monthly", "google-play:\(G.order)/extra",
        ].map(TransactionID.init(unchecked:)))
    #expect(facts.transactions.map(\.item) == ["pro_monthly", "extra"])
  }

  @Test func `an installment plan that is to end later is noted and renews until then`() throws {
    let plan: JSONValue = [
      "autoRenewEnabled": true, "installmentDetails": ["pendingCancellation": [:]],
    ]
    let facts = try G.facts(
      G.subscription(items: [G.item(changing: ["autoRenewingPlan": plan])]))
    #expect(facts.observations.map(\.isRenewing) == [false])
    #expect(facts.notes.count == 1)
  }

  @Test func `an amount that is no whole number of minor units is noted`() throws {
    for (price, minorUnits) in [
      (["currencyCode": "JPY", "units": "1200"], 1200),
      (["currencyCode": "USD", "nanos": 10_000_000], 1),
      (["currencyCode": "KWD", "units": "1", "nanos": 5_000_000], 1005),
      (["currencyCode": "USD", "units": "-1", "nanos": -500_000_000], -150),
      (["currencyCode": "USD", "units": "1", "nanos": 1], nil),
      (["currencyCode": "JPY", "units": "1", "nanos": 500_000_000], nil),
      (["currencyCode": "USD", "units": "9223372036854775807"], nil),
      (["currencyCode": "USD", "units": "1", "nanos": -1], nil),
      (["currencyCode": "QQQ", "units": "1"], nil),
      (["currencyCode": "USD", "units": "x"], nil),
    ] as [(JSONValue, Int64?)] {
      let plan: JSONValue = ["autoRenewEnabled": true, "recurringPrice": price]
      let facts = try G.facts(
        G.subscription(items: [G.item(changing: ["autoRenewingPlan": plan])]))
      #expect(facts.transactions.map(\.amount?.minorUnits) == [minorUnits] || price["units"] == "x")
      #expect(facts.notes.isEmpty == (minorUnits != nil), "\(price)")
    }
  }

  // MARK: Acknowledgement

  @Test(arguments: [
    (false, G.end, "2026-01-04T00:00:00Z"), (true, G.end, "2026-01-04T00:00:00Z"),
    (true, "2026-01-05T00:00:00Z", "2026-01-03T00:00:00Z"),
  ])
  func `a purchase is to be acknowledged in three days, or in half of what is prepaid`(
    isPrepaid: Bool, until: String, deadline: String
  ) throws {
    let plan: JSONValue = isPrepaid ? ["autoRenewingPlan": nil, "prepaidPlan": [:]] : [:]
    let pending: JSONValue = ["acknowledgementState": "ACKNOWLEDGEMENT_STATE_PENDING"]
    let facts = try G.facts(
      G.subscription(items: [G.item(until: until, changing: plan)], changing: pending),
      at: "2026-01-02T00:00:00Z")
    #expect(facts.observations.map(\.acknowledgeBy) == [try G.time(deadline)])
    #expect(try G.facts(G.subscription()).observations.map(\.acknowledgeBy) == [nil])
  }
}
