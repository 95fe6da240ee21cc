/// Reads the protobuf wire format, never beyond its bytes and never trapping on what they hold.
package struct WireReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  /// Where the tag that was read last begins.
  private var start: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    self.position = bytes.startIndex
    self.start = bytes.startIndex
  }

  package init(_ bytes: [UInt8]) {
    self.init(bytes[...])
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  mutating func varint() throws(WireError) -> UInt64 {
    guard position < bytes.endIndex else { throw .truncated }
    if bytes[position] < 0x80 {
      defer { position += 1 }
      return UInt64(bytes[position])
    }
    return try longVarint()
  }

  private mutating func longVarint() throws(WireError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 70, by: 7) {
      guard position < bytes.endIndex else { throw .truncated }
      let byte = bytes[position]
      position += 1
      if shift == 63, byte > 1 { throw .malformed }
      value |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    throw .malformed
  }

  mutating func lengthDelimited() throws(WireError) -> ArraySlice<UInt8> {
    let length = try varint()
    guard length <= UInt64(bytes.endIndex - position) else { throw .truncated }
    return take(Int(length))
  }

  /// The field number and wire type that come next; nil at the end.
  mutating func nextTag() throws(WireError) -> FieldTag? {
    isAtEnd ? nil : try tag()
  }

  private mutating func tag() throws(WireError) -> FieldTag {
    start = position
    let tag = try varint()
    guard let type = WireType(rawValue: UInt8(tag & 7)), (1...536_870_911).contains(tag >> 3)
    else { throw .malformed }
    return FieldTag(number: Int(tag >> 3), type: type)
  }

  /// Skips the content of the field whose tag was read last.
  ///
  /// - Returns: The whole field as it stands, tag included.
  mutating func skip(_ type: WireType) throws(WireError) -> ArraySlice<UInt8> {
    let start = start
    switch type {
    case .varint: _ = try varint()
    case .lengthDelimited: _ = try lengthDelimited()
    case .fixed32: try advance(4)
    case .fixed64: try advance(8)
    }
    return bytes[start..<position]
  }

  private mutating func advance(_ count: Int) throws(WireError) {
    guard bytes.endIndex - position >= count else { throw .truncated }
    position += count
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { position += count }
    return bytes[position..<position + count]
  }
}

/// What stands before each field: its number and the form of its content.
struct FieldTag {
  let number: Int
  let type: WireType
}

/// Why bytes are not a record of the ledger.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes end inside a field.
  case truncated
  /// The bytes break the wire format, or a field has another wire type than the schema says.
  case malformed
  /// A field that stands once stands several times, which readers would understand differently.
  case repeated(field: Int)
  /// The named field is missing or holds a value that its rule forbids.
  case invalid(field: String, rule: String)
  /// Messages are nested deeper than any record of ours.
  case tooDeep

  package var description: String {
    switch self {
    case .truncated: "the record ends inside a field"
    case .malformed: "the record is not protobuf wire format of the schema"
    case .repeated(let field): "the record holds field \(field) of one message several times"
    case .invalid(let field, let rule): "field \(field): \(rule)"
    case .tooDeep: "the record nests messages too deeply"
    }
  }
}
