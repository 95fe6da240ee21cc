import LedgerTestSupport
import MembershipModel
import Testing

@Suite("Law 12: one holder")
struct LawsHolderTests {
  @Test(arguments: seeds(12, from: 7000))
  func `at every instant exactly one customer holds each membership`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 8)
    let outcome = Outcome(scenario.events)
    let names = Set(Scenario.customers.map { outcome.fold.canonicalName(of: $0, .production) })
    // Of what is known by transfers alone, nobody is known to have held it before.
    let memberships = Set(
      scenario.documents.flatMap(\.facts).filter { $0.body.name != "transferred" }
        .compactMap(\.membership))
    for instant in Scenario.turningPoints(of: scenario.events) {
      for membership in memberships {
        let holders = names.filter { name in
          outcome.fold.dossier(of: name, .production).memberships.contains { held in
            held.id == membership && held.seat == nil
              && held.held.contains { $0.contains(instant) }
          }
        }
        #expect(holders.count == 1, "seed \(seed): \(membership) at \(instant)")
      }
    }
  }

  @Test(arguments: seeds(12, from: 7100))
  func `all names of one customer get the same answers`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 8, decisions: 8)
    let outcome = Outcome(scenario.events)
    let instants = Array(Scenario.turningPoints(of: scenario.events).prefix(20))
    for name in Scenario.customers {
      let canonical = outcome.fold.canonicalName(of: name, .production)
      #expect(outcome.fold.canonicalName(of: canonical, .production) == canonical)
      for key in Scenario.entitlements {
        let (one, other) = (outcome.access(of: name), outcome.access(of: canonical))
        let same = instants.allSatisfy {
          one.decision(on: key, at: $0, askedAs: name).outcome
            == other.decision(on: key, at: $0, askedAs: name).outcome
        }
        #expect(same, "seed \(seed): \(name)")
      }
    }
  }

  @Test(arguments: seeds(12, from: 7200))
  func `a merge that is undone leaves everything as it was`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 8, decisions: 3)
    let instants = Scenario.turningPoints(of: scenario.events)
    // A scenario may merge by itself; only what these two decisions add is undone.
    let base = scenario.events.filter { event in
      !event.facts.contains {
        if case .customersMerged = $0.body { true } else { false }
      }
    }
    var scene = Scene()
    scene.manual(day(3), .customersMerged(CustomerMerge(from: "ann", into: "bob")))
    scene.manual(day(4), .mergeUndone(CustomerMerge(from: "ann", into: "bob")))
    let before = Outcome(base).decisions(at: instants).map(\.outcome)
    let after = Outcome(base + scene.events).decisions(at: instants).map(\.outcome)
    #expect(before.elementsEqual(after), "seed \(seed)")
  }
}

@Suite("Law 13: environments do not mix")
struct LawsEnvironmentTests {
  @Test(arguments: seeds(8, from: 8000))
  func `the same ids in the sandbox change nothing in production`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let real = ScenarioMaker.make(seed: seed, documents: 10, decisions: 3)
    let test = ScenarioMaker.make(seed: seed &+ 1, documents: 10, decisions: 0)
    let sandbox = test.documents.map { event in
      var copy = event
      copy.environment = .sandbox
      copy.id = EventID(unchecked: "sandbox-\(event.id)")
      return copy
    }
    let instants = Scenario.turningPoints(of: real.events + sandbox)
    let mixed = Outcome((real.events + sandbox).shuffledDocuments(using: &random))
    let alone = Outcome(real.events).decisions(at: instants)
    #expect(mixed.decisions(at: instants) == alone, "seed \(seed)")
    let terms = real.events.filter { $0.facts.contains { $0.body.isOfTerms } }
    let apart = Outcome(terms + sandbox).decisions(at: instants, .sandbox)
    #expect(mixed.decisions(at: instants, .sandbox) == apart, "seed \(seed)")
  }

  @Test func `an environment of a newer version grants nowhere else`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    let strange = scene.moved(to: .unrecognized(7))
    for environment in [.production, .sandbox] as [Environment] {
      var asked = strange
      asked.environment = environment
      #expect(asked.access().holdings(at: day(1)).isEmpty)
    }
  }
}

extension Decision {
  /// The answer without what it rests on; who has nothing need not be known for it.
  var outcome: String {
    let told: DecisionReason = reason == .unknownCustomer ? .none : reason
    return "\(isEntitled) \(told) \(validFrom as Any) \(validUntil as Any)"
  }
}

extension Fact.Body {
  var isOfTerms: Bool {
    switch self {
    case .catalogRevised, .policyRevised: true
    default: false
    }
  }
}
