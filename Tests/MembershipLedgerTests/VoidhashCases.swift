import LedgerTestSupport
import MembershipLedger
import MembershipProviders
import Testing

/// Voidhash's documents through a ledger: in every order, once and twice.
@Suite struct VoidhashCases {
  private static let catalog = Make.catalogEvent(
    "manual:catalog-1",
    Catalog(
      entitlements: [.init(key: "premium")],
      products: [
        .init(
          id: "pro", entitlements: ["premium"],
          stores: [.init(provider: .voidhash, product: "prod_1")])
      ]))

  private static func time(_ day: Double) -> String {
    Timestamp(seconds: StripeHook.second(day)).description
  }

  private static let common = """
    "personId": "person_1", "distinctId": "user_42", "productId": "prod_1",
    "productSlug": "monthly", "providerProductId": "com.example.monthly",
    "provider": "apple-app-store", "environment": "production", "subscriptionId": "sub_1",
    "providerEnvironment": "production"
    """

  private static func webhook(_ type: String, at day: Double, _ more: String) -> String {
    """
    {"type": "\(type)", "occurredAt": "\(time(day))", "status": "active", \(common), \(more)}
    """
  }

  private static func action(_ action: String, at day: Double, _ more: String) -> String {
    """
    {"action": "\(action)", "idempotencyKey": "apple:900:\(action)", "source": "webhook",
     "occurredAt": "\(time(day))", \(common), \(more)}
    """
  }

  private static func period(
    _ transaction: Int, _ start: Double, _ end: Double
  ) -> String {
    """
    "providerTransactionId": "\(transaction)", "startsAt": "\(time(start))",
    "expiresAt": "\(time(end))", "isTrial": false,
    "amount": {"currency": "USD", "grossAmount": 999}
    """
  }

  private static let created = webhook("subscription.created", at: 1, period(1000, 1, 31))
  private static let renewed = webhook("subscription.renewed", at: 31, period(1001, 31, 61))

  private func story(
    _ documents: String..., before: [Event] = [],
    by adapter: VoidhashAdapter = VoidhashAdapter(trustsUnsigned: true),
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
    return Story(
      events: events, before: [Self.catalog] + before, customer: "voidhash:person_1")
  }

  @Test func `STRIPE-7: created and renewed of one transaction are one purchase`() throws {
    let same = Self.webhook("subscription.renewed", at: 1, Self.period(1000, 1, 31))
    try story(Self.created, same, Self.renewed).expect { answers in
      try answers.expect(on: [1, 30, 31, 60], notOn: [0, 61])
      #expect(try answers.membership(40).status == .active)
    }
  }

