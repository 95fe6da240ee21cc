extension Message {
  /// The wire form: known fields by number, then the unknown ones as they stood.
  package func encoded() -> [UInt8] {
    var writer = WireWriter(capacity: 64)
    encodeFields(to: &writer)
    return writer.bytes
  }

  @inline(never)
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
  @inline(never)
  package init(decoding bytes: ArraySlice<UInt8>, depth: Int = 0) throws(WireError) {
    self = .blank
    var decoder = try DecodingVisitor(bytes, depth: depth)
    while decoder.startsVisit() {
      try visit(&decoder)
      try decoder.keepUnknown(in: &unknownFields)
    }
    try validate()
  }

  package init(decoding bytes: [UInt8]) throws(WireError) {
    try self.init(decoding: bytes[...])
  }
}

// Visitors are not inlined: each of the many messages would repeat their code for each of its
// fields, which makes the module large and its release build slow, and no faster at work.

private struct EncodingVisitor: FieldVisitor {
  var writer = WireWriter()

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value) {
    if value != Value.defaultValue { write(number, value) }
  }

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout Value?) {
    if let value { write(number, value) }
  }

  @inline(never)
  mutating func field<Value: FieldValue>(_ number: Int, _ name: String, _ value: inout [Value]) {
    for element in value { write(number, element) }
  }

  @inline(never)
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
  private var reader: WireReader
  private let depth: Int
  private var hasProgressed = false
  /// The tag that was read last, whose content comes next.
  private var next: FieldTag?
  private var taken: UInt64 = 0
  private var hasBody = false

  @inline(never)
  init(_ bytes: ArraySlice<UInt8>, depth: Int) throws(WireError) {
    guard depth < 16 else { throw .tooDeep }
    reader = WireReader(bytes)
    self.depth = depth
    next = try reader.nextTag()
  }

  /// Whether anything is left for a visit, which then begins.
  mutating func startsVisit() -> Bool {
    hasProgressed = false
    return next != nil
  }

  /// Keeps the next field as it stands where a whole visit did not take it.
  @inline(never)
  mutating func keepUnknown(in unknown: inout UnknownFields) throws(WireError) {
    guard !hasProgressed, let tag = next else { return }
    unknown.bytes += try reader.skip(tag.type)
    next = try reader.nextTag()
  }

  @inline(never)
  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) throws(WireError) {
    guard next?.number == number else { return }
    value = try takeSingle(number)
  }

  @inline(never)
  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout Value?
  ) throws(WireError) {
    guard next?.number == number else { return }
    value = try takeSingle(number) as Value
  }

  @inline(never)
  mutating func field<Value: FieldValue>(
    _ number: Int, _ name: String, _ value: inout [Value]
  ) throws(WireError) {
    while next?.number == number { value.append(try take()) }
  }

  @inline(never)
  mutating func body(_ body: inout Fact.Body) throws(WireError) {
    guard let tag = next, Fact.Body.isKnown(tag.number) else { return }
    guard tag.type == .lengthDelimited else { throw .malformed }
    if hasBody { throw .repeated(field: tag.number) }
    hasBody = true
    hasProgressed = true
    body = try Fact.Body(
      decodingField: tag.number, from: try reader.lengthDelimited(), depth: depth + 1)
    next = try reader.nextTag()
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
    next = try reader.nextTag()
    return value
  }
}
