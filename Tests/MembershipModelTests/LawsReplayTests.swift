import LedgerTestSupport
import MembershipModel
import Testing

@Suite("Law 4: idempotent for ever")
struct LawsIdempotencyTests {
  @Test(arguments: seeds(15, from: 10_000))
  func `a repeated document changes no state, whenever it comes`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 4)
    var fold = Outcome(scenario.events).fold
    let before = Outcome(scenario.events).states
    for (index, event) in scenario.documents.enumerated() {
      _ = fold.apply(
        RecordedEvent(
          position: Position(UInt64(500 + index)), recordedAt: day(2000), event: event))
    }
    let same = fold.store.states.mapValues { $0.encoded() } == before
    #expect(same, "seed \(seed)")
  }

  @Test func `how an event came to be known is no part of its content or its effect`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    var again = scene
    again.events[1].provenance = Provenance(
      origin: .import, verification: Verification(.verified, method: "x"), document: [1, 2],
      correlation: "y")
    #expect(scene.events[1].encoded() == again.events[1].encoded())
    #expect(Outcome(scene.events).states == Outcome(again.events).states)
    again.events[1].reason = "other"
    #expect(scene.events[1].encoded() != again.events[1].encoded())
  }
}

@Suite("Law 16: replay equals live")
struct LawsReplayTests {
  /// Keeps states only in their stored form, as a ledger does.
  private struct StoredStates: StateStore {
    typealias Failure = WireError

    var bytes: [EntityKey: [UInt8]] = [:]

    func state<State: EntityState>(_ key: EntityKey, as type: State.Type) throws(WireError)
      -> State?
    {
      guard let stored = bytes[key] else { return nil }
      return try State(decoding: stored[...], depth: 0)
    }

    mutating func set<State: EntityState>(_ key: EntityKey, to state: State) throws(WireError) {
      bytes[key] = state.encoded()
    }

    mutating func remove(_ key: EntityKey) { bytes[key] = nil }
  }

  @Test(arguments: seeds(15, from: 11_000))
  func `states that are stored and read at each step come out the same`(seed: UInt64) throws {
    let scenario = ScenarioMaker.make(seed: seed, documents: 20, decisions: 8)
    var stored = Fold(StoredStates())
    for record in scenario.events.recorded { _ = try stored.apply(record) }
    let same = stored.store.bytes == Outcome(scenario.events).states
    #expect(same, "seed \(seed)")
  }

  @Test(arguments: seeds(12, from: 12_000))
  func `every name whose answers an event changes is among those it touches`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scenario = ScenarioMaker.make(seed: seed, documents: 12, decisions: 8)
    let events = scenario.events.shuffledDocuments(using: &random)
    var fold = Fold(MemoryStore())
    var before = Self.answers(fold)
    for record in events.recorded {
      let effect = fold.apply(record)
      let after = Self.answers(fold)
      let touched = Set(effect.names.map { fold.canonicalName(of: $0, .production) })
      for name in Scenario.customers where !effect.changesTerms {
        let (old, new) = (before[name], after[name])
        if old?.canonical != new?.canonical {
          #expect(effect.names.contains(name), "seed \(seed): \(name) leads elsewhere")
        }
        if old?.stretches != new?.stretches {
          #expect(
            touched.contains(fold.canonicalName(of: name, .production)), "seed \(seed): \(name)")
        }
      }
      before = after
    }
  }

  private struct Answers {
    let canonical: CustomerID
    let stretches: [[Period]]
  }

  private static func answers(_ fold: Fold<MemoryStore>) -> [CustomerID: Answers] {
    Dictionary(
      uniqueKeysWithValues: Scenario.customers.map { name in
        let access = CustomerAccess(
          fold.dossier(of: name, .production), fold.store.terms(), .production)
        return (
          name,
          Answers(
            canonical: fold.canonicalName(of: name, .production),
            stretches: Scenario.entitlements.map { access.stretchesOfAccess(to: $0) })
        )
      })
  }
}
