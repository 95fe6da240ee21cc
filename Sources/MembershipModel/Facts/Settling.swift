/// A decision of the ledger's own: the feed of changes has what time alone had changed by an
/// instant.
public struct Settlement: Hashable, Sendable {
  /// The instant; changes at it are in the feed too.
  public var upTo: Timestamp
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(upTo: Timestamp) {
    self.upTo = upTo
  }
}

extension Settlement: Message {
  package static var messageName: String { "Settlement" }

  package static var blank: Settlement { Settlement(upTo: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "upTo", &upTo)
  }
}
