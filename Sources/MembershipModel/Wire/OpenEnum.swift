/// An enumeration that newer versions may extend: values that this version does not know are kept
/// by number and never mean anything that grants.
package protocol OpenEnum: FieldValue {
  /// The known values with their numbers on the wire and their names in JSON.
  static var known: [(value: Self, number: Int64, name: String)] { get }
  static func unrecognized(_ number: Int64) -> Self
  /// The number of an unrecognized value, or nil.
  var unrecognizedNumber: Int64? { get }
}

extension OpenEnum {
  package static var schemaType: String { String(describing: Self.self) }
  package static var defaultValue: Self { .unrecognized(0) }
  package static var isLengthDelimited: Bool { false }

  package var number: Int64 {
    unrecognizedNumber ?? Self.known.first { $0.value == self }?.number ?? 0
  }

  package init(number: Int64) {
    self = Self.known.first { $0.number == number }?.value ?? .unrecognized(number)
  }

  /// The name in JSON and in messages; `unrecognized(N)` for values of newer versions.
  package var name: String {
    Self.known.first { $0.value == self }?.name ?? "unrecognized(\(number))"
  }

  /// The value with this name, or nil.
  package init?(named name: String) {
    guard let entry = Self.known.first(where: { $0.name == name }) else { return nil }
    self = entry.value
  }

  package func encode(to writer: inout WireWriter) {
    number.encode(to: &writer)
  }

  package static func decode(from reader: inout WireReader, depth: Int) throws(WireError) -> Self {
    Self(number: try Int64.decode(from: &reader, depth: depth))
  }

  package var json: JSONValue { .string(name) }

  package init(json: JSONValue) throws(InvalidValue) {
    let name = try String(json: json)
    guard let value = Self(named: name) else {
      let names = Self.known.map(\.name).joined(separator: ", ")
      throw InvalidValue(value: name, rule: "one of \(names) is expected")
    }
    self = value
  }
}
