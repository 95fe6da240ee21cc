/// Received and kept without effect on any membership.
public struct Note: Hashable, Sendable {
  /// The provider's type of the document.
  public var type: String
  /// The object that the document is about, where it says so.
  public var subject: String
  /// Why it has no effect, where that is not plain from its type.
  public var reason: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(type: String, subject: String = "", reason: String = "") {
    self.type = type
    self.subject = subject
    self.reason = reason
  }
}

extension Note: Message {
  package static var messageName: String { "Note" }

  package static var blank: Note { Note(type: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "documentType", &type)
    try visitor.field(2, "subject", &subject)
    try visitor.field(3, "reason", &reason)
  }

  package func validate() throws(WireError) {
    try require(type, "documentType")
  }
}

/// The provider's own list of what a customer is entitled to: recorded and compared, never trusted.
public struct EntitlementClaim: Hashable, Sendable {
  /// The lookup keys that it lists.
  public var entitlements: [String]
  /// Whether the list is whole.
  public var isComplete: Bool
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes the payload; see the properties for the meaning of each part.
  public init(entitlements: [String] = [], isComplete: Bool = false) {
    self.entitlements = entitlements
    self.isComplete = isComplete
  }
}

extension EntitlementClaim: Message {
  package static var messageName: String { "EntitlementClaim" }

  package static var blank: EntitlementClaim { EntitlementClaim() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "entitlements", &entitlements)
    try visitor.field(2, "isComplete", &isComplete)
  }
}
