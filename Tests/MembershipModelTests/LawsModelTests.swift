import LedgerTestSupport
import MembershipModel
import Testing

@Suite("A slow obvious model agrees")
struct LawsModelTests {
  @Test(arguments: seeds(25, from: 1000))
  func `on who is entitled to what, when, and on holds and pauses`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scenario = ScenarioMaker.make(
      seed: seed, documents: Int.random(in: 1...16, using: &random),
      decisions: Int.random(in: 0...9, using: &random))
    let events = scenario.events.shuffledDocuments(using: &random)
    let outcome = Outcome(events)
    let model = NaiveModel(events)
    let instants = Scenario.turningPoints(of: events).shuffled(using: &random).prefix(12)
    for customer in Scenario.customers {
      let access = outcome.access(of: customer)
      for key in Scenario.entitlements {
        for instant in instants {
          let decision = access.decision(on: key, at: instant, askedAs: customer)
          let expected = model.answer(customer, key, instant)
          #expect(
            expected.agrees(with: decision),
            "seed \(seed): \(customer) \(key) at \(instant): \(expected), not \(decision.reason)")
        }
      }
    }
  }
}

@Suite("The scenarios")
struct LawsScenarioTests {
  /// The ledger's own book-keeping, which no scenario of memberships has, and what counts by its
  /// position alone and is no part of the join: `CorrectionLawTests` are about it.
  private static let others: Set<String> = ["settled", "corrected"]

  @Test func `state every fact sooner or later`() {
    var stated: Set<String> = []
    for seed in seeds(300, from: 14_000) {
      let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 8)
      for event in scenario.events { stated.formUnion(event.facts.map(\.body.name)) }
    }
    let missing = Fact.Body.known.map(\.name).filter {
      !stated.contains($0) && !Self.others.contains($0)
    }
    #expect(missing == [], "let the scenarios state these facts too")
  }
}

extension NaiveModel.Answer {
  /// The slow model does not tell apart why what was never had, or is over, is denied.
  func agrees(with decision: Decision) -> Bool {
    switch self {
    case .granted: decision.isEntitled && decision.reason == .granted
    case .grace: decision.isEntitled && decision.reason == .grace
    case .held: !decision.isEntitled && decision.reason == .held
    case .paused: !decision.isEntitled && decision.reason == .paused
    case .denied:
      !decision.isEntitled && ![.granted, .grace, .held].contains(decision.reason)
    }
  }
}

extension [Event] {
  /// The documents in random order around the decisions, which keep theirs.
  func shuffledDocuments(using random: inout SeededGenerator) -> [Event] {
    var decisions = filter { $0.provider == .manual }[...]
    var documents = filter { $0.provider != .manual }.shuffled(using: &random)[...]
    var mixed: [Event] = []
    while !decisions.isEmpty || !documents.isEmpty {
      let isDecision = documents.isEmpty || Bool.random(using: &random)
      if let next = isDecision ? decisions.popFirst() : documents.popFirst() { mixed.append(next) }
    }
    return mixed
  }
}
