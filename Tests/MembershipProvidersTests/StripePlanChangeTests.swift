import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripePlanChangeTests {
  typealias S = StripeFixture

  let small = Offer(product: "prod_A", plan: "price_A")
  let big = Offer(product: "prod_B", plan: "price_B")
  let bigItem = S.item(price: S.price("price_B", product: "prod_B"))

  func changes(_ facts: [Fact]) -> [PlanChange] {
    facts.compactMap { if case .planChanged(let change) = $0.body { change } else { nil } }
  }

  @Test func `a change of price is matched item by item`() throws {
    let facts = try facts(
      "customer.subscription.updated",
      S.subscription(items: [bigItem, S.item("si_2")]),
      previous: ["items": ["data": [S.item(), S.item("si_2")]]])
    #expect(
      changes(facts) == [PlanChange(at: at(S.january), from: small, to: big, item: "si_1")])
  }

  @Test func `a change of quantity names the new quantity`() throws {
    let facts = try facts(
      "customer.subscription.updated", S.subscription(items: [S.item(quantity: 5)]),
      previous: ["items": ["data": [S.item()]], "quantity": 1])
    #expect(
      changes(facts) == [
        PlanChange(at: at(S.january), from: small, to: small, item: "si_1", quantity: 5)
      ])
  }

  @Test func `an item added comes from nothing, and one dropped goes to nothing`() throws {
    let second = S.item("si_2", price: S.price("price_B", product: "prod_B"))
    let added = try facts(
      "customer.subscription.updated", S.subscription(items: [S.item(), second]),
      previous: ["items": ["data": [S.item()]]])
    #expect(changes(added) == [PlanChange(at: at(S.january), to: big, item: "si_2")])
    let dropped = try facts(
      "customer.subscription.updated", S.subscription(),
      previous: ["items": ["data": [S.item(), second]]])
    #expect(
      changes(dropped) == [PlanChange(at: at(S.january), from: big, item: "si_2", quantity: 0)])
  }

  @Test func `an item that takes the place of another replaces it`() throws {
    let second = S.item("si_2", price: S.price("price_B", product: "prod_B"), quantity: 2)
    let facts = try facts(
      "customer.subscription.updated", S.subscription(items: [second]),
      previous: ["items": ["data": [S.item()]]])
    #expect(
      changes(facts) == [
        PlanChange(at: at(S.january), from: small, to: big, item: "si_1", quantity: 2)
      ])
  }

  @Test func `a former plan or quantity beside the items is that of the one item`() throws {
    let former: JSONValue = ["id": "price_A", "product": "prod_A", "amount": 1000]
    let facts = try facts(
      "customer.subscription.updated", S.subscription(.before, items: [bigItem]),
      previous: ["plan": former, "quantity": 2])
    #expect(
      changes(facts) == [PlanChange(at: at(S.january), from: small, to: big, item: "si_1")])
  }

  @Test func `a renewal changes no plan`() throws {
    let moved = S.subscription(from: S.february, to: S.march)
    let items = S.subscription()["items"] ?? nil
    let facts = try facts("customer.subscription.updated", moved, previous: ["items": items])
    #expect(changes(facts).isEmpty)
  }

  @Test func `a partial former price is not filled with the present product`() throws {
    let facts = try facts(
      "customer.subscription.updated", S.subscription(items: [bigItem]),
      previous: ["items": ["data": [["id": "si_1", "price": ["id": "price_A"]]]]])
    #expect(changes(facts).map(\.from) == [Offer(plan: "price_A")])
  }

  // MARK: - Updates that wait for a payment

  let pending: JSONValue = [
    "pending_update": [
      "expires_at": .integer(S.february),
      "subscription_items": [S.item(price: S.price("price_B", product: "prod_B"), quantity: 2)],
    ]
  ]

  @Test func `an update that waits for a payment is planned, and takes effect by no time`() throws {
    let facts = try facts("customer.subscription.updated", S.subscription(changing: pending))
    #expect(
      facts.has(
        .planChangeScheduled(
          PlanChange(
            at: .latest, from: small, to: big, item: "si_1", quantity: 2,
            lapsesAt: at(S.february)))))
  }

  @Test func `an update that expired is withdrawn`() throws {
    let byType = try facts(
      "customer.subscription.pending_update_expired", S.subscription())
    #expect(byType.has(.planChangeWithdrawn(Withdrawal())))
    let byChange = try facts(
      "customer.subscription.updated", S.subscription(), previous: pending)
    #expect(byChange.has(.planChangeWithdrawn(Withdrawal())))
  }

  @Test func `an update that was applied is a plan change and no plan any more`() throws {
    let facts = try facts(
      "customer.subscription.pending_update_applied", S.subscription(items: [bigItem]),
      previous: pending.with(["items": ["data": [S.item()]]]))
    #expect(
      facts.has(
        .planChanged(
          PlanChange(at: at(S.january), from: small, to: big, item: "si_1"))))
    #expect(facts.has(.planChangeWithdrawn(Withdrawal())))
  }

  // MARK: - Schedules

  let downgrade = PlanChange(
    at: at(S.february), from: Offer(plan: "price_big"), to: Offer(plan: "price_small"))

  @Test(arguments: ["subscription_schedule.created", "subscription_schedule.updated"])
  func `the next phase is a planned change at its start`(type: String) throws {
    let facts = try facts(type, S.schedule())
    #expect(facts == [Fact(.planChangeScheduled(downgrade), membership: "stripe:sub_1")])
  }

  @Test func `an expanded price of a phase tells its product`() throws {
    let phases: [JSONValue] = [(S.january, "big"), (S.february, "small")].map { start, name in
      let price = S.price("price_\(name)", product: "prod_\(name)")
      return ["start_date": .integer(start), "items": [["price": price, "quantity": 1]]]
    }
    let facts = try facts(
      "subscription_schedule.updated", S.schedule(changing: ["phases": .array(phases)]))
    var change = downgrade
    change.from?.product = "prod_big"
    change.to?.product = "prod_small"
    #expect(facts == [Fact(.planChangeScheduled(change), membership: "stripe:sub_1")])
  }

  @Test func `without a present phase the one that the event lies in counts`() throws {
    let facts = try facts(
      "subscription_schedule.updated", S.schedule(changing: ["current_phase": nil]))
    #expect(facts.has(.planChangeScheduled(downgrade)))
  }

  @Test func `a plan that is taken out of the schedule is withdrawn`() throws {
    let phases = S.schedule()["phases"] ?? nil
    let first = phases.array?.first ?? nil
    let facts = try facts(
      "subscription_schedule.updated", S.schedule(changing: ["phases": [first]]),
      previous: ["phases": phases])
    #expect(facts == [Fact(.planChangeWithdrawn(Withdrawal()), membership: "stripe:sub_1")])
  }

  @Test(arguments: ["subscription_schedule.released", "subscription_schedule.canceled"])
  func `a schedule that is given up withdraws its plan`(type: String) throws {
    let released: JSONValue = ["subscription": nil, "released_subscription": "sub_1"]
    let facts = try facts(type, S.schedule(status: "released", changing: released))
    #expect(facts == [Fact(.planChangeWithdrawn(Withdrawal()), membership: "stripe:sub_1")])
  }

  private let endOfSchedule = CancellationSchedule(
    effectiveAt: at(StripeFixture.march), cause: "schedule")

  @Test(arguments: ["subscription_schedule.created", "subscription_schedule.updated"])
  func `a schedule that cancels at its end is an end planned for the last phase's`(type: String)
    throws
  {
    let facts = try facts(type, S.schedule(changing: ["end_behavior": "cancel"]))
    #expect(facts.has(.cancellationScheduled(endOfSchedule)))
    #expect(facts.has(.planChangeScheduled(downgrade)))
  }

  @Test func `a schedule that is to go on after all withdraws the end`() throws {
    let facts = try facts(
      "subscription_schedule.updated", S.schedule(), previous: ["end_behavior": "cancel"])
    #expect(facts.has(.cancellationWithdrawn(Withdrawal(cause: "schedule"))))
    #expect(!names(facts).contains("cancellationScheduled"))
  }

  @Test(arguments: ["subscription_schedule.released", "subscription_schedule.canceled"])
  func `a schedule that is given up withdraws the end it planned`(type: String) throws {
    let released: JSONValue = [
      "subscription": nil, "released_subscription": "sub_1", "end_behavior": "cancel",
    ]
    let facts = try facts(type, S.schedule(status: "released", changing: released))
    #expect(facts.has(.cancellationWithdrawn(Withdrawal(cause: "schedule"))))
  }

  @Test func `a last phase without an end is noted, and plans no end`() throws {
    let phases = S.schedule()["phases"] ?? nil
    let open = phases.array?.map { $0.with(["end_date": nil]) } ?? []
    let facts = try facts(
      "subscription_schedule.updated",
      S.schedule(changing: ["end_behavior": "cancel", "phases": .array(open)]))
    #expect(!names(facts).contains("cancellationScheduled"))
    #expect(!facts.notes.isEmpty)
  }

  @Test func `an aborted schedule ends the subscription for want of payment`() throws {
    let facts = try facts(
      "subscription_schedule.aborted",
      S.schedule(status: "canceled", changing: ["canceled_at": .integer(S.january + 7)]))
    #expect(facts.has(.planChangeWithdrawn(Withdrawal())))
    #expect(facts.has(.ended(End(at: at(S.january + 7), reason: .paymentFailed))))
  }

  @Test(arguments: ["subscription_schedule.completed", "subscription_schedule.expiring"])
  func `a schedule that runs out changes nothing`(type: String) throws {
    #expect(try names(facts(type, S.schedule(status: "completed"))) == ["noted"])
  }

  @Test func `a schedule without a subscription is noted`() throws {
    let facts = try facts(
      "subscription_schedule.created", S.schedule(changing: ["subscription": nil]))
    #expect(facts.notes.map(\.reason) == ["the schedule has no subscription yet"])
  }
}
