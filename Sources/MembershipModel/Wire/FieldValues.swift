extension String: FieldValue {
  package static var schemaType: String { "string" }
  package static var defaultValue: String { "" }
  package static var isLengthDelimited: Bool { true }

  package func encode(to writer: inout WireWriter) {
    writer.lengthDelimited(utf8)
  }

  package static func decode(from reader: inout WireReader, depth: Int) throws(WireError) -> String
  {
    let bytes = try reader.lengthDelimited()
    guard let text = try? UTF8Span(validating: bytes.span) else {
      throw .invalid(field: "string", rule: "text is UTF-8")
    }
    return String(copying: text)
  }

  package var json: JSONValue { .string(self) }

  package init(json: JSONValue) throws(InvalidValue) {
    guard let value = json.string else {
      throw InvalidValue(value: json.text(), rule: "a string is expected")
    }
    self = value
  }
}

extension Identifier: FieldValue {
  package static var schemaType: String { "string" }
  /// Stands only for "not given": no valid identifier is empty.
  package static var defaultValue: Identifier { Identifier(unchecked: "") }
  package static var isLengthDelimited: Bool { true }

  package var isGiven: Bool { !rawValue.isEmpty }

  package func encode(to writer: inout WireWriter) {
    rawValue.encode(to: &writer)
  }

  package static func decode(
    from reader: inout WireReader, depth: Int
  ) throws(WireError) -> Identifier {
    let text = try String.decode(from: &reader, depth: depth)
    if let fault = fault(in: text) { throw .invalid(field: "identifier", rule: fault) }
    return Identifier(unchecked: text)
  }

  package var json: JSONValue { .string(rawValue) }

  package init(json: JSONValue) throws(InvalidValue) {
    try self.init(String(json: json))
  }
}

extension Int64: FieldValue {
  package static var schemaType: String { "int64" }
  package static var defaultValue: Int64 { 0 }
  package static var isLengthDelimited: Bool { false }

  package func encode(to writer: inout WireWriter) {
    writer.varint(UInt64(bitPattern: self))
  }

  package static func decode(from reader: inout WireReader, depth: Int) throws(WireError) -> Int64 {
    Int64(bitPattern: try reader.varint())
  }

  package var json: JSONValue { .integer(self) }

  package init(json: JSONValue) throws(InvalidValue) {
    guard let value = json.integer else {
      throw InvalidValue(value: json.text(), rule: "a whole number is expected")
    }
    self = value
  }
}

extension UInt64: FieldValue {
  package static var schemaType: String { "uint64" }
  package static var defaultValue: UInt64 { 0 }
  package static var isLengthDelimited: Bool { false }

  package func encode(to writer: inout WireWriter) {
    writer.varint(self)
  }

  package static func decode(from reader: inout WireReader, depth: Int) throws(WireError) -> UInt64
  {
    try reader.varint()
  }

  /// A string, since JSON readers lose whole numbers beyond 2^53.
  package var json: JSONValue { .string(String(self)) }

  package init(json: JSONValue) throws(InvalidValue) {
    guard let text = json.string ?? json.integer.map({ String($0) }), let value = UInt64(text)
    else { throw InvalidValue(value: json.text(), rule: "a whole number from 0 is expected") }
    self = value
  }
}

extension Bool: FieldValue {
  package static var schemaType: String { "bool" }
  package static var defaultValue: Bool { false }
  package static var isLengthDelimited: Bool { false }

  package func encode(to writer: inout WireWriter) {
    writer.varint(self ? 1 : 0)
  }

  package static func decode(from reader: inout WireReader, depth: Int) throws(WireError) -> Bool {
    try reader.varint() != 0
  }

  package var json: JSONValue { .bool(self) }

  package init(json: JSONValue) throws(InvalidValue) {
    guard let value = json.bool else {
      throw InvalidValue(value: json.text(), rule: "true or false is expected")
    }
    self = value
  }
}

extension Timestamp: FieldValue {
  package static var schemaType: String { "int64" }
  package static var defaultValue: Timestamp { Timestamp(milliseconds: 0) }
  package static var isLengthDelimited: Bool { false }

  package func encode(to writer: inout WireWriter) {
    milliseconds.encode(to: &writer)
  }

  package static func decode(
    from reader: inout WireReader, depth: Int
  ) throws(WireError) -> Timestamp {
    Timestamp(milliseconds: try Int64.decode(from: &reader, depth: depth))
  }

  package var json: JSONValue { .string(description) }

  package init(json: JSONValue) throws(InvalidValue) {
    try self.init(parsing: String(json: json))
  }
}

/// Bytes in a field; in JSON they are written in lower-case hexadecimal.
package struct Bytes: Hashable, Sendable, FieldValue {
  package var content: [UInt8]

  package init(_ content: [UInt8]) {
    self.content = content
  }

  package static var schemaType: String { "bytes" }
  package static var defaultValue: Bytes { Bytes([]) }
  package static var isLengthDelimited: Bool { true }

  package func encode(to writer: inout WireWriter) {
    writer.lengthDelimited(content)
  }

  package static func decode(from reader: inout WireReader, depth: Int) throws(WireError) -> Bytes {
    Bytes(Array(try reader.lengthDelimited()))
  }

  package var json: JSONValue {
    let digits = Array("0123456789abcdef")
    return .string(
      String(content.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
  }

  package init(json: JSONValue) throws(InvalidValue) {
    let text = try String(json: json)
    var content: [UInt8] = []
    var rest = text[...]
    while !rest.isEmpty {
      guard rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) else {
        throw InvalidValue(value: text, rule: "pairs of hexadecimal digits are expected")
      }
      content.append(byte)
      rest = rest.dropFirst(2)
    }
    self.content = content
  }
}