  @Test func `PEER-2: cancelled, resumed and cancelled again ends as the last one says`() throws {
    func cancel(at day: Double) -> String {
      Self.action(
        "cancelSubscription", at: day,
        """
        "canceledAt": "\(Self.time(day))", "cancelAtPeriodEnd": true,
        "expiresAt": "\(Self.time(31))"
        """)
    }
    let resumed = Self.action("resumeAutoRenew", at: 6, #""resumedAt": "\#(Self.time(6))""#)
    try story(Self.created, cancel(at: 5), resumed).expect { (answers) throws in
      #expect(try answers.membership(10).status == .active)
    }
    try story(Self.created, cancel(at: 5), resumed, cancel(at: 7)).expect { answers in
      #expect(try answers.membership(10).status == .canceling)
      try answers.expect(on: [10, 30], notOn: [31])
    }
  }

  @Test func `STORE-71: a refund takes its transaction, and its reversal gives it again`() throws {
    let refund = Self.webhook(
      "purchase.refunded", at: 10,
      #""providerTransactionId": "1000", "refundedAt": "\#(Self.time(10))", "amount": null"#)
    let reversal = Self.action(
      "reverseRefund", at: 20,
      #""providerTransactionId": "1000", "reversedAt": "\#(Self.time(20))""#)
    try story(Self.created, refund, Self.renewed).expect { answers in
      try answers.expect(on: [9, 31, 60], notOn: [10, 30])
    }
    try story(Self.created, refund, reversal).expect { answers in
      try answers.expect(on: [9, 20, 30], notOn: [10, 19, 31])
    }
  }

  @Test func `STORE-44: a billing retry gives the store's grace, and none without it`() throws {
    let retry = Self.action("enterBillingRetry", at: 31, #""billingRetryAt": "\#(Self.time(31))""#)
    let kept = Self.action(
      "enterBillingRetry", at: 31,
      #""billingRetryAt": "\#(Self.time(31))", "gracePeriodExpiresAt": "\#(Self.time(34))""#)
    try story(Self.created, retry).expect { try $0.expect(on: [30], notOn: [31, 33]) }
    try story(Self.created, kept).expect { answers in
      try answers.expect(on: [30, 31, 33], notOn: [34])
    }
  }

  @Test func `an extension moves the end, and an expiry is final for its period`() throws {
    let longer = Self.action("extendSubscription", at: 20, #""extendedTo": "\#(Self.time(41))""#)
    try story(Self.created, longer).expect { try $0.expect(on: [31, 40], notOn: [41]) }
    let over = Self.webhook(
      "subscription.expired", at: 31, #""expiredAt": "\#(Self.time(31))""#)
    try story(Self.created, over, Self.renewed).expect { try $0.expect(on: [30, 31, 60]) }
    try story(Self.created, over).expect { try $0.expect(on: [30], notOn: [31]) }
  }

  @Test func `PEER-40: a transfer moves a membership from one person to the other`() throws {
    func transfer(_ mode: String) -> String {
      """
      {"action": "transferSubscription", "subscriptionId": "sub_1", "fromPersonId": "person_1",
       "toPersonId": "person_2", "transferMode": "\(mode)", "occurredAt": "\(Self.time(10))",
       "source": "sdk", "triggerReason": "appstore_restore"}
      """
    }
    try story(Self.created, transfer("transfer_to_new_owner")).expect { answers in
      try answers.expect(of: "voidhash:person_1", on: [9], notOn: [10, 20])
      try answers.expect(of: "voidhash:person_2", on: [10, 20], notOn: [9])
    }
    for mode in ["keep_with_previous_owner", "transfer_if_no_active_on_target"] {
      try story(Self.created, transfer(mode)).expect { answers in
        try answers.expect(of: "voidhash:person_1", on: [9, 10, 20])
      }
    }
  }

  @Test func `what is only observed gives access or is compared, by policy`() throws {
    let observer = VoidhashAdapter(trustsUnsigned: true, isObserver: true)
    try story(Self.created, Self.renewed, by: observer).expect { answers in
      try answers.expect(on: [1, 30, 31, 60], notOn: [61])
      #expect(try answers.decision(2).isAssumed)
    }
    let rules = Policy.ProviderRules(provider: .voidhash, distrustsStanding: true)
    let comparing = Make.manual(
      "manual:policy", at: day(0),
      .policyRevised(PolicyRevision(policy: Policy(providers: [rules]))))
    try story(Self.created, Self.renewed, before: [comparing], by: observer).expect { answers in
      try answers.expect(notOn: [1, 30, 31, 60])
      #expect(try answers.memberships(2).count == 1)
    }
  }

  @Test func `a perk given by hand is had, and one that follows from a purchase is a claim`() throws
  {
    func person(_ source: String, _ status: String, at day: Double) -> String {
      """
      {"personId": "person_1", "distinctId": "user_42", "entitlements": {"grants": [
        {"perkId": "premium", "status": "\(status)", "source": "\(source)", "sourceId": null,
         "sourcePersonId": "person_1", "expiresAt": null}]},
       "subscriptions": {"current": null, "history": [
        {"subscriptionId": "sub_9", "status": "expired", "startsAt": "\(Self.time(day))"}]},
       "purchases": {"history": []}, "snapshotContext": {"mode": "persisted"}}
      """
    }
    let linking = VoidhashAdapter(trustsUnsigned: true, linksDistinctIDs: true)
    let given = person("manual", "active", at: 1)
    try story(given, by: linking).expect { answers in
      try answers.expect(on: [1, 500])
      try answers.expect(of: "user_42", on: [1, 500], notOn: [0])
    }
    try story(given, person("manual", "expired", at: 10), by: linking).expect {
      try $0.expect(on: [1, 9], notOn: [10, 20])
    }
    try story(person("subscription", "active", at: 1)).expect { try $0.expect(notOn: [1, 20]) }
  }
}
