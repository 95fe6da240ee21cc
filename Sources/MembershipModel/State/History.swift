/// The values that something had from instant to instant.
///
/// A value holds from its instant until the next one. What the source says of one instant is a
/// register, so that a history is joined as its registers are. What held at an earlier instant
/// tells where the source's words run in a circle within one.
package struct History<Value: FieldValue>: Hashable, Sendable {
  private(set) var moments = SortedMap<Timestamp, Register<Value>>()
  package var unknownFields = UnknownFields()

  package init() {}

  package var isEmpty: Bool { moments.isEmpty }

  package mutating func join(_ value: Value, at instant: Timestamp, _ stamp: Stamp) {
    moments[instant, default: Register()].join(value, stamp)
  }

  package func entry(at instant: Timestamp) -> Stamped<Value>? {
    guard let index = moments.lastIndex(notAfter: instant) else { return nil }
    let register = moments.entries[index].value
    return register.winner { Self.state(before: register, winners(before: index)) }
  }

  package func value(at instant: Timestamp) -> Value? {
    entry(at: instant)?.value
  }

  /// Each value with the stretch in which it holds, in order; the last one has no end.
  package var stretches: [(period: Period, entry: Stamped<Value>)] {
    let entries = moments.entries
    let winners = winners(before: entries.count)
    return entries.indices.compactMap { index in
      guard let winner = winners[index] else { return nil }
      let end = index + 1 < entries.count ? entries[index + 1].key : .distantFuture
      return (Period(start: entries[index].key, end: end), winner)
    }
  }

  /// What holds from each of the first moments on.
  private func winners(before end: Int) -> [Stamped<Value>?] {
    var winners: [Stamped<Value>?] = []
    winners.reserveCapacity(end)
    for index in 0..<end {
      let register = moments.entries[index].value
      winners.append(register.winner { Self.state(before: register, winners) })
    }
    return winners
  }

  /// The source's state, of the winners of earlier moments, that it wrote last before a register's
  /// words; 0 where none is known.
  private static func state(
    before register: Register<Value>, _ winners: [Stamped<Value>?]
  ) -> UInt64 {
    guard let time = register.candidates.first?.stamp.time else { return 0 }
    let earlier = winners.last { winner in
      winner.map { $0.stamp.time < time && $0.stamp.state != 0 } ?? false
    }
    return earlier??.stamp.state ?? 0
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
