import Foundation
import LedgerTestSupport
import MembershipModel
import Testing

/// Records as they were written once; a ledger of that time must be read for ever.
///
/// `RECORD_GOLDEN=1` adds facts that are missing and keeps the others as they are.
@Suite struct `Golden records` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden/records.txt")

  private struct Golden {
    let fact: String
    let bytes: [UInt8]
    let json: String
  }

  private func goldens() throws -> [Golden] {
    guard let text = try? String(contentsOf: Self.file, encoding: .utf8) else { return [] }
    return try text.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      try #require(parts.count == 3)
      return Golden(
        fact: parts[0], bytes: try Bytes(json: .string(parts[1])).content, json: parts[2])
    }
  }

  @Test func `there is one for each fact`() throws {
    var goldens = try goldens()
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      goldens = try record(adding: goldens)
    }
    #expect(goldens.map(\.fact) == Fact.Body.known.map(\.name))
  }

  @Test func `each is read and written as it was recorded`() throws {
    for golden in try goldens() {
      let record = try RecordedEvent(decoding: golden.bytes)
      #expect(record.event.facts.map(\.body.name) == [golden.fact])
      #expect(record.encoded() == golden.bytes, "fact \(golden.fact)")
      let parsed = try JSONValue(parsing: Array(golden.json.utf8))
      #expect(record.json.holds(parsed), "fact \(golden.fact)")
      #expect(try RecordedEvent(json: parsed).encoded() == golden.bytes, "fact \(golden.fact)")
    }
  }

  private func record(adding goldens: [Golden]) throws -> [Golden] {
    let all = Fact.Body.known.map { fact in
      if let golden = goldens.first(where: { $0.fact == fact.name }) { return golden }
      var generator = EventGenerator(seed: UInt64(fact.number), extent: .whole)
      let record = generator.record(of: [fact.name])
      return Golden(fact: fact.name, bytes: record.encoded(), json: record.json.text())
    }
    let lines = all.map { golden in
      "\(golden.fact) \(Bytes(golden.bytes).json.string ?? "") \(golden.json)\n"
    }
    try lines.joined().write(to: Self.file, atomically: true, encoding: .utf8)
    return all
  }
}

extension JSONValue {
  /// Whether every field of the other is here, in its order and as it was; fields that newer
  /// versions added may stand between.
  fileprivate func holds(_ other: JSONValue) -> Bool {
    if let (own, others) = self.fields.flatMap({ own in other.fields.map { (own, $0) } }) {
      let names = others.map(\.key)
      let known = own.filter { names.contains($0.key) }
      return known.map(\.key) == names && zip(known, others).allSatisfy { $0.value.holds($1.value) }
    }
    if let (own, others) = array.flatMap({ own in other.array.map { (own, $0) } }) {
      return own.count == others.count && zip(own, others).allSatisfy { $0.holds($1) }
    }
    return self == other
  }
}
