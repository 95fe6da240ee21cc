/// A last-writer register: the observations that share the latest time its source has written.
///
/// Joining keeps the later time, or the union where times are equal, so that it is commutative,
/// associative and idempotent. Which of several candidates wins is a function of the set alone.
package struct Register<Value: FieldValue>: Hashable, Sendable {
  /// The candidates, sorted so that equal sets are equal values.
  package private(set) var candidates: [Stamped<Value>] = []
  package var unknownFields = UnknownFields()

  package init() {}

  package var isEmpty: Bool { candidates.isEmpty }

  package mutating func join(_ value: Value, _ stamp: Stamp) {
    if let time = candidates.first?.stamp.time {
      if stamp.time < time { return }
      if stamp.time > time { candidates = [] }
    }
    let candidate = Stamped(value, stamp)
    let index = candidates.firstIndex { !Self.precedes($0, candidate) } ?? candidates.endIndex
    if index < candidates.endIndex, candidates[index] == candidate { return }
    candidates.insert(candidate, at: index)
  }

  /// The observation that holds.
  ///
  /// Where the source's previous values form a chain, a state gives way if it was left as often as
  /// it was reached. Where that leaves none, the source's words run in a circle and all stand again.
  /// Of those that stand, the last in the fixed order wins.
  package var winner: Stamped<Value>? { winner(after: { 0 }) }

  /// The observation that holds, where more may be known than the register itself has.
  ///
  /// A circle ends where it began: where the state before it is known and lies on it, that state
  /// holds. Where it is not known, nothing tells which way round the circle was walked.
  ///
  /// - Parameter earlier: The source's digest of the state that held before; 0 where it is not known.
  /// - Returns: The observation, or nil where there is none.
  func winner(after earlier: () -> UInt64) -> Stamped<Value>? {
    if candidates.count < 2 { return candidates.first }
    if let last = candidates.last(where: { isLastOfChain($0.stamp.state) }) { return last }
    let start = earlier()
    return candidates.last { $0.stamp.state == start } ?? candidates.last
  }

  private func isLastOfChain(_ state: UInt64) -> Bool {
    if state == 0 { return true }
    let stamps = candidates.map(\.stamp)
    let reached = stamps.count { $0.state == state && $0.isStep }
    let isStart = stamps.contains { $0.state == state && !$0.isStep }
    let left = stamps.count { $0.previousState == state && $0.isStep }
    return left == 0 || reached + (isStart ? 1 : 0) > left
  }

  package var value: Value? { winner?.value }

  /// Decisions by position, then facts by precedence, then by event id; the last resort is the
  /// wire form, for two values that one event states of one thing.
  private static func precedes(_ left: Stamped<Value>, _ right: Stamped<Value>) -> Bool {
    let (first, second) = (left.stamp, right.stamp)
    if first.decision != second.decision { return first.decision < second.decision }
    if first.precedence != second.precedence { return first.precedence < second.precedence }
    if first.event != second.event { return first.event < second.event }
    if left == right { return false }
    return left.encoded().lexicographicallyPrecedes(right.encoded())
  }
}

extension Register: Joinable {
  package mutating func join(_ other: Register) {
    for candidate in other.candidates { join(candidate.value, candidate.stamp) }
  }
}

extension Register: Message {
  package static var messageName: String { "Register" }
  package static var blank: Register { Register() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "candidates", &candidates)
  }
}
