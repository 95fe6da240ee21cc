/// Reads one JSON document as RFC 8259 has it, never trapping on what the bytes hold.
///
/// Stricter where readers differ: text is UTF-8 without lone surrogates, and an object names each
/// field once.
struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether nothing is left to read.
  var isAtEnd: Bool { position == bytes.count }

  mutating func document() throws(InvalidValue) -> JSONValue {
    skipSpace()
    if position == bytes.count {
      throw InvalidValue(value: "", rule: "a document is not empty")
    }
    let value = try value(depth: 0)
    skipSpace()
    if position < bytes.count { throw fault("nothing follows the document") }
    return value
  }

  private mutating func value(depth: Int) throws(InvalidValue) -> JSONValue {
    switch peek() {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try number()
    default:
      if take(word: "true") { return .bool(true) }
      if take(word: "false") { return .bool(false) }
      if take(word: "null") { return .null }
      throw fault("a value is expected")
    }
  }

  private mutating func object(depth: Int) throws(InvalidValue) -> JSONValue {
    try enter(depth)
    var fields: [JSONValue.Field] = []
    var keys: Set<String> = []
    skipSpace()
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      let start = position
      guard peek() == UInt8(ascii: "\"") else { throw fault("a field's name is expected") }
      let key = try string()
      if Self.names(key, in: fields, &keys) {
        position = start
        throw fault("an object names a field once")
      }
      skipSpace()
      guard take(":") else { throw fault("a colon is expected") }
      skipSpace()
      fields.append(JSONValue.Field(key, try value(depth: depth)))
      skipSpace()
    } while take(",")
    guard take("}") else { throw fault("a comma or a closing brace is expected") }
    return .object(fields)
  }

  /// Whether the fields name the key; a set is made only where a look at each would take long.
  private static func names(
    _ key: String, in fields: [JSONValue.Field], _ keys: inout Set<String>
  ) -> Bool {
    if fields.count < 16 { return fields.contains { $0.key == key } }
    if keys.isEmpty { keys = Set(fields.map(\.key)) }
    return !keys.insert(key).inserted
  }

  private mutating func array(depth: Int) throws(InvalidValue) -> JSONValue {
    try enter(depth)
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array([]) }
    repeat {
      skipSpace()
      values.append(try value(depth: depth))
      skipSpace()
    } while take(",")
    guard take("]") else { throw fault("a comma or a closing bracket is expected") }
    return .array(values)
  }

  private mutating func enter(_ depth: Int) throws(InvalidValue) {
    if depth > JSONValue.maximumDepth { throw fault("a document is nested at most 128 deep") }
    position += 1
  }
}

extension JSONParser {
  private mutating func string() throws(InvalidValue) -> String {
    position += 1
    let start = position
    while let byte = peek(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { return try stringWithEscapes(from: start) }
      if byte < 0x20 { throw fault("a control character in a string is escaped") }
      position += 1
    }
    let content = bytes[start..<position]
    guard take("\"") else { throw fault("a string ends with a quotation mark") }
    return try text(content)
  }

  private mutating func stringWithEscapes(from start: Int) throws(InvalidValue) -> String {
    var content = Array(bytes[start..<position])
    while let byte = peek(), byte != UInt8(ascii: "\"") {
      if byte < 0x20 { throw fault("a control character in a string is escaped") }
      if byte == UInt8(ascii: "\\") {
        content += try escape().utf8
      } else {
        content.append(byte)
        position += 1
      }
    }
    guard take("\"") else { throw fault("a string ends with a quotation mark") }
    return try text(content[...])
  }

  private func text(_ content: ArraySlice<UInt8>) throws(InvalidValue) -> String {
    guard let text = try? UTF8Span(validating: content.span) else {
      throw fault("text is UTF-8")
    }
    return String(copying: text)
  }

  private mutating func escape() throws(InvalidValue) -> String {
    if take(word: "\\u") { return String(try escapedScalar()) }
    position += 1
    let replacement: String? =
      switch peek() {
      case UInt8(ascii: "\""): "\""
      case UInt8(ascii: "\\"): "\\"
      case UInt8(ascii: "/"): "/"
      case UInt8(ascii: "b"): "\u{8}"
      case UInt8(ascii: "f"): "\u{c}"
      case UInt8(ascii: "n"): "\n"
      case UInt8(ascii: "r"): "\r"
      case UInt8(ascii: "t"): "\t"
      default: nil
      }
    guard let replacement else { throw fault("a backslash starts an escape") }
    position += 1
    return replacement
  }

  /// Reads what follows `\u`: one scalar, or the two halves of a surrogate pair.
  private mutating func escapedScalar() throws(InvalidValue) -> Unicode.Scalar {
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, take(word: "\\u") else { throw fault("surrogates come in pairs") }
    let second = try fourDigits()
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw fault("surrogates come in pairs") }
    return scalar
  }

  private mutating func fourDigits() throws(InvalidValue) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw fault("four hexadecimal digits are expected")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}

extension JSONParser {
  private mutating func number() throws(InvalidValue) -> JSONValue {
    let start = position
    var number = JSONNumber(isNegative: take("-"))
    let integerStart = position
    while let digit = digit() { number.append(digit, isFraction: false) }
    let count = position - integerStart
    if count == 0 || (count > 1 && bytes[integerStart] == UInt8(ascii: "0")) {
      throw fault("a number starts with one digit from 1 to 9, or is 0")
    }
    if take(".") {
      let fractionStart = position
      while let digit = digit() { number.append(digit, isFraction: true) }
      if position == fractionStart { throw fault("a digit is expected") }
    }
    if take("e") || take("E") { number.shift(by: try exponent()) }
    guard let value = number.value else {
      position = start
      throw fault("a number has at most 38 digits, 127 of them behind the point")
    }
    return value
  }

  /// The exponent, held within bounds that no number of ours can reach.
  private mutating func exponent() throws(InvalidValue) -> Int {
    let sign = take("-") ? -1 : 1
    if sign == 1 { _ = take("+") }
    guard var exponent = digit() else { throw fault("a digit is expected") }
    while let digit = digit() { exponent = min(exponent * 10 + digit, 100_000_000) }
    return sign * exponent
  }

  private mutating func digit() -> Int? {
    guard let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
      return nil
    }
    position += 1
    return Int(byte - UInt8(ascii: "0"))
  }
}

extension JSONParser {
  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  private func fault(_ rule: String) -> InvalidValue {
    let before = bytes[..<position]
    let line = before.count { $0 == 0x0a } + 1
    let column = position - (before.lastIndex(of: 0x0a) ?? -1)
    let rest = String(decoding: bytes[position...].prefix(20), as: UTF8.self)
    return InvalidValue(
      value: rest.isEmpty ? "end of document" : rest,
      rule: "JSON in UTF-8 is expected; line \(line), column \(column): \(rule)")
  }
}
