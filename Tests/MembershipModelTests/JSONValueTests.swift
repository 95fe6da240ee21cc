import FoundationEssentials
import LedgerTestSupport
import MembershipModel
import Testing

@Suite struct `A JSON document` {
  @Test func `lines tell whether they are a document, may become one, or never will`() {
    func completeness(_ text: String) -> JSONValue.Completeness {
      JSONValue.completeness(ofLines: Array(text.utf8))
    }
    for text in ["{}\n", "[1,\n2]\n\n", "5\n", " \"a\" \n"] {
      #expect(completeness(text) == .whole, "\(text)")
    }
    for text in ["", "\n", "{\n", "[\n1,\n", "{\"a\":\n", "{\"a\":1,\n", "[[1]\n"] {
      #expect(completeness(text) == .open, "\(text)")
    }
    for text in ["x\n", "{x\n", "{}\n{\n", "\"a\n", "tru\n", "]\n", "{\"a\":1,\"a\"\n"] {
      #expect(completeness(text) == .broken, "\(text)")
    }
    #expect(completeness(String(repeating: "[", count: 129) + "\n") == .broken)
  }

  private func parse(_ text: String) throws(InvalidValue) -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  private func rule(_ text: String) -> String? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return error.rule
    }
  }

  @Test func `keeps the order of its fields`() throws {
    let text = #"{"b":1,"a":[true,false,null],"":{}}"#
    #expect(try parse(text).text() == text)
    #expect(try parse(" { \"b\" : 1 , \"a\":[\t] }\r\n").text() == #"{"b":1,"a":[]}"#)
  }

  @Test func `is printed with an indentation`() throws {
    let text = try parse(#"{"a":[1,{}],"b":[]}"#).text(indentation: 2)
    #expect(text == "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}")
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("1.0", 1), ("1e3", 1000), ("1.50e1", 15), ("100e-2", 1),
    ("0e999999999", 0),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ("0.000", 0), ("9007199254740993", 9_007_199_254_740_993),
  ])
  func `has whole numbers exactly`(text: String, value: Int64) throws {
    #expect(try parse(text) == .integer(value))
  }

  @Test(arguments: [
    ("0.1", "0.1"), ("9.99", "9.99"), ("-1.5e-3", "-0.0015"),
    ("9223372036854775808", "9223372036854775808"),
    ("-9223372036854775809", "-9223372036854775809"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
    ("1e20", "100000000000000000000"), ("1.10", "1.1"),
  ])
  func `has other numbers as exact decimals`(text: String, expected: String) throws {
    let value = try parse(text)
    guard case .decimal = value else {
      Issue.record("\(text) is no decimal")
      return
    }
    #expect(value.text() == expected)
    #expect(try parse(expected) == value)
  }

  @Test func `takes numbers to the ends of what decimals hold`() throws {
    for text in ["1e127", "-1e-127", "12345678901234567890123456789012345678e127", "5e-127"] {
      let value = try parse(text)
      #expect(try parse(value.text()) == value || value.text().count > 165)
    }
    #expect(try parse("1e-127").text().hasSuffix("01"))
  }

  @Test(arguments: [
    "1e400", "1e-400", "1e99999999999999999999", "0." + String(repeating: "3", count: 39),
  ])
  func `refuses numbers that it cannot hold exactly`(text: String) {
    #expect(
      rule(text)?.hasSuffix("a number has at most 38 digits, 127 of them behind the point") == true)
  }

  @Test(arguments: [
    "01", "-", "+1", ".5", "1.", "1.e3", "1e", "1e+", "0x10", "NaN", "Infinity", "-Infinity", "--1",
    "1 2", "1,", "[1,]", "[,1]", "[1 2]", "[", "]", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
    "{a:1}", "{'a':1}", "{\"a\" 1}", "[1}", "{\"a\":1]", "tru", "TRUE", "nul", "\"", "\"a",
    "\"\\\"",
    "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\u{1}\"", "\"\n\"", "// a\n1", "1 // a", "\u{feff}1",
    "\u{a0}1",
  ])
  func `that is not JSON is refused`(text: String) {
    #expect(rule(text)?.hasPrefix("JSON in UTF-8 is expected; line ") == true)
  }

  @Test func `that is not JSON is refused with the place`() {
    #expect(
      throws: InvalidValue(
        value: "tru }", rule: "JSON in UTF-8 is expected; line 2, column 8: a value is expected")
    ) { try parse("{\n  \"a\": tru }") }
    #expect(
      throws: InvalidValue(
        value: "end of document",
        rule:
          "JSON in UTF-8 is expected; line 1, column 3: a comma or a closing bracket is expected")
    ) { try parse("[1") }
  }

  @Test func `is not empty`() {
    for text in ["", " ", "\n\t\r "] { #expect(rule(text) == "a document is not empty") }
  }

  @Test func `reads every escape and pairs of surrogates`() throws {
    let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83c\udf88\u0000""#
    #expect(try parse(text) == .string("\"\\/\u{8}\u{c}\n\r\tAé🎈\0"))
  }

  @Test(arguments: [
    #""\ud83c""#, #""\ud83cx""#, #""\ud83c\n""#, #""\ud83c\u0041""#, #""\udf88""#,
    #""\udf88\ud83c""#, #""\ud83c\ud83c""#,
  ])
  func `refuses lone surrogates`(text: String) {
    #expect(rule(text)?.hasSuffix("surrogates come in pairs") == true)
  }

  @Test func `refuses bytes that are not UTF-8`() {
    for bytes: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]] {
      #expect(throws: InvalidValue.self) { try JSONValue(parsing: [0x22] + bytes + [0x22]) }
      #expect(throws: InvalidValue.self) { try JSONValue(parsing: bytes) }
    }
  }

  @Test func `names each field of an object once`() {
    #expect(rule(#"{"a":1,"b":{"a":2},"a":3}"#)?.hasSuffix("an object names a field once") == true)
  }

  @Test func `names each field of a large object once`() throws {
    let fields = (0..<100).map { "\"\($0)\":\($0)" }
    #expect(try parse("{" + fields.joined(separator: ",") + "}").fields?.count == 100)
    for twice in [0, 15, 16, 17, 99] {
      let text = "{" + (fields + [fields[twice]]).joined(separator: ",") + "}"
      #expect(rule(text)?.hasSuffix("an object names a field once") == true)
    }
  }

  @Test func `is nested at most 128 deep`() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)
    }
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      #expect(rule(nested(128, open, close)) == nil)
      #expect(
        rule(nested(129, open, close))?.hasSuffix("a document is nested at most 128 deep") == true)
      #expect(rule(nested(1_000_000, open, "")) != nil)
    }
  }

  @Test func `has at most 16 MiB`() throws {
    let limit = 16 << 20
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: limit - 1) + [UInt8(ascii: "1")]
    #expect(try JSONValue(parsing: bytes) == .integer(1))
    #expect(
      throws: InvalidValue(value: "\(limit + 1) bytes", rule: "a document has at most 16 MiB")
    ) {
      try JSONValue(parsing: bytes + [UInt8(ascii: "2")])
    }
  }

  @Test func `comes back as it was written`() throws {
    var random = SeededGenerator(seed: freshSeed())
    for _ in 0..<2000 {
      let value = Self.value(depth: 0, using: &random)
      for indentation in [nil, 2] {
        let text = value.text(indentation: indentation)
        if try parse(text) != value { Issue.record("another value comes back from \(text)") }
      }
    }
  }

  @Test func `damaged anywhere never traps`() {
    var random = SeededGenerator(seed: freshSeed())
    for _ in 0..<3000 {
      var bytes = Array(Self.value(depth: 0, using: &random).text().utf8)
      let index = Int.random(in: bytes.indices, using: &random)
      bytes[index] = UInt8.random(in: 0...255, using: &random)
      _ = try? JSONValue(parsing: bytes)
      _ = try? JSONValue(parsing: bytes[..<index])
    }
  }

  private static func value(depth: Int, using random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 6), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .integer(Int64(bitPattern: random.next()))
    case 3:
      .decimal(Decimal(random.next()) / 1000 + Decimal(sign: .plus, exponent: -4, significand: 1))
    case 4, 5: .string(string(using: &random))
    case 6:
      .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          value(depth: depth + 1, using: &random)
        })
    default:
      .object(
        (0..<Int.random(in: 0...4, using: &random)).map { index in
          .init("\(index)" + string(using: &random), value(depth: depth + 1, using: &random))
        })
    }
  }

  private static func string(using random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let scalar = Unicode.Scalar(UInt32.random(in: 0...0x1_1000, using: &random))
      text.unicodeScalars.append(scalar ?? "\"")
      text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 0...127, using: &random)))
    }
    return text
  }
}
