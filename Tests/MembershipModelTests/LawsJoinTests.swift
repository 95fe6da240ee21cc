import LedgerTestSupport
import MembershipModel
import Testing

/// The algebra behind law 5: what is joined does not care for order, grouping or repeats.
@Suite("Law 5: joins")
struct LawsJoinTests {
  private static func expectLaws<Value: Joinable>(
    seed: UInt64, _ make: (inout SeededGenerator) -> Value
  ) {
    var random = SeededGenerator(seed: seed)
    let (a, b, c) = (make(&random), make(&random), make(&random))
    func joined(_ left: Value, _ right: Value) -> Value {
      var copy = left
      copy.join(right)
      return copy
    }
    #expect(joined(a, b) == joined(b, a), "commutative, seed \(seed)")
    #expect(joined(joined(a, b), c) == joined(a, joined(b, c)), "associative, seed \(seed)")
    #expect(joined(a, a) == a, "idempotent, seed \(seed)")
    #expect(joined(a, b).encodedForm == joined(b, a).encodedForm, "on disk, seed \(seed)")
  }

  private static func stamp(_ random: inout SeededGenerator) -> Stamp {
    Stamp(
      time: day(Double(Int.random(in: 0...2, using: &random))),
      decision: UInt64.random(in: 0...1, using: &random),
      precedence: Int64.random(in: 0...1, using: &random),
      event: EventID(unchecked: "e\(Int.random(in: 0...3, using: &random))"),
      state: UInt64.random(in: 0...3, using: &random),
      previousState: UInt64.random(in: 0...3, using: &random))
  }

  private static func register(_ random: inout SeededGenerator) -> Register<String> {
    var register = Register<String>()
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      register.join("v\(Int.random(in: 0...2, using: &random))", stamp(&random))
    }
    return register
  }

  private static func history(_ random: inout SeededGenerator) -> History<String> {
    var history = History<String>()
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      history.join(
        "v\(Int.random(in: 0...2, using: &random))",
        at: day(Double(Int.random(in: 0...2, using: &random))), stamp(&random))
    }
    return history
  }

  private static func money(_ random: inout SeededGenerator) -> MoneyState {
    let scenario = ScenarioMaker.make(seed: random.next(), documents: 12, decisions: 0)
    return Outcome(scenario.documents).fold.store.states.values
      .compactMap { ($0 as? PaymentState)?.money }
      .filter { !$0.isEmpty }
      .max { $0.encodedForm.lexicographicallyPrecedes($1.encodedForm) } ?? MoneyState()
  }

  @Test(arguments: seeds(60))
  func `registers`(seed: UInt64) {
    Self.expectLaws(seed: seed, Self.register)
  }

  @Test(arguments: seeds(60))
  func `histories`(seed: UInt64) {
    Self.expectLaws(seed: seed, Self.history)
  }

  @Test(arguments: seeds(60))
  func `maps of registers`(seed: UInt64) {
    Self.expectLaws(seed: seed) { random in
      var map = SortedMap<String, Register<String>>()
      for _ in 0..<3 {
        map["k\(Int.random(in: 0...3, using: &random))", default: Register()]
          .join(Self.register(&random))
      }
      return Boxed(map: map)
    }
  }

  @Test(arguments: seeds(20))
  func `the money of payments`(seed: UInt64) {
    Self.expectLaws(seed: seed, Self.money)
  }

  @Test func `equal sets are equal values, however they came about`() {
    var (left, right) = (SortedSet<String>(), SortedSet<String>())
    for element in ["b", "a", "c", "a"] { left.insert(element) }
    for element in ["c", "b", "a"] { right.insert(element) }
    #expect(left == right && left.elements == ["a", "b", "c"])
    var map = SortedMap<String, String>()
    for key in ["b", "c", "a"] { map[key, default: key] = key }
    map.remove("b")
    map.remove("x")
    #expect(Array(map.keys) == ["a", "c"])
    #expect(map.last(notAfter: "b")?.key == "a" && map.last(notAfter: "A")?.key == nil)
  }
}

extension FieldValue {
  fileprivate var encodedForm: [UInt8] {
    (self as? any Message)?.encoded() ?? []
  }
}

/// A map as the field of a message, as which maps are stored.
private struct Boxed: Message, Joinable {
  var map: SortedMap<String, Register<String>>
  var unknownFields = UnknownFields()

  static var messageName: String { "Boxed" }
  static var blank: Boxed { Boxed(map: SortedMap()) }

  mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "entries", &map.entries)
  }

  mutating func join(_ other: Boxed) {
    map.join(other.map)
  }
}
