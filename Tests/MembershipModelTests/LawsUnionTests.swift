import LedgerTestSupport
import MembershipModel
import Testing

@Suite("Law 7: union")
struct LawsUnionTests {
  @Test(arguments: seeds(12, from: 3000))
  func `adding a grant or a membership never lowers access`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 4)
    let start = Double(Int.random(in: 0...30, using: &random))
    var scene = Scene()
    scene.manual(
      day(start), customer: Bool.random(using: &random) ? "ann" : "bob",
      .granted(
        ManualGrant(
          id: "extra",
          entitlement: Scenario.entitlements.randomElement(using: &random) ?? "premium",
          until: day(start + 7))))
    scene.stripe(
      day(start), id: "extra",
      Facts.paid(start, start + 10, invoice: "in_extra", membership: "stripe:sub_extra"))
    let instants = Scenario.turningPoints(of: scenario.events + scene.events)
    let before = Outcome(scenario.events).decisions(at: instants)
    for added in scene.events {
      var more = added
      more.id = EventID(unchecked: "added-\(added.id)")
      let after = Outcome(scenario.events + [more]).decisions(at: instants)
      let lowered = zip(before, after).first { $0.isEntitled && !$1.isEntitled }
      #expect(lowered == nil, "seed \(seed)")
    }
  }

  @Test(arguments: seeds(8, from: 3100))
  func `ending one membership takes nothing that another gives`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 14, decisions: 2)
    let ended: MembershipID = "stripe:sub_1-1"
    var scene = Scene()
    scene.stripe(day(12), id: "end", Facts.ended(at: 12, membership: ended))
    let instants = Scenario.turningPoints(of: scenario.events)
    let (before, after) = (Outcome(scenario.events), Outcome(scenario.events + scene.events))
    for customer in Scenario.customers {
      let (had, has) = (before.access(of: customer), after.access(of: customer))
      for instant in instants {
        let others = had.holdings(at: instant).filter { $0.membership != ended }
        let left = has.holdings(at: instant).filter { $0.membership != ended }
        #expect(others == left, "seed \(seed) at \(instant)")
      }
    }
  }
}

@Suite("Law 9: ends are final")
struct LawsEndTests {
  @Test(arguments: seeds(20, from: 4000))
  func `after an end nothing that began before it gives access`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 14, decisions: 0)
    let membership: MembershipID = "stripe:sub_1-1"
    let end = 17.5
    var scene = Scene()
    scene.stripe(day(end), id: "end", Facts.ended(at: end, membership: membership))
    let early = scenario.documents.filter { event in
      !event.facts.contains { fact in
        fact.membership == membership
          && (fact.transaction?.period?.start ?? event.effectiveAt) >= day(end)
          && fact.transaction != nil
      }
    }
    let outcome = Outcome(scenario.decisions + scene.events + early)
    for instant in Scenario.turningPoints(of: early) where instant >= day(end) {
      for customer in Scenario.customers {
        let holdings = outcome.access(of: customer).holdings(at: instant)
        #expect(!holdings.contains { $0.membership == membership }, "seed \(seed) at \(instant)")
      }
    }
  }
}
