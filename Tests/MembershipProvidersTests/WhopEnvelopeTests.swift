import MembershipModel
import MembershipProviders
import Testing

@Suite struct WhopEnvelopeTests {
  typealias W = Whop

  @Test func `a webhook is one event under Whop's own id`() throws {
    let event = try W.event(in: W.event("membership.activated", W.membership()))
    #expect(event.id == "whop:msg_1")
    #expect(event.effectiveAt == W.at(W.january))
    #expect(event.provenance.document.isEmpty)
  }

  @Test func `a body without an id is named by what it says and when`() throws {
    let body = W.event("membership.went_valid", W.membership(.second), generation: .second)
    let fields = body.fields ?? []
    let first = try W.event(in: body)
    #expect(first.id.rawValue.hasPrefix("whop:mem_1@"))
    #expect(try W.event(in: .object(fields.reversed())).id == first.id)
    let other = W.event("membership.went_invalid", W.membership(.second), generation: .second)
    #expect(try W.event(in: other).id != first.id)
    #expect(try W.event(in: body, observedAt: W.at(W.march)).id != first.id)
  }

  @Test func `the time is the body's, else the signature's, else the reader's, else that shown`()
    throws
  {
    let sent = ["webhook-timestamp": "1770000000"]
    let new = W.event("membership.activated", W.membership())
    #expect(
      try W.event(in: new, headers: sent, observedAt: W.at(W.march)).effectiveAt == W.at(W.january))
    let old = W.event("membership.went_valid", W.membership(.second), generation: .second)
    #expect(
      try W.event(in: old, headers: sent, observedAt: W.at(W.march)).effectiveAt
        == Timestamp(seconds: 1_770_000_000))
    #expect(try W.event(in: old, observedAt: W.at(W.march)).effectiveAt == W.at(W.march))
    #expect(try W.event(in: old).effectiveAt == W.at(W.january))
  }

  @Test func `an end that no time is told for is put where its plan has it`() throws {
    let ended = W.membership(
      .fifth, status: "canceled", changing: ["cancel_at_period_end": true])
    let event = try W.event(
      in: W.event("membership.went_invalid", ended, generation: .fifth))
    #expect(event.facts.hasWhop(.ended(End(at: W.at(W.february), reason: .cancelled))))
    #expect(event.facts.observations.map(\.at) == [W.at(W.february)])
  }

  @Test func `documents do not say their environment: the company's is given`() throws {
    let adapter = WhopAdapter(trustsUnsigned: true, environment: .sandbox)
    let event = try W.event(
      in: W.event("membership.activated", W.membership()), by: adapter)
    #expect(event.environment == .sandbox)
  }

  @Test(arguments: [
    "entry.created", "membership.granted", "payment.affiliate_reward_created", "ping",
    "withdrawal.updated", "invoice.paid", "setup_intent.succeeded",
  ])
  func `other events are kept without effect`(type: String) throws {
    let event = try W.event(in: W.event(type, W.membership()))
    #expect(event.facts == [Fact(.noted(Note(type: type, subject: "mem_1")))])
  }

  @Test func `an event about another object than its name says is kept without effect`() throws {
    for data in [W.payment(), "mem_1", nil, [:], []] as [JSONValue] {
      let event = try W.event(in: W.event("membership.activated", data))
      #expect(names(event.facts) == ["noted"])
    }
  }

  @Test func `an event without a usable time is kept without effect`() throws {
    let event = try W.event(
      in: W.event("payment.succeeded", ["id": "pay_1", "membership": "mem_1"], generation: .second))
    #expect(names(event.facts) == ["noted"])
    #expect(event.effectiveAt == Timestamp(milliseconds: 0))
  }

  // MARK: - Bare objects

  @Test func `a bare membership is as it was when it was fetched`() throws {
    let bare = W.membership()
    let fetched = try W.event(in: bare, observedAt: W.at("2026-01-20T00:00:00.000Z"))
    #expect(fetched.effectiveAt == W.at("2026-01-20T00:00:00.000Z"))
    #expect(fetched.provenance.origin == .reconcile)
    #expect(fetched.facts.hasWhop(.renewed(WhopMembershipTests.bought())))
    #expect(try W.event(in: bare).effectiveAt == W.at(W.january))
  }

  @Test func `a bare payment is as it tells`() throws {
    let event = try W.event(in: W.payment(reason: "subscription_cycle"), observedAt: W.at(W.march))
    #expect(event.effectiveAt == W.at(W.january))
    #expect(names(event.facts) == ["invoiced", "renewed", "observed"])
    let open = try W.event(in: W.payment(status: "open"))
    #expect(names(open.facts) == ["invoiced"])
  }

  @Test func `a list gives an event for each object`() throws {
    let list: JSONValue = [
      "data": [W.membership(), W.payment()], "page_info": ["has_next_page": false],
    ]
    guard case .events(let events) = W.trusting.read(W.document(list)) else {
      Issue.record("refused")
      return
    }
    #expect(events.count == 2)
    let broken: JSONValue = ["data": [W.membership(), ["id": "user_1"]]]
    #expect(refusal(W.trusting.read(W.document(broken))) == .wrongShape)
  }

  @Test func `what is not Whop's, or lacks what identifies it, is refused`() {
    func code(_ json: JSONValue) -> Refusal.Code? { refusal(W.trusting.read(W.document(json))) }
    for json in [[:], [], "x", 1, nil, ["id": "user_1"], ["type": "x"], ["id": 5]] as [JSONValue] {
      #expect(code(json) == .wrongShape)
    }
    let long = String(repeating: "m", count: 600)
    #expect(
      code(W.event("membership.activated", W.membership(), id: long)) == .malformed)
    #expect(code(["id": "mem_1", "status": "active"]) == .missingTime)
    #expect(
      refusal(W.trusting.read(ProviderDocument(body: [0xff], receivedAt: W.at(W.march))))
        == .unreadable)
  }

  // MARK: - Order within an instant

  @Test func `each update names the state before it`() throws {
    func ordering(_ data: JSONValue, previous: JSONValue? = nil) throws -> SourceOrdering {
      try W.event(
        in: W.event("membership.updated", data, generation: .dated, previous: previous)
      ).ordering
    }
    let first = try ordering(W.membership(.dated))
    let second = try ordering(
      W.membership(.dated, changing: ["cancel_at_period_end": true]),
      previous: ["cancel_at_period_end": false])
    let third = try ordering(W.membership(.dated), previous: ["cancel_at_period_end": true])
    #expect(first.previousState == 0)
    #expect(second.previousState == first.state)
    #expect(third.previousState == second.state)
    #expect(third.state == first.state)
    #expect(try ordering(W.membership(.dated, changing: ["license_key": "B"])) == first)
  }
}
