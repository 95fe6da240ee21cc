/// A value with a published wire form: a protobuf message.
///
/// One function, `visit`, names each field once; encoding, decoding, the JSON form and the check of
/// the published schema all walk it.
package protocol Message: Hashable, Sendable, FieldValue {
  /// The name of the message in the published schema.
  static var messageName: String { get }

  /// A value whose every field has the default of its type, into which the wire form is read.
  static var blank: Self { get }

  /// The value into which the JSON form is read: what a field means that is left out there.
  static var jsonBlank: Self { get }

  /// The fields that the schema of this version does not know, as they stood on the wire.
  var unknownFields: UnknownFields { get set }

  /// Shows each field to the visitor, in the order of the field numbers.
  mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError)

  /// Checks what the wire format cannot say: required fields and ranges.
  func validate() throws(WireError)
}

extension Message {
  package static var jsonBlank: Self { blank }

  package func validate() throws(WireError) {}
}

/// Whole fields of newer schema versions, kept so that a round trip loses nothing.
public struct UnknownFields: Hashable, Sendable {
  /// The fields, tags included, in the order in which they stood.
  public internal(set) var bytes: [UInt8] = []

  /// Makes an empty set of fields.
  public init() {}
}

/// Sees the fields of a message one after the other.
///
/// A plain value is left out of the wire form where it is the type's default, as proto3 does it; an
/// optional one is written where it is not nil; an array is a repeated field. Field numbers of all
/// messages are below 64, those of the facts' bodies aside.
package protocol FieldVisitor {
  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value) throws(WireError)
  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value?) throws(WireError)
  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout [Value]) throws(WireError)
  mutating func body(_ body: inout Fact.Body) throws(WireError)
}

/// A type that can stand in a field.
package protocol FieldValue: Hashable, Sendable {
  /// The type's name in the published schema.
  static var schemaType: String { get }
  /// The value that proto3 leaves out.
  static var defaultValue: Self { get }
  /// Whether the wire form is length-delimited; else it is a varint.
  static var isLengthDelimited: Bool { get }

  func encode(to writer: inout WireWriter)
  static func decode(from reader: inout WireReader, depth: Int) throws(WireError) -> Self

  var json: JSONValue { get }
  init(json: JSONValue) throws(InvalidValue)
}

extension Message {
  package static var schemaType: String { messageName }
  package static var defaultValue: Self { blank }
  package static var isLengthDelimited: Bool { true }

  package func encode(to writer: inout WireWriter) {
    writer.lengthDelimited { encodeFields(to: &$0) }
  }

  package static func decode(
    from reader: inout WireReader, depth: Int
  ) throws(WireError) -> Self {
    try Self(decoding: reader.lengthDelimited(), depth: depth + 1)
  }
}
