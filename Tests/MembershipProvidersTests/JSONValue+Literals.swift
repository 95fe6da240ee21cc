package import MembershipModel

// JSON in the tests reads as JSON.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { JSONValue.Field($0.0, $0.1) })
  }
}

extension JSONValue {
  /// The value with the fields of an object put in place of its own, or added.
  func with(_ changes: JSONValue) -> JSONValue {
    let kept = (fields ?? []).filter { changes[$0.key] == nil }
    return .object(kept + (changes.fields ?? []))
  }

  /// The value without one of its fields.
  func without(_ key: String) -> JSONValue {
    .object((fields ?? []).filter { $0.key != key })
  }
}
