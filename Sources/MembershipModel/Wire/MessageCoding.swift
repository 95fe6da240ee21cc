extension Message {
  /// The wire form: known fields by number, then the unknown ones as they stood.
  package func encoded() -> [UInt8] {
    var encoder = EncodingVisitor()
    var copy = self
    do {
      try copy.visit(&encoder)
    } catch {
      preconditionFailure("encoding does not fail: \(error)")
    }
    encoder.writer.raw(unknownFields.bytes)
    return encoder.writer.bytes
  }

  /// Reads a message from its wire form.
  ///
  /// - Throws: `WireError` where the bytes are no such message; hostile bytes never trap.
  package init(decoding bytes: ArraySlice<UInt8>, depth: Int = 0) throws(WireError) {
    guard depth < 16 else { throw .tooDeep }
    self = .blank
    var decoder = DecodingVisitor(reader: WireReader(bytes), depth: depth)
    while !decoder.reader.isAtEnd {
      decoder.hasProgressed = false
      try visit(&decoder)
      if !decoder.hasProgressed {
        unknownFields.bytes += try decoder.reader.skipField()
      }
    }
    try validate()
  }

  package init(decoding bytes: [UInt8]) throws(WireError) {
    try self.init(decoding: bytes[...])
  }
}

private struct EncodingVisitor: FieldVisitor {
  var writer = WireWriter()

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value) {
    if value != Value.defaultValue { write(number, value) }
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value?) {
    if let value { write(number, value) }
  }

  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout [Value]) {
    for element in value { write(number, element) }
  }

  mutating func body(_ body: inout Fact.Body) {
    body.encode(to: &writer)
  }

  private mutating func write<Value: FieldValue>(_ number: Int, _ value: Value) {
    writer.tag(number, Value.isLengthDelimited ? .lengthDelimited : .varint)
    value.encode(to: &writer)
  }
}

/// Takes the fields in the order of the visit; a message whose fields stand in another order, or
/// hold unknown ones between, is visited again until nothing is left.
private struct DecodingVisitor: FieldVisitor {
  var reader: WireReader
  let depth: Int
  var hasProgressed = false

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) throws(WireError) {
    while let decoded: Value = try next(number) { value = decoded }
  }

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value?
  ) throws(WireError) {
    while let decoded: Value = try next(number) { value = decoded }
  }

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout [Value]
  ) throws(WireError) {
    while let decoded: Value = try next(number) { value.append(decoded) }
  }

  mutating func body(_ body: inout Fact.Body) throws(WireError) {
    guard let tag = try reader.peekTag(), Fact.Body.numbers.contains(tag.number) else { return }
    guard tag.type == .lengthDelimited else { throw .malformed }
    hasProgressed = true
    body = try Fact.Body(decodingField: tag.number, from: &reader, depth: depth)
  }

  private mutating func next<Value: FieldValue>(_ number: Int) throws(WireError) -> Value? {
    guard let tag = try reader.peekTag(), tag.number == number else { return nil }
    guard tag.type == (Value.isLengthDelimited ? .lengthDelimited : .varint) else {
      throw .malformed
    }
    hasProgressed = true
    _ = try reader.tag()
    return try Value.decode(from: &reader, depth: depth)
  }
}
