import MembershipModel

extension JSONValue {
  /// Parses the body of a document.
  init(document body: [UInt8]) throws(Refusal) {
    do {
      try self.init(parsing: body)
    } catch {
      throw Refusal(
        .unreadable, message: "the body is no readable document: \(error)",
        remedy: "hand over the raw body as it came")
    }
  }
}

extension JSONValue {
  /// The same value however its fields were ordered.
  var withSortedFields: JSONValue {
    switch self {
    case .object(let fields):
      .object(
        fields.map { Field($0.key, $0.value.withSortedFields) }.sorted { $0.key < $1.key })
    case .array(let elements):
      .array(elements.map(\.withSortedFields))
    default:
      self
    }
  }
}
