import MembershipModel
import Testing

@testable import MembershipProviders

@Suite struct VoidhashTests {
  typealias V = Voidhash

  /// What each document states: every type of the table at least once.
  static let rows: [(document: JSONValue, facts: [Fact.Body])] = webhooks + actions

  private static let amount = Money(minorUnits: 999, currency: "USD")

  private static func transaction(
    _ kind: TransactionKind = .paid, _ period: Period? = V.period, amount: Money? = amount
  ) -> Transaction {
    Transaction(id: "voidhash:1000", offer: V.offer, period: period, kind: kind, amount: amount)
  }

  private static func standing(
    _ standing: Standing, isRenewing: Bool = false, status: String? = "active"
  ) -> Fact.Body {
    .observed(
      Observation(
        status: status ?? standing.name, standing: standing, isRenewing: isRenewing))
  }

  private static let noon = "2026-01-10T12:00:00.000Z"

  private static let webhooks: [(JSONValue, [Fact.Body])] = [
    (
      V.subscription("subscription.created"),
      [standing(.active, isRenewing: true), .purchased(transaction())]
    ),
    (
      V.subscription("subscription.created", changing: ["isTrial": true, "amount": nil]),
      [standing(.active, isRenewing: true), .purchased(transaction(.trial, amount: nil))]
    ),
    (
      V.subscription("subscription.renewed"),
      [standing(.active, isRenewing: true), .renewed(transaction())]
    ),
    (
      V.subscription(
        "subscription.cancelled",
        changing: [
          "canceledAt": .string(noon), "cancelAtPeriodEnd": true,
          "cancellationReason": "UNSUBSCRIBE", "status": "canceled",
        ]),
      [
        standing(.active, status: "canceled"),
        .cancellationScheduled(
          CancellationSchedule(
            effectiveAt: V.at(V.february), requestedAt: V.at(noon), reason: "UNSUBSCRIBE")),
      ]
    ),
    (
      V.subscription(
        "subscription.cancelled",
        changing: [
          "canceledAt": .string(noon), "cancelAtPeriodEnd": false, "status": "canceled",
        ]),
      [
        standing(.ended, status: "canceled"),
        .ended(End(at: V.at(noon), reason: .cancelled)),
      ]
    ),
    (
      V.subscription(
        "subscription.expired",
        changing: ["expiredAt": .string(V.february), "status": "canceled"]),
      [
        standing(.ended, status: "canceled"),
        .ended(End(at: V.at(V.february), reason: .expired)),
      ]
    ),
    (V.purchase("purchase.completed"), [.purchased(transaction(.oneTime, nil))]),
    (
      V.purchase("purchase.completed", changing: ["purchaseKind": "consumable"]),
      [
        .purchased(
          transaction(.oneTime, Period(start: V.at(V.january), end: V.at(V.january))))
      ]
    ),
    (
      V.purchase(
        "purchase.refunded", changing: ["refundedAt": .string(noon), "refundReason": "OTHER"]),
      [
        .refunded(
          Refund(amount: amount, revokes: true, at: V.at(noon), transaction: "voidhash:1000"))
      ]
    ),
    (
      V.purchase(
        "purchase.refunded",
        changing: ["refundedAt": .string(noon), "refundReason": "OTHER", "amount": nil]),
      [
        .accessRevoked(
          AccessRevocation(transaction: "voidhash:1000", at: V.at(noon), reason: "OTHER"))
      ]
    ),
    (["type": "test.ping", "message": "hello", "timestamp": .string(V.january)], []),
  ]

  private static let money: JSONValue = ["currency": "USD", "grossAmount": 999, "taxAmount": 90]

