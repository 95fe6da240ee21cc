extension Message {
  /// The wire form: known fields by number, then the unknown ones as they stood.
  package func encoded() -> [UInt8] {
    var writer = WireWriter(capacity: 64)
    encodeFields(to: &writer)
    return writer.bytes
  }

  func encodeFields(to writer: inout WireWriter) {
    var encoder = EncodingVisitor()
    swap(&encoder.writer, &writer)
    var copy = self
    do {
      try copy.visit(&encoder)
    } catch {
      preconditionFailure("encoding does not fail: \(error)")
    }
    encoder.writer.raw(unknownFields.bytes)
    swap(&encoder.writer, &writer)
  }

  /// Reads a message from its wire form.
  ///
  /// - Throws: `WireError` where the bytes are no such message; hostile bytes never trap.
  package init(decoding bytes: ArraySlice<UInt8>, depth: Int = 0) throws(WireError) {
    guard depth < 16 else { throw .tooDeep }
    self = .blank
    var decoder = DecodingVisitor(reader: WireReader(bytes), depth: depth)
    try decoder.advance()
    while let tag = decoder.next {
      decoder.hasProgressed = false
      try visit(&decoder)
      if !decoder.hasProgressed {
        unknownFields.bytes += try decoder.reader.skip(tag.type)
        try decoder.advance()
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
///
/// A field that is not repeated may stand once only: protobuf lets readers merge, replace or keep,
/// and a record must mean the same to every reader.
private struct DecodingVisitor: FieldVisitor {
  var reader: WireReader
  let depth: Int
  var hasProgressed = false
  /// The tag that was read last, whose content comes next.
  private(set) var next: FieldTag?
  private var taken: UInt64 = 0
  private var hasBody = false

  init(reader: WireReader, depth: Int) {
    self.reader = reader
    self.depth = depth
  }

  mutating func advance() throws(WireError) {
    next = try reader.nextTag()
  }

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) throws(WireError) {
    guard next?.number == number else { return }
    value = try takeSingle(number)
  }

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value?
  ) throws(WireError) {
    guard next?.number == number else { return }
    value = try takeSingle(number) as Value
  }

  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout [Value]
  ) throws(WireError) {
    while next?.number == number { value.append(try take()) }
  }

  mutating func body(_ body: inout Fact.Body) throws(WireError) {
    guard let tag = next, Fact.Body.isKnown(tag.number) else { return }
    guard tag.type == .lengthDelimited else { throw .malformed }
    if hasBody { throw .repeated(field: tag.number) }
    hasBody = true
    hasProgressed = true
    body = try Fact.Body(
      decodingField: tag.number, from: try reader.lengthDelimited(), depth: depth + 1)
    try advance()
  }

  private mutating func takeSingle<Value: FieldValue>(_ number: Int) throws(WireError) -> Value {
    let bit: UInt64 = 1 << UInt64(number)
    if taken & bit != 0 { throw .repeated(field: number) }
    taken |= bit
    return try take()
  }

  private mutating func take<Value: FieldValue>() throws(WireError) -> Value {
    guard next?.type == (Value.isLengthDelimited ? .lengthDelimited : .varint) else {
      throw .malformed
    }
    hasProgressed = true
    let value = try Value.decode(from: &reader, depth: depth)
    try advance()
    return value
  }
}
