/// Whether a membership goes on, or when it is to end.
package struct Intent: Hashable, Sendable {
  /// When it is to end; nil while it goes on.
  package var endsAt: Timestamp?
  package var unknownFields = UnknownFields()

  package init(endsAt: Timestamp?) {
    self.endsAt = endsAt
  }
}

extension Intent: Message {
  package static var messageName: String { "Intent" }
  package static var blank: Intent { Intent(endsAt: nil) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "endsAt", &endsAt)
  }
}

/// Whether a pause is on.
package struct PauseMark: Hashable, Sendable {
  package var isPaused: Bool
  /// When it ends by itself.
  package var resumesAt: Timestamp?
  /// Whether what is paid for is had all the same.
  package var keepsPaidPeriod: Bool
  package var unknownFields = UnknownFields()

  package init(isPaused: Bool, resumesAt: Timestamp? = nil, keepsPaidPeriod: Bool = false) {
    self.isPaused = isPaused
    self.resumesAt = resumesAt
    self.keepsPaidPeriod = keepsPaidPeriod
  }
}

extension PauseMark: Message {
  package static var messageName: String { "PauseMark" }
  package static var blank: PauseMark { PauseMark(isPaused: false) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "isPaused", &isPaused)
    try visitor.field(2, "resumesAt", &resumesAt)
    try visitor.field(3, "keepsPaidPeriod", &keepsPaidPeriod)
  }
}

/// Whether a hold is on.
package struct HoldMark: Hashable, Sendable {
  package var isHeld: Bool
  package var kind: HoldKind
  package var unknownFields = UnknownFields()

  package init(isHeld: Bool, kind: HoldKind = .order) {
    self.isHeld = isHeld
    self.kind = kind
  }
}

extension HoldMark: Message {
  package static var messageName: String { "HoldMark" }
  package static var blank: HoldMark { HoldMark(isHeld: false, kind: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "isHeld", &isHeld)
    try visitor.field(2, "kind", &kind)
  }
}

/// Whether the store has taken a transaction back.
package struct RevocationMark: Hashable, Sendable {
  package var isRevoked: Bool
  package var unknownFields = UnknownFields()

  package init(isRevoked: Bool) {
    self.isRevoked = isRevoked
  }
}

extension RevocationMark: Message {
  package static var messageName: String { "RevocationMark" }
  package static var blank: RevocationMark { RevocationMark(isRevoked: false) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "isRevoked", &isRevoked)
  }
}