  private static let actions: [(JSONValue, [Fact.Body])] = [
    (
      V.action(
        "startSubscription",
        changing: [
          "startsAt": .string(V.january), "expiresAt": .string(V.february), "isTrial": false,
          "money": money,
        ]),
      [
        standing(.active, isRenewing: true, status: nil), .purchased(transaction()),
      ]
    ),
    (
      V.action(
        "renewSubscription",
        changing: [
          "startsAt": .string(V.january), "expiresAt": .string(V.february), "money": money,
        ]),
      [standing(.active, isRenewing: true, status: nil), .renewed(transaction())]
    ),
    (
      V.action(
        "cancelSubscription",
        changing: [
          "canceledAt": .string(noon), "cancelAtPeriodEnd": true, "expiresAt": .string(V.february),
        ]),
      [
        standing(.active, status: nil),
        .cancellationScheduled(
          CancellationSchedule(effectiveAt: V.at(V.february), requestedAt: V.at(noon))),
      ]
    ),
    (
      V.action("expireSubscription", changing: ["expiredAt": .string(V.february)]),
      [
        standing(.ended, status: nil),
        .ended(End(at: V.at(V.february), reason: .expired)),
      ]
    ),
    (
      V.action(
        "revokeSubscription",
        changing: ["revokedAt": .string(noon), "revocationReason": "FAMILY"]),
      [.accessRevoked(AccessRevocation(at: V.at(noon), reason: "FAMILY"))]
    ),
    (
      V.action(
        "completeOneTimePurchase",
        changing: [
          "purchasedAt": .string(V.january), "purchaseType": "one-time", "money": money,
        ]),
      [.purchased(transaction(.oneTime, nil))]
    ),
    (
      V.action("refundPurchase", changing: ["refundedAt": .string(noon)]),
      [
        .accessRevoked(
          AccessRevocation(transaction: "voidhash:1000", at: V.at(noon), reason: "refund"))
      ]
    ),
    (
      V.action("revokePurchase", changing: ["revokedAt": .string(noon)]),
      [.accessRevoked(AccessRevocation(transaction: "voidhash:1000", at: V.at(noon)))]
    ),
    (
      V.action("reverseRefund", changing: ["reversedAt": .string(noon)]),
      [.refundReversed(RefundReversal(at: V.at(noon), transaction: "voidhash:1000"))]
    ),
    (
      V.action(
        "enterBillingRetry",
        changing: [
          "billingRetryAt": .string(V.february), "gracePeriodExpiresAt": .string(V.march),
        ]),
      [
        .paymentFailed(
          PaymentFailure(
            period: Period(start: V.at(V.february), end: V.at(V.march)),
            graceUntil: V.at(V.march)))
      ]
    ),
    (
      V.action("enterBillingRetry", changing: ["billingRetryAt": .string(V.february)]),
      [
        .paymentFailed(
          PaymentFailure(period: Period(start: V.at(V.february), end: V.at(V.february))))
      ]
    ),
    (
      V.action("extendSubscription", changing: ["extendedTo": .string(V.march)]),
      [.extended(Extension(until: V.at(V.march)))]
    ),
    (
      V.action(
        "changeRenewalPreference", changing: ["newProviderProductKey": "com.example.yearly"]),
      [
        .planChangeScheduled(
          PlanChange(at: .latest, from: V.offer, to: Offer(plan: "com.example.yearly")))
      ]
    ),
    (V.action("redeemOffer", changing: ["offerId": "WINTER"]), []),
    (V.action("recordPriceIncrease", changing: ["effectiveAt": .string(V.march)]), []),
    (
      V.action("resumeAutoRenew", changing: ["resumedAt": .string(noon)]),
      [.cancellationWithdrawn(Withdrawal(at: V.at(noon)))]
    ),
    (
      V.transfer(mode: "transfer_to_new_owner"),
      [
        .transferred(
          Transfer(
            to: "voidhash:person_2", from: "voidhash:person_1", reason: "transfer_to_new_owner"))
      ]
    ),
    (
      V.transfer(mode: nil).with(["action": "transferPurchase", "purchaseId": "pur_1"]),
      [
        .transferred(
          Transfer(
            to: "voidhash:person_2", from: "voidhash:person_1", reason: "transfer_to_new_owner"))
      ]
    ),
  ]

  @Test(arguments: rows)
  func `each document states its facts`(row: (document: JSONValue, facts: [Fact.Body])) throws {
    let facts = try V.facts(in: row.document)
    let stated = facts.map(\.body).filter { $0.name != "noted" }
    #expect(stated == row.facts)
    #expect(facts.notes.isEmpty == !row.facts.isEmpty)
  }

  @Test func `the seventeen actions and the six webhooks are in the table, and stated`() throws {
    let named = Self.rows.compactMap { ($0.document["action"] ?? $0.document["type"])?.string }
    #expect(Set(named).union(["person"]) == Set(VoidhashEventTable.events.keys))
    #expect(Set(named.filter { !$0.contains(".") }).count == 17)
  }

