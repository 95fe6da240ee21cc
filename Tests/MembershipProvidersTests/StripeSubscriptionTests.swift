import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeSubscriptionTests {
  typealias S = StripeFixture

  let period = Period(start: at(S.january), end: at(S.february))

  @Test func `an active subscription is observed, and speaks for each item's period`() throws {
    let items = [
      S.item(), S.item("si_2", price: S.price("price_B", product: "prod_B"), quantity: 3),
    ]
    let facts = try facts("customer.subscription.created", S.subscription(items: items))
    #expect(names(facts) == ["observed", "purchased", "purchased"])
    #expect(
      facts.observations == [
        Observation(
          status: "active", standing: .active, isRenewing: true,
          unpausedCauses: ["collection", "subscription"],
          items: [
            ObservedItem(
              item: "si_1", offer: Offer(product: "prod_A", plan: "price_A"), quantity: 1),
            ObservedItem(
              item: "si_2", offer: Offer(product: "prod_B", plan: "price_B"), quantity: 3),
          ], startedAt: at(S.january))
      ])
    #expect(
      facts.transactions == [
        Transaction(
          id: "stripe:sub_1/si_1/1767225600", offer: Offer(product: "prod_A", plan: "price_A"),
          period: period, kind: .paid, item: "si_1", isObserved: true),
        Transaction(
          id: "stripe:sub_1/si_2/1767225600", offer: Offer(product: "prod_B", plan: "price_B"),
          period: period, kind: .paid, quantity: 3, item: "si_2", isObserved: true),
      ])
    #expect(facts.allSatisfy { $0.membership == "stripe:sub_1" })
  }

  @Test func `a snapshot shows all items, or none where some are not shown`() throws {
    let metered = S.item("si_2", price: S.price("price_B")).without("quantity")
    let whole = S.subscription(items: [S.item(quantity: 3), metered])
    let shown = try facts("customer.subscription.updated", whole).observations.flatMap(\.items)
    #expect(shown.map(\.item) == ["si_1", "si_2"])
    #expect(shown.map(\.offer.plan) == ["price_A", "price_B"])
    #expect(shown.map(\.quantity) == [3, nil])
    let list: JSONValue = ["object": "list", "has_more": true, "data": [S.item()]]
    for changes: JSONValue in [["items": list], ["status": "canceled"]] {
      let facts = try facts("customer.subscription.updated", whole.with(changes))
      #expect(facts.observations.map(\.items) == [[]])
    }
    let nameless = S.subscription(items: [S.item().without("price")])
    let facts = try facts("customer.subscription.updated", nameless)
    #expect(facts.observations.map(\.items) == [[]])
  }

  @Test func `any other event of an active subscription observes a renewal`() throws {
    let facts = try facts("customer.subscription.updated", S.subscription())
    #expect(names(facts) == ["observed", "renewed"])
  }

  @Test func `an item that costs nothing is free`() throws {
    let item = S.item(price: S.price("price_0", amount: 0))
    let facts = try facts("customer.subscription.updated", S.subscription(items: [item]))
    #expect(facts.transactions.map(\.kind) == [.free])
  }

  @Test(arguments: [
    ("active", Standing.active), ("trialing", .trialing), ("past_due", .pastDue),
    ("unpaid", .unpaid), ("incomplete", .incomplete), ("incomplete_expired", .ended),
    ("canceled", .ended), ("paused", .paused), ("sleeping", .unrecognized(0)),
  ])
  func `each status keeps its word and gets its standing`(
    status: String, standing: Standing
  ) throws {
    let facts = try facts("customer.subscription.updated", S.subscription(status: status))
    #expect(facts.observations.map(\.status) == [status])
    #expect(facts.observations.map(\.standing) == [standing])
    #expect(facts.transactions.isEmpty == (status != "active"))
    #expect(facts.observations.map(\.isRenewing) == [standing != .ended])
  }

  @Test func `an unknown status is noted by name`() throws {
    let facts = try facts("customer.subscription.updated", S.subscription(status: "sleeping"))
    #expect(facts.notes.map(\.reason) == ["the status \"sleeping\" is not known"])
  }

  // MARK: - Trials

  func trialing(_ changes: JSONValue = [:]) -> JSONValue {
    let trial: JSONValue = ["trial_start": .integer(S.january), "trial_end": .integer(S.february)]
    return S.subscription(status: "trialing", changing: trial.with(changes))
  }

  @Test func `a trial is bought without payment, item by item`() throws {
    let facts = try facts("customer.subscription.created", trialing())
    #expect(names(facts) == ["observed", "purchased"])
    #expect(
      facts.transactions == [
        Transaction(
          id: "stripe:sub_1/unbilled/si_1/1767225600",
          offer: Offer(product: "prod_A", plan: "price_A"), period: period, kind: .trial,
          item: "si_1")
      ])
  }

  @Test func `a trial cut short keeps its id and ends earlier`() throws {
    let ended = S.subscription(
      changing: [
        "trial_start": .integer(S.january), "trial_end": .integer(S.january + 60),
      ])
    let facts = try facts(
      "customer.subscription.updated", ended,
      previous: ["trial_end": .integer(S.february), "status": "trialing"])
    let trials = facts.transactions.filter { $0.kind == .trial }
    #expect(trials.map(\.id) == ["stripe:sub_1/unbilled/si_1/1767225600"])
    #expect(trials.map { $0.period?.end } == [at(S.january + 60)])
  }

  @Test func `a trial long over is not stated again by changes that do not touch it`() throws {
    let past: JSONValue = [
      "trial_start": .integer(S.january - 100), "trial_end": .integer(S.january),
    ]
    let touched = try facts(
      "customer.subscription.updated", S.subscription(changing: past), previous: ["metadata": [:]])
    #expect(touched.transactions.map(\.kind) == [.paid])
    let bare = try facts("customer.subscription.updated", S.subscription(changing: past))
    #expect(bare.transactions.map(\.kind) == [.paid, .trial])
  }

  @Test(arguments: ["incomplete", "incomplete_expired", "sleeping"])
  func `what never started has no trial`(status: String) throws {
    let facts = try facts(
      "customer.subscription.updated", trialing(["status": .string(status)]))
    #expect(facts.transactions.isEmpty)
  }

  @Test func `a trial that is about to end changes nothing`() throws {
    #expect(try names(facts("customer.subscription.trial_will_end", trialing())) == ["noted"])
  }

  // MARK: - Planned ends

  static let plannedEnds: [(JSONValue, Int64)] = [
    (["cancel_at_period_end": true], S.february),
    (["cancel_at": .integer(S.march)], S.march),
    (["cancel_at_period_end": true, "cancel_at": .integer(S.march)], S.march),
  ]

  @Test(arguments: plannedEnds)
  func `an end is planned by the flag, by the instant, or by both`(
    changes: JSONValue, end: Int64
  ) throws {
    let asked: JSONValue = [
      "canceled_at": .integer(S.january + 5),
      "cancellation_details": ["reason": "cancellation_requested", "comment": "Jane left"],
    ]
    let facts = try facts(
      "customer.subscription.updated", S.subscription(changing: asked.with(changes)))
    #expect(
      facts.has(
        .cancellationScheduled(
          CancellationSchedule(
            effectiveAt: at(end), requestedAt: at(S.january + 5),
            reason: "cancellation_requested"))))
    #expect(facts.observations.map(\.isRenewing) == [false])
    #expect(!names(facts).contains("ended"))
  }

  @Test func `with items of several intervals the flag means the earliest end`() throws {
    let items = [
      S.item().with([
        "current_period_start": .integer(S.january), "current_period_end": .integer(S.march),
      ]),
      S.item("si_2").with([
        "current_period_start": .integer(S.january), "current_period_end": .integer(S.february),
      ]),
    ]
    let facts = try facts(
      "customer.subscription.updated",
      S.subscription(.before, items: items, changing: ["cancel_at_period_end": true]))
    #expect(
      facts.has(.cancellationScheduled(CancellationSchedule(effectiveAt: at(S.february)))))
  }

  @Test(arguments: plannedEnds.map(\.0))
  func `a planned end that was there and is no more is withdrawn`(previous: JSONValue) throws {
    let facts = try facts(
      "customer.subscription.updated", S.subscription(), previous: previous)
    #expect(facts.has(.cancellationWithdrawn(Withdrawal())))
    #expect(facts.observations.map(\.isRenewing) == [true])
  }

  @Test func `nothing is withdrawn where no end was planned`() throws {
    let facts = try facts(
      "customer.subscription.updated", S.subscription(), previous: ["metadata": [:]])
    #expect(names(facts) == ["observed", "renewed"])
  }

  // MARK: - Ends

  @Test func `an end is in effect from ended_at, whatever was planned`() throws {
    let facts = try facts(
      "customer.subscription.deleted",
      S.subscription(
        status: "canceled",
        changing: [
          "ended_at": .integer(S.january + 9), "canceled_at": .integer(S.january + 3),
          "cancel_at_period_end": true,
        ]))
    #expect(facts.has(.ended(End(at: at(S.january + 9), reason: .cancelled))))
    #expect(!names(facts).contains("cancellationScheduled"))
    #expect(facts.transactions.isEmpty)
  }

  @Test func `without ended_at the time of the request counts only where no end was planned`()
    throws
  {
    let asked: JSONValue = ["canceled_at": .integer(S.january - 50)]
    let immediate = try facts(
      "customer.subscription.deleted", S.subscription(status: "canceled", changing: asked))
    #expect(immediate.has(.ended(End(at: at(S.january - 50), reason: .cancelled))))
    let planned = try facts(
      "customer.subscription.deleted",
      S.subscription(status: "canceled", changing: asked.with(["cancel_at_period_end": true])))
    #expect(planned.has(.ended(End(at: at(S.january), reason: .cancelled))))
  }

  @Test func `the event of the end is final even beside a status that says otherwise`() throws {
    let facts = try facts("customer.subscription.deleted", S.subscription())
    #expect(facts.has(.ended(End(at: at(S.january), reason: .cancelled))))
    #expect(facts.observations.map(\.standing) == [.ended])
    #expect(facts.transactions.isEmpty)
  }

  @Test(arguments: [
    ("canceled", "payment_failed", EndReason.paymentFailed),
    ("canceled", "cancellation_requested", .cancelled),
    ("canceled", "payment_disputed", .cancelled),
    ("canceled", "canceled_by_retention_policy", .cancelled),
    ("incomplete_expired", "payment_failed", .neverStarted),
  ])
  func `an end has its reason`(status: String, reason: String, expected: EndReason) throws {
    let facts = try facts(
      "customer.subscription.updated",
      S.subscription(
        status: status, changing: ["cancellation_details": ["reason": .string(reason)]]))
    #expect(facts.has(.ended(End(at: at(S.january), reason: expected))))
  }

  // MARK: - Failed payments and pauses

  @Test(arguments: ["past_due", "unpaid"])
  func `standing with a failed payment names the period that is not paid`(status: String) throws {
    let facts = try facts("customer.subscription.updated", S.subscription(status: status))
    #expect(names(facts) == ["observed", "paymentFailed"])
    #expect(facts.has(.paymentFailed(PaymentFailure(period: period))))
  }

  @Test func `paused collection is a pause of its own beside an active status`() throws {
    let pause: JSONValue = [
      "pause_collection": ["behavior": "void", "resumes_at": .integer(S.march)]
    ]
    let paused = try facts("customer.subscription.updated", S.subscription(changing: pause))
    #expect(paused.has(.paused(Pause(cause: "collection", resumesAt: at(S.march)))))
    #expect(paused.observations.map(\.unpausedCauses) == [["subscription"]])
    let resumed = try facts(
      "customer.subscription.updated", S.subscription(), previous: pause)
    #expect(resumed.has(.resumed(Resumption(cause: "collection"))))
  }

  @Test func `a paused subscription is paused until it is resumed`() throws {
    let paused = try facts("customer.subscription.paused", S.subscription(status: "paused"))
    #expect(paused.has(.paused(Pause(cause: "subscription"))))
    #expect(paused.observations.map(\.unpausedCauses) == [["collection"]])
    let resumed = try facts("customer.subscription.resumed", S.subscription())
    #expect(resumed.has(.resumed(Resumption(cause: "subscription"))))
    let changed = try facts(
      "customer.subscription.updated", S.subscription(), previous: ["status": "paused"])
    #expect(changed.has(.resumed(Resumption(cause: "subscription"))))
  }

  // MARK: - Very old and damaged documents

  @Test func `a plan without items is read as the one item`() throws {
    let subscription = S.subscription(.before).without("items").with([
      "plan": ["id": "gold", "amount": 500], "quantity": 2,
    ])
    let facts = try facts("customer.subscription.updated", subscription)
    #expect(facts.transactions.map(\.id) == ["stripe:sub_1/1767225600"])
    #expect(facts.transactions.map(\.offer) == [Offer(plan: "gold")])
    #expect(facts.transactions.map(\.quantity) == [2])
  }

  @Test func `an absent period is unknown, not zero`() throws {
    let subscription = S.subscription(.before).without("current_period_end")
    let facts = try facts("customer.subscription.updated", subscription)
    #expect(names(facts) == ["observed", "noted"])
    #expect(facts.notes.map(\.reason) == ["an item shows no usable period"])
  }

  static let unreadable: [(JSONValue, String)] = [
    (["cancel_at": "soon"], "cancel_at is no time in whole seconds"),
    (["cancel_at": 999_999_999_999], "cancel_at is outside the years 1 to 9999"),
    (["cancel_at_period_end": 1], "cancel_at_period_end is neither true nor false"),
    (["pause_collection": "void"], "pause_collection is no object"),
    (["items": 3], "items is no list"), (["status": 5], "status is no text"),
  ]

  @Test(arguments: unreadable)
  func `what cannot be read is noted`(changes: JSONValue, reason: String) throws {
    let facts = try facts("customer.subscription.updated", S.subscription(changing: changes))
    #expect(facts.notes.contains { $0.reason.contains(reason) })
    #expect(facts.notes.map(\.subject) == ["sub_1"])
  }

  @Test func `an end planned for an unreadable instant is not renewal`() throws {
    let facts = try facts(
      "customer.subscription.updated", S.subscription(changing: ["cancel_at": "soon"]))
    #expect(facts.observations.map(\.isRenewing) == [false])
  }

  @Test func `a pause that cannot be read is neither in effect nor over`() throws {
    let facts = try facts(
      "customer.subscription.updated", S.subscription(changing: ["pause_collection": "void"]))
    #expect(facts.observations.map(\.unpausedCauses) == [["subscription"]])
    #expect(!names(facts).contains("paused"))
  }
}
