import LedgerTestSupport
import MembershipModel
import Testing

@Suite("Law 5: order-free")
struct LawsOrderTests {
  @Test(arguments: seeds(4))
  func `every order of up to seven documents gives the same states`(seed: UInt64) {
    let count = seed.isMultiple(of: 4) ? 7 : 5
    let scenario = ScenarioMaker.make(seed: seed, documents: count, decisions: 2)
    let expected = Outcome(scenario.events).fold.store.states
    var failures = 0
    Self.permute(scenario.documents, after: Outcome(scenario.decisions).fold) { fold in
      if !Self.areEqual(fold.store.states, expected) { failures += 1 }
    }
    #expect(failures == 0, "seed \(seed)")
  }

  private static func areEqual(
    _ left: [EntityKey: any EntityState], _ right: [EntityKey: any EntityState]
  ) -> Bool {
    left.count == right.count && left.allSatisfy { $1.isEqual(to: right[$0]) }
  }

  /// Hands over the fold of every order of the events, sharing what orders have in common.
  private static func permute(
    _ rest: [Event], after fold: Fold<MemoryStore>, position: UInt64 = 100,
    _ body: (Fold<MemoryStore>) -> Void
  ) {
    if rest.isEmpty { return body(fold) }
    for index in rest.indices {
      var next = fold
      _ = next.apply(
        RecordedEvent(
          position: Position(position), recordedAt: day(1000), event: rest[index]))
      var others = rest
      others.remove(at: index)
      permute(others, after: next, position: position + 1, body)
    }
  }

