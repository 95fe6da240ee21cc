internal import MembershipModel

extension JSONValue {
  /// An object of fields in the order in which they stand.
  static func fields(_ fields: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(fields.map { Field($0.key, $0.value) })
  }

  /// A text; null where there is none.
  static func text(_ text: String?) -> JSONValue {
    text.map { .string($0) } ?? .null
  }

  /// RFC 3339 in UTC with milliseconds; null where there is no instant.
  static func time(_ instant: Timestamp?) -> JSONValue {
    text(instant?.description)
  }

  static func id<Kind>(_ id: Identifier<Kind>?) -> JSONValue {
    text(id?.rawValue)
  }

  static func ids<Kind>(_ ids: [Identifier<Kind>]) -> JSONValue {
    .array(ids.map { .string($0.rawValue) })
  }

  static func position(_ position: Position?) -> JSONValue {
    position?.json ?? .null
  }

  static func count(_ count: some BinaryInteger) -> JSONValue {
    .integer(Int64(clamping: count))
  }
}
