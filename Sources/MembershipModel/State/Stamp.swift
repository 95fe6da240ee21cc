/// What orders two observations of one thing: the source's own words, never their arrival.
package struct Stamp: Hashable, Sendable {
  /// When the source wrote it.
  package var time: Timestamp
  /// The position, for decisions taken inside the ledger; 0 for facts of providers.
  package var decision: UInt64
  /// Which fact wins where the source wrote two at one time.
  package var precedence: Int64
  /// The event that says it.
  package var event: EventID
  /// The source's digest of the state it shows; 0 where it gives none.
  package var state: UInt64
  /// The source's digest of the state before; 0 where it gives none.
  package var previousState: UInt64
  package var unknownFields = UnknownFields()

  package init(
    time: Timestamp, decision: UInt64 = 0, precedence: Int64 = 0, event: EventID,
    state: UInt64 = 0, previousState: UInt64 = 0
  ) {
    self.time = time
    self.decision = decision
    self.precedence = precedence
    self.event = event
    self.state = state
    self.previousState = previousState
  }

  /// Whether the source says which other state came before.
  var isStep: Bool { previousState != 0 && previousState != state }

  /// Whether the source says that this came right after the other.
  func follows(_ other: Stamp) -> Bool {
    isStep && previousState == other.state
  }

  /// The stamp of a thing that is decided: decisions of our own go by position alone, whatever the
  /// clock said, and before what a provider writes of the same instant.
  var ofDecision: Stamp {
    guard decision > 0 else { return self }
    var copy = self
    copy.time = .distantFuture
    return copy
  }

  func with(precedence: Int64) -> Stamp {
    var copy = self
    copy.precedence = precedence
    return copy
  }
}

extension Stamp: Message {
  package static var messageName: String { "Stamp" }
  package static var blank: Stamp { Stamp(time: .defaultValue, event: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "time", &time)
    try visitor.field(2, "decision", &decision)
    try visitor.field(3, "precedence", &precedence)
    try visitor.field(4, "event", &event)
    try visitor.field(5, "state", &state)
    try visitor.field(6, "previousState", &previousState)
  }
}

/// A value with the stamp of the event that says it.
package struct Stamped<Value: FieldValue>: Hashable, Sendable {
  package var stamp: Stamp
  package var value: Value
  package var unknownFields = UnknownFields()

  package init(_ value: Value, _ stamp: Stamp) {
    self.stamp = stamp
    self.value = value
  }
}

extension Stamped: Message {
  package static var messageName: String { "Stamped" }
  package static var blank: Stamped { Stamped(.defaultValue, .blank) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "stamp", &stamp)
    try visitor.field(2, "value", &value)
  }
}