  @Test func `the page's table lists everything that is read, with its facts`() throws {
    let documented = try DocumentedTable.rows(ofPage: "Voidhash")
    let read = VoidhashEventTable.events.mapValues { Set($0.facts) }
    #expect(Set(documented.keys) == Set(read.keys))
    let known = Set(Fact.Body.known.map(\.name))
    for (type, facts) in read {
      #expect(documented[type] == facts, "\(type)")
      #expect(facts.isSubset(of: known))
    }
    for row in Self.rows {
      let type = (row.document["action"] ?? row.document["type"])?.string ?? ""
      #expect(Set(row.facts.map(\.name)).isSubset(of: read[type] ?? []))
    }
  }

  @Test func `a webhook and a payment are named the same by every delivery and every route`() throws
  {
    let event = try V.event(in: V.subscription("subscription.renewed"))
    #expect(event.id == "voidhash:subscription.renewed/sub_1/1767225600000")
    #expect(event.account == "voidhash:person_1")
    #expect(event.customer == nil)
    #expect(event.effectiveAt == V.at(V.january))
    #expect(event.facts.map(\.membership) == ["voidhash:sub_1", "voidhash:sub_1"])
    #expect(event.facts.last?.references == V.references)
    let created = try V.event(in: V.subscription("subscription.created"))
    #expect(created.facts.transactions.map(\.id) == event.facts.transactions.map(\.id))
    #expect(created.id != event.id)
  }

  @Test func `PEER-2: cancelling twice within a period is two actions under one key`() throws {
    let ids = try [V.january, V.february].map { time in
      try V.event(in: V.action("cancelSubscription", at: time)).id
    }
    #expect(Set(ids).count == 2)
    #expect(try V.event(in: V.action("cancelSubscription", at: V.january)).id == ids[0])
  }

  @Test func `an action that came with its result is about what the result names`() throws {
    let bare = try V.facts(
      in: V.action("extendSubscription", changing: ["extendedTo": .string(V.march)]))
    #expect(bare.map(\.membership) == ["voidhash:900"])
    let told = try V.facts(
      in: V.action(
        "extendSubscription",
        changing: ["extendedTo": .string(V.march), "result": ["subscriptionId": "sub_1"]]))
    #expect(told.map(\.membership) == ["voidhash:sub_1"])
    let replayed = try V.event(
      in: V.action("expireSubscription", changing: ["source": "reconciliation"]))
    #expect(replayed.provenance.origin == .reconcile)
  }

  @Test(
    arguments: [
      ("transfer_to_new_owner", nil, true), ("keep_with_previous_owner", nil, false),
      ("transfer_if_no_active_on_target", nil, false),
      ("transfer_if_no_active_on_target", "person_2", true),
      ("transfer_if_no_active_on_target", "person_1", false),
      ("transfer_to_new_owner", "person_1", false), ("novel", "person_2", false),
    ] as [(String, String?, Bool)])
  func `a transfer moves a membership by its mode`(
    row: (mode: String, holder: String?, moves: Bool)
  ) throws {
    let result: JSONValue = row.holder.map { ["personId": .string($0)] } ?? nil
    let event = try V.event(in: V.transfer(mode: row.mode, result: result))
    #expect(names(event.facts) == [row.moves ? "transferred" : "noted"])
    #expect(event.account == nil)
  }

  @Test func `what is only observed is marked so, for the policy to grant or to compare`() throws {
    let observer = VoidhashAdapter(trustsUnsigned: true, isObserver: true)
    for document in [V.subscription("subscription.created"), V.purchase("purchase.completed")] {
      #expect(try V.facts(in: document, by: observer).transactions.map(\.isObserved) == [true])
      #expect(try V.facts(in: document).transactions.map(\.isObserved) == [false])
    }
  }

  @Test func `distinct ids link only where they are the service's own`() throws {
    let linking = VoidhashAdapter(trustsUnsigned: true, linksDistinctIDs: true)
    let event = try V.event(in: V.subscription("subscription.created"), by: linking)
    #expect(event.customer == "user_42")
    let link = AccountLink(account: "voidhash:person_1", customer: "user_42")
    #expect(event.facts.has(.accountLinked(link), of: nil))
  }

  @Test(
    arguments: [
      ("production", Environment.production), ("sandbox", .sandbox), ("development", .sandbox),
      ("novel", .sandbox), (nil, .sandbox),
    ] as [(String?, Environment)])
  func `STRIPE-47: what does not say that its money is real is not`(
    row: (word: String?, environment: Environment)
  ) throws {
    let document = V.subscription(
      "subscription.created", changing: ["environment": row.word.map(JSONValue.string) ?? nil])
    #expect(try V.event(in: document).environment == row.environment)
    let strict = VoidhashAdapter(trustsUnsigned: true, environment: .production)
    let code = refusal(strict.read(V.document(document)))
    #expect(code == (row.environment == .production ? nil : .wrongEnvironment))
  }

