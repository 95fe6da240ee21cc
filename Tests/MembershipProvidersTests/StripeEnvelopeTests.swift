import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeEnvelopeTests {
  typealias S = StripeFixture

  func read(_ json: JSONValue, environment: Environment? = nil) -> Reading {
    StripeAdapter(trustsUnsigned: true, environment: environment).read(document(json))
  }

  @Test func `a webhook is one event under Stripe's own id and time`() throws {
    let event = try event(in: S.event("customer.subscription.updated", S.subscription()))
    #expect(event.id == "stripe:evt_1")
    #expect(event.provider == .stripe)
    #expect(event.environment == .production)
    #expect(event.effectiveAt == at(S.january))
    #expect(event.account == "stripe:cus_1")
    #expect(event.provenance == Provenance(origin: .webhook))
  }

  @Test func `live mode decides the environment, and what does not say is not real`() throws {
    let webhook = S.event("ping", [:])
    #expect(try event(in: webhook).environment == .production)
    for mode in [false, nil, "yes"] as [JSONValue] {
      #expect(try event(in: webhook.with(["livemode": mode])).environment == .sandbox)
    }
    #expect(try event(in: webhook.without("livemode")).environment == .sandbox)
  }

  @Test func `another environment than the expected one is refused`() {
    let live = S.event("ping", [:])
    let test = live.with(["livemode": false])
    #expect(refusal(read(live, environment: .production)) == nil)
    #expect(refusal(read(test, environment: .sandbox)) == nil)
    #expect(refusal(read(live, environment: .sandbox)) == .wrongEnvironment)
    #expect(refusal(read(test, environment: .production)) == .wrongEnvironment)
    let unclear = live.without("livemode")
    #expect(refusal(read(unclear, environment: .production)) == .wrongEnvironment)
  }

  @Test func `an unknown type is noted with its object`() throws {
    let event = try event(in: S.event("planet.aligned", ["id": "pl_1", "object": "planet"]))
    #expect(event.facts == [Fact(.noted(Note(type: "planet.aligned", subject: "pl_1")))])
  }

  @Test func `a known type about another object is noted`() throws {
    let facts = try facts("customer.subscription.updated", S.charge())
    #expect(
      facts.notes.map(\.reason) == ["the event is about charge, not about subscription"])
  }

  @Test(arguments: [JSONValue.null, "soon", 999_999_999_999_999])
  func `an event without a usable time is noted and states nothing`(created: JSONValue) throws {
    let webhook = S.event("customer.subscription.updated", S.subscription())
    let event = try event(in: webhook.with(["created": created]))
    #expect(names(event.facts) == ["noted"])
    #expect(event.facts.notes.map(\.reason) == ["the event has no usable time"])
  }

  @Test(arguments: [JSONValue.null, "text", 5, [], ["object": nil], ["object": "sub_1"]])
  func `an event without an object is noted`(data: JSONValue) throws {
    let webhook = S.event("customer.subscription.updated", S.subscription())
    let event = try event(in: webhook.with(["data": data]))
    #expect(event.facts.notes.map(\.reason) == ["the event has no object"])
  }

  @Test(arguments: [
    JSONValue.null, "", 7, "a\u{0}b", .string(String(repeating: "x", count: 505)), [:],
  ])
  func `an event without a usable id is refused`(id: JSONValue) {
    #expect(refusal(read(S.event("ping", [:]).with(["id": id]))) == .malformed)
  }

  @Test func `the longest id that fits with its prefix is taken`() throws {
    let id = String(repeating: "x", count: 504)
    let event = try event(in: S.event("ping", [:], id: id))
    #expect(event.id.rawValue.utf8.count == 511)
  }

  @Test func `a thin event is noted with what it is about`() throws {
    let thin: JSONValue = [
      "id": "evt_2", "object": "v2.core.event", "type": "v1.billing.meter.error_report_triggered",
      "created": "2026-01-01T00:00:00.000Z", "livemode": false,
      "related_object": [
        "id": "mtr_1", "type": "billing.meter", "url": "/v1/billing/meters/mtr_1",
      ],
    ]
    let event = try event(in: thin)
    #expect(event.effectiveAt == at(S.january))
    #expect(event.environment == .sandbox)
    #expect(event.facts.notes.map(\.type) == ["v1.billing.meter.error_report_triggered"])
    #expect(event.facts.notes.map(\.subject) == ["mtr_1"])
  }

  @Test func `an event that states more than a record holds is noted`() throws {
    let lines = (0..<600).map { S.line(item: "si_\($0)") }
    let facts = try facts("invoice.paid", S.invoice(lines: lines))
    #expect(facts.notes.map(\.reason) == ["it states more than a record holds"])
    #expect(facts.count == 1)
  }

  // MARK: - What is no document of Stripe

  @Test(arguments: ["", " \n", "{", "not json", "\u{FEFF}", "[1,", "{\"a\":}"])
  func `what is no JSON is unreadable`(body: String) {
    let reading = trustingStripe.read(
      ProviderDocument(body: Array(body.utf8), receivedAt: receivedAt))
    #expect(refusal(reading) == .unreadable)
  }

  @Test(arguments: [
    JSONValue.null, true, 5, "text", [], [:], ["object": 5], ["object": "customer", "id": "cus_1"],
    ["object": "list"], ["signedPayload": "abc"], ["object": ["id": "sub_1"]],
  ])
  func `JSON that is none of Stripe's documents is refused`(json: JSONValue) {
    #expect(refusal(read(json)) == .wrongShape)
  }

  @Test func `each refusal says what to do, and whether to try again`() {
    let retried: [Refusal.Code] = [.noSecret, .signatureMismatch, .tooOld, .fromFuture]
    for code in Refusal.Code.allCases {
      let refusal = Refusal(code, message: "m", remedy: "r")
      #expect(refusal.isWorthRetrying == retried.contains(code))
      #expect(refusal.httpStatus == (retried.contains(code) ? 503 : 200))
      #expect(refusal.description == "\(code.rawValue): m. r.")
    }
  }

  // MARK: - Bare objects and lists

  @Test func `a bare object is an event of the time at which it was observed`() throws {
    let event = try event(in: S.subscription(), observedAt: at(S.february))
    #expect(event.effectiveAt == at(S.february))
    #expect(event.provenance.origin == .reconcile)
    #expect(event.environment == .production)
    #expect(event.id.rawValue.hasPrefix("stripe:sub_1@"))
    #expect(names(event.facts) == ["observed", "renewed"])
  }

  @Test func `the same object at the same time has the same id, and any other another`() throws {
    let subscription = S.subscription()
    let first = try event(in: subscription, observedAt: at(1))
    let reordered = JSONValue.object((subscription.fields ?? []).reversed())
    #expect(try event(in: reordered, observedAt: at(1)) == first)
    #expect(try event(in: subscription, observedAt: at(2)).id != first.id)
    let changed = subscription.with(["status": "unpaid"])
    #expect(try event(in: changed, observedAt: at(1)).id != first.id)
  }

  @Test func `without that time it is of the latest instant that it shows to have passed`() throws {
    let moved = S.subscription(from: S.february, to: S.march)
    #expect(try event(in: moved).effectiveAt == at(S.february))
    let ended = S.subscription(
      status: "canceled", changing: ["ended_at": .integer(S.january + 9)])
    #expect(try event(in: ended).effectiveAt == at(S.january + 9))
    let transitions: JSONValue = ["status_transitions": ["paid_at": .integer(S.january + 3)]]
    #expect(try event(in: S.invoice(changing: transitions)).effectiveAt == at(S.january + 3))
    #expect(try event(in: S.checkout()).effectiveAt == at(S.january))
  }

  @Test func `a bare object without any time needs the one of observation`() throws {
    let session = S.checkout().without("created")
    #expect(refusal(read(session)) == .missingTime)
    #expect(try event(in: session, observedAt: at(5)).effectiveAt == at(5))
  }

  @Test func `a bare object without a usable id is refused`() {
    #expect(refusal(read(S.subscription(changing: ["id": nil]))) == .malformed)
    let long = String(repeating: "x", count: 500)
    #expect(refusal(read(S.subscription(changing: ["id": .string(long)]))) == .malformed)
  }

  @Test func `a list gives an event for each of its elements`() throws {
    let webhook = S.event("customer.subscription.created", S.subscription())
    let list: JSONValue = [
      "object": "list", "data": [S.subscription(), S.invoice(), S.checkout(), webhook],
    ]
    guard case .events(let events) = read(list) else {
      Issue.record("refused")
      return
    }
    #expect(events.map(\.provenance.origin) == [.reconcile, .reconcile, .reconcile, .import])
    #expect(try events.last == event(in: webhook).with(origin: .import))
    #expect(try events.first == event(in: S.subscription()))
  }

  @Test func `a list stands or falls as one document and names the element at fault`() {
    let list: JSONValue = ["object": "list", "data": [S.subscription(), ["object": "planet"]]]
    guard case .refused(let refusal) = read(list) else {
      Issue.record("accepted")
      return
    }
    #expect(refusal.code == .wrongShape)
    #expect(refusal.message.hasPrefix("element 1 of the list"))
  }

  @Test func `an empty list gives no event`() {
    #expect(read(["object": "list", "data": []]) == .events([]))
  }
}

extension Event {
  fileprivate func with(origin: Origin) -> Event {
    var copy = self
    copy.provenance.origin = origin
    return copy
  }
}
