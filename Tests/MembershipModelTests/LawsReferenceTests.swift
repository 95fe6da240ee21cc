import LedgerTestSupport
import MembershipModel
import Testing

/// Many small event sets, each asked a few questions at instants where something turns.
///
/// `LEDGER_EVENT_SETS` says how many; the count is printed, so that a long run can be shown.
@Suite("The reference fold agrees on many event sets")
struct LawsReferenceTests {
  private static let workers: UInt64 = 8
  private static let total = LawsEnvironment.eventSets
  private static let questions = 6

  @Test(arguments: 0..<workers)
  func `and on every answer that it is asked for`(worker: UInt64) {
    let count = UInt64(Self.total) / Self.workers
    var disagreements = 0
    for index in 0..<count where disagreements < 5 {
      let seed = 10_000_000 + worker * count + index
      if let disagreement = Self.disagreement(seed: seed) {
        disagreements += 1
        Issue.record("seed \(seed): \(disagreement)")
      }
    }
    print("reference fold: \(count) event sets compared, seeds from \(10_000_000 + worker * count)")
  }

  /// The first question that the reference fold answers otherwise; nil where there is none.
  private static func disagreement(seed: UInt64) -> String? {
    var random = SeededGenerator(seed: seed)
    let scenario = ScenarioMaker.make(
      seed: seed, documents: Int.random(in: 1...7, using: &random),
      decisions: Int.random(in: 0...3, using: &random))
    let events = scenario.events.shuffledDocuments(using: &random)
    let outcome = Outcome(events)
    let model = NaiveModel(events)
    let instants = Scenario.turningPoints(of: events)
    for _ in 0..<questions {
      guard let customer = Scenario.customers.randomElement(using: &random),
        let key = Scenario.entitlements.randomElement(using: &random),
        let instant = instants.randomElement(using: &random)
      else { continue }
      let access = outcome.access(of: customer)
      let decision = access.decision(on: key, at: instant, askedAs: customer)
      let expected = model.answer(customer, key, instant)
      let stretches = AccessStretches(access.dossier, access.terms)
      let isHad = stretches[key].contains { $0.contains(instant) }
      if !expected.agrees(with: decision) || isHad != decision.isEntitled {
        return "\(customer) \(key) at \(instant): \(expected), not \(decision.reason), \(isHad)"
      }
    }
    return nil
  }
}