  @Test(arguments: seeds(12, from: 100))
  func `random orders with repeats give the same states and decisions`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let scenario = ScenarioMaker.make(seed: seed, documents: 25, decisions: 5)
    // Decisions keep their positions; documents take the other ones in any order.
    let count = UInt64(scenario.decisions.count)
    let decided = Set((0..<count).map { 1 + 4 * $0 })
    let expected = Outcome(records(scenario.documents, scenario.decisions, decided))
    let instants = Scenario.turningPoints(of: scenario.events)
    let decisions = expected.decisions(at: instants)
    for _ in 0..<4 {
      let repeats = scenario.documents.filter { _ in Bool.random(using: &random) }
      let shuffled = (scenario.documents + repeats).shuffled(using: &random)
      let outcome = Outcome(records(shuffled, scenario.decisions, decided))
      let differing = outcome.differences(from: expected)
      #expect(differing.isEmpty, "seed \(seed)")
    }
    let reversed = Outcome(records(scenario.documents.reversed(), scenario.decisions, decided))
    let same = reversed.decisions(at: instants) == decisions
    #expect(same, "seed \(seed)")
  }

  private func records(
    _ documents: [Event], _ decisions: [Event], _ decided: Set<UInt64>
  ) -> [RecordedEvent] {
    var (documents, decisions) = (documents[...], decisions[...])
    var records: [RecordedEvent] = []
    var position: UInt64 = 1
    while !documents.isEmpty || !decisions.isEmpty {
      let isDecision = documents.isEmpty || decided.contains(position) && !decisions.isEmpty
      guard let event = isDecision ? decisions.popFirst() : documents.popFirst() else { break }
      records.append(
        RecordedEvent(position: Position(position), recordedAt: day(1000), event: event))
      position += 1
    }
    return records
  }

  @Test(arguments: seeds(8, from: 200))
  func `history may come before, after and between the catalog and other decisions`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let scenario = ScenarioMaker.make(seed: seed, documents: 15, decisions: 5)
    let instants = Scenario.turningPoints(of: scenario.events)
    let before = Outcome(scenario.decisions + scenario.documents).decisions(at: instants)
    let after = Outcome(scenario.documents + scenario.decisions).decisions(at: instants)
    let differing = zip(before, after).filter { $0 != $1 }.map { [$0, $1] }.first
    #expect(differing == nil, "seed \(seed)")
    var mixed = scenario.documents.shuffled(using: &random)
    var place = 0
    for decision in scenario.decisions {
      place = Int.random(in: place...mixed.count, using: &random)
      mixed.insert(decision, at: place)
      place += 1
    }
    let same = Outcome(mixed).decisions(at: instants) == before
    #expect(same, "seed \(seed)")
  }

  @Test func `in one second a chain of previous values decides, whatever arrives first`() {
    let facts = [
      (Facts.standing(.trialing), 1, 0), (Facts.standing(.pastDue), 2, 1),
      (Facts.standing(.active), 3, 2),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var scene = Scene.usual
      for index in order {
        let (fact, state, previous) = facts[index]
        scene.stripe(
          day(0), id: "e\(index)",
          ordering: SourceOrdering(state: UInt64(state), previousState: UInt64(previous)), fact)
      }
      #expect(scene.membership(at: day(0))?.storeStatus == "active")
    }
  }

  @Test func `there and back in one second ends where the chain ends`() {
    let states = [(1, 9, "x"), (2, 1, "y"), (1, 2, "x")]
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]] {
      var scene = Scene.usual
      for index in order {
        let (state, previous, status) = states[index]
        scene.stripe(
          day(0), id: "e\(index)",
          ordering: SourceOrdering(state: UInt64(state), previousState: UInt64(previous)),
          Fact(
            .observed(Observation(status: status, standing: status == "x" ? .active : .pastDue)),
            membership: Facts.membership))
      }
      #expect(scene.membership(at: day(0))?.storeStatus == "x")
    }
  }

  /// The states: 1 goes on, 2 is to end.
  @Test(arguments: [true, false])
  func `cancelled and withdrawn in one second ends as it was known to be before`(isEnding: Bool) {
    let (cancel, withdraw) = (Facts.cancel(at: 30), Facts.withdrawCancel())
    let events = [
      (day(4), isEnding ? 2 : 1, 0, isEnding ? cancel : Facts.standing(.active)),
      (day(5), 2, 1, cancel), (day(5), 1, 2, withdraw),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var scene = Scene.usual
      scene.stripe(day(0), Facts.paid(0, 30))
      for index in order {
        let (at, state, previous, fact) = events[index]
        scene.stripe(
          at, id: "e\(index)",
          ordering: SourceOrdering(state: UInt64(state), previousState: UInt64(previous)), fact)
      }
      #expect(scene.status(at: day(6)) == (isEnding ? .canceling : .active))
    }
  }

  @Test func `of a circle of which nothing was known before the greater precedence decides`() {
    for order in [[0, 1], [1, 0]] {
      let events = [(2, 1, Facts.cancel(at: 30)), (1, 2, Facts.withdrawCancel())]
      var scene = Scene.usual
      scene.stripe(day(0), Facts.paid(0, 30))
      for index in order {
        let (state, previous, fact) = events[index]
        scene.stripe(
          day(5), id: "e\(index)",
          ordering: SourceOrdering(state: UInt64(state), previousState: UInt64(previous)), fact)
      }
      #expect(scene.status(at: day(6)) == .canceling)
    }
  }

  @Test func `without a chain the greater precedence decides, then the event's id`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(5), id: "b", Facts.withdrawCancel())
    scene.stripe(day(5), id: "a", Facts.cancel(at: 30))
    #expect(scene.status(at: day(5)) == .canceling)
    scene.stripe(day(6), id: "z", Facts.standing(.unrecognized(1), isRenewing: false))
    scene.stripe(day(6), id: "y", Facts.standing(.pastDue, isRenewing: false))
    #expect(scene.membership(at: day(6))?.storeStatus == "unrecognized(1)")
  }

  @Test func `the newest observation wins by the time at which its source wrote it`() {
    var scene = Scene.usual
    scene.stripe(
      day(0), ordering: SourceOrdering(writtenAt: day(9)), Facts.paid(0, 20, offer: .team))
    scene.stripe(day(5), Facts.paid(0, 30))
    #expect(scene.access().stretchesOfAccess(to: "seats") == [Period(0, 20)])
  }
}

extension EntityState {
  fileprivate func isEqual(to other: (any EntityState)?) -> Bool {
    other as? Self == self
  }
}
