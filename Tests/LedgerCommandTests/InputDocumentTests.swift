import LedgerTestSupport
import MembershipModel
import Testing

@testable import LedgerCommand

@Suite struct InputDocumentTests {
  private func texts(_ input: String) -> [String] {
    InputDocument.all(in: Array(input.utf8), source: "x")
      .map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func sources(_ input: String) -> [String] {
    InputDocument.all(in: Array(input.utf8), source: "x").map(\.source)
  }

  @Test func `a document alone keeps every byte`() {
    #expect(texts(" {\"a\":\n1}\n") == [" {\"a\":\n1}\n"])
    #expect(sources("{}") == ["x"])
  }

  @Test func `elements keep their own bytes and say where they stood`() {
    #expect(
      texts(#"[ {"a":"]"} , 1,"x\"," ,[2, 3],{}]"#)
        == [#"{"a":"]"}"#, "1", #""x\",""#, "[2, 3]", "{}"])
    #expect(sources("[1,2]") == ["x[0]", "x[1]"])
    #expect(sources("{}\n\n[1]\n") == ["x:1", "x:3[0]"])
  }

  @Test func `a list object is taken apart, another object with data is not`() {
    let list = #"{"object":"list","meta":{"data":[9]},"data":[{"n":1}, {"n":2}],"has_more":false}"#
    #expect(texts(list) == [#"{"n":1}"#, #"{"n":2}"#])
    #expect(texts(#"{"object":"event","data":[1]}"#).count == 1)
    #expect(texts(#"{"object":"list","d\u0061ta":[1,2]}"#).count == 1)
  }

  @Test func `a broken line among readable ones is alone at fault`() {
    let documents = InputDocument.all(in: Array("{}\n{\n[]\nx\n{}".utf8), source: "x")
    #expect(documents.map(\.source) == ["x:1", "x:2", "x:4", "x:5"])
    #expect(documents.map { $0.fault == nil } == [true, false, false, true])
  }

  @Test func `a broken document over many lines is one document`() {
    let documents = InputDocument.all(in: Array("{\n\"a\": 1,\n\"b\n}".utf8), source: "x")
    #expect(documents.count == 1 && documents.first?.fault != nil)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `elements of any array are found where they stand`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let elements = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      Self.value(depth: 4, &random)
    }
    for indentation in [nil, 2] {
      let array = JSONValue.array(elements)
      let list = JSONValue.object([
        .init("object", .string("list")), .init("x", Self.value(depth: 3, &random)),
        .init("data", array),
      ])
      for whole in [array, list] {
        let found = try texts(whole.text(indentation: indentation))
          .map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(found == elements, "seed \(seed)")
      }
    }
  }

  private static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    let texts = ["", "]", "}", "\"", "\\", "a,b", "{[", "data", "\n", "ü🎈"]
    func text() -> String { texts[Int.random(in: texts.indices, using: &random)] }
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(true)
    case 2: return .integer(Int64.random(in: -99...99, using: &random))
    case 3, 4: return .string(text())
    case 5:
      return .array(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1, &random) })
    default:
      return .object(
        (0..<Int.random(in: 0...3, using: &random)).map {
          .init("\($0)\(text())", value(depth: depth - 1, &random))
        })
    }
  }
}
