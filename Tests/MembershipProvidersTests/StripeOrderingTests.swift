import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeOrderingTests {
  typealias S = StripeFixture

  func ordering(
    _ object: JSONValue, previous: JSONValue? = nil, type: String = "customer.subscription.updated"
  ) throws -> SourceOrdering {
    try event(in: S.event(type, object, previous: previous)).ordering
  }

  @Test(arguments: Generation.allCases)
  func `each event names the state before it, so that one second's events form a chain`(
    generation: Generation
  ) throws {
    let first = S.subscription(generation, status: "incomplete")
    let second = S.subscription(generation)
    let third = S.subscription(generation, changing: ["cancel_at_period_end": true])
    let fourth = S.subscription(generation, items: [S.item(quantity: 2)])
    let items = second["items"] ?? nil
    let created = try ordering(first, type: "customer.subscription.created")
    let paid = try ordering(second, previous: ["status": "incomplete"])
    let cancelled = try ordering(third, previous: ["cancel_at_period_end": false])
    let changed = try ordering(
      fourth, previous: ["cancel_at_period_end": true, "items": items, "quantity": 1])
    #expect(created.previousState == 0)
    #expect(paid.previousState == created.state)
    #expect(cancelled.previousState == paid.state)
    #expect(changed.previousState == cancelled.state)
    #expect(Set([created.state, paid.state, cancelled.state, changed.state]).count == 4)
    #expect(created.writtenAt == nil)
  }

  @Test func `a renewal is a link of the chain in both generations alike`() throws {
    let orderings = try Generation.allCases.map { generation in
      let moved = S.subscription(generation, from: S.february, to: S.march)
      let before = S.subscription(generation)
      let previous: JSONValue =
        generation == .before
        ? [
          "current_period_start": .integer(S.january), "current_period_end": .integer(S.february),
        ] : ["items": before["items"] ?? nil]
      let renewed = try ordering(moved, previous: previous)
      #expect(try renewed.previousState == ordering(before).state)
      return renewed
    }
    #expect(Set(orderings).count == 1)
  }

  @Test func `a former array element that shows only what changed is filled by its id`() throws {
    let before = S.subscription()
    let moved = S.subscription(from: S.february, to: S.march)
    let partial: JSONValue = [
      "items": [
        "data": [
          [
            "id": "si_1", "current_period_start": .integer(S.january),
            "current_period_end": .integer(S.february),
          ]
        ]
      ]
    ]
    #expect(try ordering(moved, previous: partial).previousState == ordering(before).state)
  }

  @Test func `what facts do not rest on changes no state`() throws {
    let base = try ordering(S.subscription())
    #expect(try ordering(S.subscription(changing: ["metadata": ["a": "b"]])) == base)
    #expect(try ordering(S.subscription(changing: ["latest_invoice": ["id": "in_9"]])) == base)
    #expect(try ordering(S.subscription(changing: ["id": "sub_2"])) != base)
  }

  @Test func `charges, disputes and invoices form chains of their own`() throws {
    let part = try ordering(S.charge(refunded: 400), type: "charge.refunded")
    let whole = try ordering(
      S.charge(refunded: 1000), previous: ["amount_refunded": 400], type: "charge.refunded")
    #expect(whole.previousState == part.state)
    let open = try ordering(
      S.dispute(status: "needs_response"), type: "charge.dispute.created")
    let won = try ordering(
      S.dispute(status: "won"), previous: ["status": "needs_response"],
      type: "charge.dispute.closed")
    #expect(won.previousState == open.state)
    let unpaid = try ordering(S.invoice(status: "open"), type: "invoice.finalized")
    let paid = try ordering(S.invoice(), previous: ["status": "open"], type: "invoice.updated")
    #expect(paid.previousState == unpaid.state)
  }

  @Test func `objects that no fact rests on have no state`() throws {
    let customer: JSONValue = ["id": "cus_1", "object": "customer"]
    #expect(try ordering(customer, type: "customer.updated") == SourceOrdering())
  }

  @Test(arguments: [JSONValue.null, "x", [], 5])
  func `previous attributes of no use count as none`(previous: JSONValue) throws {
    #expect(try ordering(S.subscription(), previous: previous).previousState == 0)
  }
}
