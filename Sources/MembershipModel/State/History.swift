/// The values that something had from instant to instant.
///
/// A value holds from its instant until the next one. What the source says of one instant is a
/// register, so that a history is joined as its registers are.
package struct History<Value: FieldValue>: Hashable, Sendable {
  private(set) var moments = SortedMap<Timestamp, Register<Value>>()
  package var unknownFields = UnknownFields()

  package init() {}

  package var isEmpty: Bool { moments.isEmpty }

  package mutating func join(_ value: Value, at instant: Timestamp, _ stamp: Stamp) {
    moments[instant, default: Register()].join(value, stamp)
  }

  package func entry(at instant: Timestamp) -> Stamped<Value>? {
    moments.last(notAfter: instant)?.value.winner
  }

  package func value(at instant: Timestamp) -> Value? {
    entry(at: instant)?.value
  }

  /// Each value with the stretch in which it holds, in order; the last one has no end.
  package var stretches: [(period: Period, entry: Stamped<Value>)] {
    let entries = moments.entries
    return entries.indices.compactMap { index in
      guard let winner = entries[index].value.winner else { return nil }
      let end = index + 1 < entries.count ? entries[index + 1].key : .distantFuture
      return (Period(start: entries[index].key, end: end), winner)
    }
  }
}

extension History: Joinable {
  package mutating func join(_ other: History) {
    moments.join(other.moments)
  }
}

extension History: Message {
  package static var messageName: String { "History" }
  package static var blank: History { History() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "moments", &moments)
  }
}