  @Test func `an amount that is not reported is not nothing`() throws {
    let free = V.subscription(
      "subscription.created", changing: ["amount": ["currency": "USD", "grossAmount": 0]])
    #expect(try V.facts(in: free).transactions.map(\.kind) == [.free])
    let silent = V.subscription("subscription.created", changing: ["amount": nil])
    #expect(try V.facts(in: silent).transactions.map(\.kind) == [.paid])
    #expect(try V.facts(in: silent).transactions.map(\.amount) == [nil])
  }

  @Test func `a subscription without an end gives nothing`() throws {
    for changes in [["expiresAt": nil], ["startsAt": nil], ["expiresAt": "soon"]] as [JSONValue] {
      let facts = try V.facts(in: V.subscription("subscription.created", changing: changes))
      #expect(facts.transactions.isEmpty)
      #expect(facts.notes.count == 1)
    }
  }

  // MARK: - Persons

  @Test func `a person's perks are claims, and those given by hand are grants`() throws {
    let until: JSONValue = ["expiresAt": .string(V.march)]
    let linking = VoidhashAdapter(trustsUnsigned: true, linksDistinctIDs: true)
    let facts = try V.facts(
      in: V.person([
        V.grant("pro"), V.grant("old", status: "expired"),
        V.grant("gift", source: "manual", changing: until),
        V.grant("gone", status: "expired", source: "manual"),
        V.grant("shared", source: "manual", changing: ["sourcePersonId": "person_9"]),
      ]), by: linking)
    let given = ManualGrant(
      id: "voidhash:person_1/gift", entitlement: "gift", until: V.at(V.march),
      reason: "given by hand", giver: "voidhash")
    #expect(facts.has(.granted(given), of: nil))
    let revoked = ManualGrantRevocation(
      id: "voidhash:person_1/gone", at: V.at(V.january), reason: "expired")
    #expect(facts.has(.grantRevoked(revoked), of: nil))
    let claim = EntitlementClaim(entitlements: ["pro", "gift", "shared"], isComplete: true)
    #expect(facts.has(.claimed(claim), of: nil))
    #expect(facts.notes.count == 1)
    let nobody = try V.facts(in: V.person([V.grant("gift", source: "manual")]))
    #expect(names(nobody) == ["claimed", "noted"])
    let merging = try V.facts(in: V.person([V.grant("pro")], mode: "temporary_pending_transfer"))
    #expect(
      merging.has(.claimed(EntitlementClaim(entitlements: ["pro"], isComplete: false)), of: nil))
  }

  // MARK: - What is refused

  @Test func `what is not Voidhash's, or lacks what identifies it, is refused`() {
    func code(_ json: JSONValue) -> Refusal.Code? { refusal(V.trusting.read(V.document(json))) }
    for json in [[:], [], "x", 1, nil, ["id": "x"], ["type": 5], ["personId": "p"]] as [JSONValue] {
      #expect(code(json) == .wrongShape)
    }
    #expect(code(V.subscription("subscription.renewed").without("occurredAt")) == .missingTime)
    #expect(code(V.action("renewSubscription").without("occurredAt")) == .missingTime)
    #expect(code(V.action("renewSubscription").without("idempotencyKey")) == .malformed)
    let long = String(repeating: "s", count: 500)
    #expect(
      code(V.subscription("subscription.renewed", changing: ["subscriptionId": .string(long)]))
        == .malformed)
  }

  @Test(arguments: ["person.created", "subscription.transferred", "novel"])
  func `other events are kept without effect`(type: String) throws {
    let event = try V.event(in: V.subscription(type))
    #expect(names(event.facts) == ["noted"])
  }

  @Test(arguments: 0..<UInt64(3))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    let damage = DocumentDamage(
      adapter: V.trusting, poison: DocumentDamage.poison + ["one_time", "person_2", "manual"])
    let person = V.person([V.grant("gift", source: "manual")])
    for document in Self.rows.map(\.document) + [person] {
      try damage.damageFields(of: document, seed: seed)
    }
    try damage.damageBytes(of: person, seed: seed)
  }

  @Test func `no value in the place of any field traps`() throws {
    let damage = DocumentDamage(adapter: V.trusting, poison: DocumentDamage.poison)
    for document in Self.rows.map(\.document) + [V.person([V.grant("gift", source: "manual")])] {
      try damage.poisonFields(of: document)
    }
  }
}
