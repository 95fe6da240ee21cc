import LedgerTestSupport
import MembershipModel
import Testing

@Suite("Law 18: answers carry their proof")
struct LawsEvidenceTests {
  @Test(arguments: seeds(8, from: 9000))
  func `access follows from the evidence alone`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 4)
    let events = scenario.events
    let outcome = Outcome(events)
    let instants = Scenario.turningPoints(of: events)
    let ids = Set(events.map(\.id))
    for customer in Scenario.customers {
      let access = outcome.access(of: customer)
      for key in Scenario.entitlements {
        var proven: Set<[EventID]> = []
        for instant in instants {
          let decision = access.decision(on: key, at: instant, askedAs: customer)
          #expect(ids.isSuperset(of: decision.evidence))
          guard decision.isEntitled else { continue }
          #expect(!decision.evidence.isEmpty, "seed \(seed)")
          if !proven.insert(decision.evidence).inserted { continue }
          let again = Self.refold(events, decision.evidence).access(of: customer)
            .decision(on: key, at: instant, askedAs: customer)
          #expect(
            again.isEntitled && again.reason == decision.reason,
            "seed \(seed): \(customer) \(key) at \(instant): \(again.reason)")
        }
      }
    }
  }

  @Test func `a refusal names what took the access away`() {
    var scene = Scene.usual
    scene.stripe(day(0), id: "bought", Facts.paid(0, 30))
    scene.stripe(day(1), Facts.linked("stripe:in_1", "stripe:ch_1"))
    scene.stripe(day(5), id: "dispute", Facts.dispute())
    scene.stripe(day(8), id: "won", Facts.disputeClosed(.won))
    scene.stripe(day(9), id: "refund", Facts.refunded(1000))
    scene.stripe(day(12), id: "back", Facts.reversal(nil))
    scene.stripe(day(20), id: "end", Facts.ended(at: 20))
    func documents(_ instant: Timestamp) -> [EventID] {
      scene.decision(at: instant).evidence.filter { $0.rawValue.hasPrefix("stripe:") }
    }
    #expect(
      documents(day(6)) == [
        "stripe:evt_bought", "stripe:evt_dispute", "stripe:evt_end", "stripe:evt_refund",
      ])
    #expect(documents(day(10)) == ["stripe:evt_bought", "stripe:evt_end", "stripe:evt_refund"])
    #expect(documents(day(21)).contains("stripe:evt_end"))
  }

  /// The events of the evidence, and of the others only which payments are one and whose accounts
  /// and memberships there are.
  private static func refold(_ events: [Event], _ evidence: [EventID]) -> Outcome {
    Outcome(
      events.map { event in
        if evidence.contains(event.id) { return event }
        var copy = event
        copy.customer = nil
        copy.facts = event.facts.compactMap { fact in
          switch fact.body {
          case .paymentLinked: return fact
          default:
            // Also that the membership exists, and is this account's.
            return fact.membership.map { Fact(.noted(Note(type: "omitted")), membership: $0) }
          }
        }
        return copy
      })
  }
}
