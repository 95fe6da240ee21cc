import LedgerTestSupport
import MembershipModel
import Testing

@testable import MembershipProviders

@Suite struct WhopTableTests {
  typealias W = Whop

  /// A document for every type of the table, in every generation that has the type.
  static let documents: [JSONValue] =
    W.Generation.allCases.flatMap { generation in
      WhopEventTable.kinds.filter { $0.object == .membership }.flatMap { kind in
        kind.types.flatMap { type in
          ["active", "trialing", "past_due", "canceled"].map { status in
            W.event(
              type,
              W.membership(
                generation, status: status, changing: ["payment_collection_paused": true]),
              generation: generation, previous: ["cancel_at_period_end": true, "plan": "plan_9"])
          }
        }
      }
    }
    + [W.event("payment.succeeded", W.payment(reason: "subscription_cycle"))]
    + ["payment.created", "payment.pending", "payment.failed", "payment.succeeded"].map {
      W.event($0, W.payment(changing: ["refunded_amount": 1]))
    }
    + ["refund.created", "refund.updated"].flatMap { type in
      ["succeeded", "failed"].map { W.event(type, W.refund(status: $0)) }
    }
    + ["dispute.created", "dispute.updated"].flatMap { type in
      ["needs_response", "lost"].map { W.event(type, W.dispute(status: $0)) }
    } + [
      W.event("dispute_alert.created", W.dispute(status: "").with(["alert_type": "fraud"]))
    ]

  @Test func `the page's table lists every event type that is read, with its facts`() throws {
    let documented = try DocumentedTable.rows(ofPage: "Whop")
    let read = WhopEventTable.events.mapValues { Set($0.facts) }
    #expect(Set(documented.keys) == Set(read.keys))
    for (type, facts) in read { #expect(documented[type] == facts, "\(type)") }
  }

  @Test func `every fact named in the table exists and is stated by some document`() throws {
    let known = Set(Fact.Body.known.map(\.name))
    var stated: [String: Set<String>] = [:]
    for document in Self.documents {
      let event = try W.event(in: document)
      let type = WhopEventTable.name(of: (document["type"] ?? document["action"])?.string ?? "")
      stated[type, default: []].formUnion(names(event.facts))
    }
    for (type, kind) in WhopEventTable.events {
      let facts = Set(kind.facts)
      #expect(facts.isSubset(of: known))
      #expect((stated[type] ?? []).subtracting(["noted"]).isSubset(of: facts), "\(type)")
      if kind.object != .membership { #expect(facts.isSubset(of: stated[type] ?? []), "\(type)") }
    }
  }

  @Test(arguments: 0..<UInt64(3))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    let damage = DocumentDamage(
      adapter: W.trusting, poison: DocumentDamage.poison + ["mem_1", "pay_1", "membership"])
    var random = SeededGenerator(seed: seed)
    for document in Self.documents.shuffled(using: &random).prefix(12) + [W.membership()] {
      try damage.damageFields(of: document, seed: seed)
    }
    if let document = Self.documents.randomElement(using: &random) {
      try damage.damageBytes(of: document, seed: seed)
    }
  }

  @Test func `no value in the place of any field traps`() throws {
    let damage = DocumentDamage(adapter: W.trusting, poison: DocumentDamage.poison)
    for document in [
      W.event("membership.updated", W.membership(.dated), generation: .dated, previous: [:]),
      W.event("membership.went_valid", W.membership(.second), generation: .second),
      W.event("payment.succeeded", W.payment()), W.event("refund.updated", W.refund()),
      W.membership(), W.payment(),
    ] {
      try damage.poisonFields(of: document)
    }
  }

  @Test func `deep nesting, huge numbers, repeated keys and invalid text are refused`() {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    for body in [
      #"{"type":"x","data":\#(deep)}"#, #"{"type":"x","type":"y","data":{}}"#,
      #"{"type":"x","data":{"id":1e999}}"#, "{\"type\":\"\\ud800\"}", "", "{", "nul",
    ] {
      let document = ProviderDocument(body: Array(body.utf8), receivedAt: W.at(W.march))
      #expect(refusal(W.trusting.read(document)) == .unreadable, "\(body.prefix(40))")
    }
  }
}
