import Foundation
import LedgerTestSupport
import MembershipModel
import Testing

@testable import LedgerCommand

/// Documents from a pipe, piece by piece.
@Suite struct DocumentReaderTests {
  /// A pipe that hands out pieces and says that there is more, or that nobody knows when.
  private final class Pipe: @unchecked Sendable {
    // Safe: used by one thread.
    private var pieces: ArraySlice<String>
    private let isSlow: Bool

    init(_ pieces: [String], isSlow: Bool = false) {
      self.pieces = pieces[...]
      self.isSlow = isSlow
    }

    func next() -> [UInt8] { Array((pieces.popFirst() ?? "").utf8) }
    func hasInput() -> Bool { !isSlow }
  }

  private func reader(_ pipe: Pipe) throws -> DocumentReader {
    let buffer = OutputBuffer(isTerminal: false) { _ in }
    let context = CommandContext(
      ledgerPath: "", printsJSON: false, isQuiet: true, style: .plain, output: buffer,
      messages: buffer,
      surroundings: Surroundings(
        clock: Timestamp.now, user: "", makeID: { _ in "" }, requireFile: { _ in },
        readFile: { _ in [] }, nextInput: pipe.next, hasInput: { _ in pipe.hasInput() }),
      present: Present(.now()))
    return try DocumentReader(.standardInput, in: context)
  }

  private func described(_ document: InputDocument) -> String {
    let text = String(decoding: document.bytes, as: UTF8.self)
    return "\(document.source) \(document.isWhole) \(document.fault ?? "sound") \(text)"
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `however an input is cut, its documents are those of the whole`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lines = [
      "{}", #"{"a":1}"#, "[{},{}]", "[", "]", "{", "}", #""a": 1,"#, "1", "x", "", " ", #""{"#,
      "{},",
      #"{"object":"list","data":[1,2]}"#, #"{"a":"ü🎈"}"#,
    ]
    let count = Int.random(in: 0...6, using: &random)
    var text = (0..<count).map { _ in lines[Int.random(in: lines.indices, using: &random)] }
      .joined(separator: "\n")
    if Bool.random(using: &random) { text += "\n" }
    var pieces: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      let length = Int.random(in: 1...8, using: &random)
      pieces.append(String(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    var reader = try reader(Pipe(pieces))
    var found: [String] = []
    while let document = try reader.next() { found.append(described(document)) }
    let expected = InputDocument.all(in: Array(text.utf8), source: "-").map(described)
    #expect(found == expected, "seed \(seed): \(text.debugDescription)")
  }

  @Test func `a line is there as soon as it is known to be one`() throws {
    var reader = try reader(
      Pipe(["{\"a\":1}\n", "{\"a\":2}\n{\"a\"", ":3}\n", "x\n", "[1,2]"], isSlow: true))
    var found: [String] = []
    while let document = try reader.next() { found.append(document.source) }
    #expect(found == ["-:1", "-:2", "-:3", "-:4", "-:5[0]", "-:5[1]"])
  }

  @Test func `lines after broken ones are there as soon as one can be read`() throws {
    let pipe = Pipe(["x\n", "{\"half\":\n", "{\"a\":1}\n"], isSlow: true)
    var reader = try reader(pipe)
    let first = try #require(try reader.next())
    #expect(first.source == "-:1" && first.fault != nil)
    #expect(try reader.next()?.source == "-:2")
    #expect(try reader.next()?.fault == nil)
    #expect(try reader.next() == nil)
  }

  @Test func `a document over many lines is one, though each line is late`() throws {
    let text = JSONValue.array([.object([]), .integer(1), .object([.init("a", .bool(true))])])
      .text(indentation: 1)
    let pieces = text.split(separator: "\n").map { "\($0)\n" }
    var reader = try reader(Pipe(pieces, isSlow: true))
    var found: [String] = []
    while let document = try reader.next() { found.append(document.source) }
    #expect(found == ["-[0]", "-[1]", "-[2]"])
  }
}
