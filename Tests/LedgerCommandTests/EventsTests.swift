import Foundation
import MembershipModel
import Testing

@testable import LedgerCommand

/// The log itself.
@Suite struct EventsTests {
  @Test func `events are lines of JSON with every field`() throws {
    try LedgerFolder.withMembership { folder in
      let result = try folder.run("events", "--json")
      let lines = try result.jsonLines()
      #expect(lines.map { $0["position"]?.integer } == [1, 2, 3])
      #expect(Set(lines.map(\.keys)).count == 1)
      let own = lines[1...].map { $0.comparable.text(indentation: 2) + "\n" }.joined()
      try expectSnapshot(own, named: "events.json")
    }
  }

  @Test func `events are chosen by position, number, customer, membership and provider`() throws {
    try LedgerFolder.withMembership { folder in
      let choices: [(options: [String], positions: [Int64])] = [
        (["--after", "1"], [2, 3]), (["--after", "1", "--limit", "1"], [2]),
        (["--limit", "0"], []), (["--customer", "user_42"], [2, 3]),
        (["--membership", "stripe:sub_1"], [2, 3]), (["--provider", "manual"], [1]),
        (["--customer", "user_42", "--environment", "sandbox"], []),
      ]
      for (options, positions) in choices {
        let result = try LedgerProcess.run(
          LedgerProcess.executable, ["--ledger", folder.path, "--json", "events"] + options)
        let found = try result.jsonLines().map { $0["position"]?.integer }
        #expect(found == positions, "\(options)")
      }
    }
  }

  @Test func `events and changes are listed as of an instant, and as was known`() throws {
    try LedgerFolder.withMembership { folder in
      for (options, positions) in [
        (["--known-at", "2"], [1, 2]), (["--known-at", "2", "--customer", "user_42"], [2]),
        (["--at", "2025-12-31"], []), (["--at", "2100-01-01"], [1, 2, 3]),
        (["--at", "2100-01-01", "--limit", "1"], [1]),
      ] as [([String], [Int64])] {
        let found = try folder.run(["events", "--json"] + options).jsonLines()
        #expect(found.map { $0["position"]?.integer } == positions, "\(options)")
      }
      try #require(try folder.run("grant", "user_42", "premium_tier", "--reason", "x").status == 0)
      let all = try folder.run("changes", "--json").jsonLines()
      #expect(!all.isEmpty)
      #expect(try folder.run("changes", "--json", "--known-at", "2").jsonLines().isEmpty)
      #expect(try folder.run("changes", "--json", "--known-at", "now").jsonLines() == all)
      #expect(try folder.run("changes", "--json", "--at", "2025-12-31").jsonLines().isEmpty)
      for verb in ["events", "changes"] {
        for option in ["--at", "--known-at"] {
          let refused = try folder.run(verb, option, "now", "--follow")
          #expect(refused.status == 64, "\(refused.errors)")
          #expect(refused.errors.contains(option))
        }
      }
    }
  }

  @Test func `documents are printed as they were sent`() throws {
    try LedgerFolder.withMembership { folder in
      let sent = try folder.run("events", "--json", "--documents").jsonLines()
      let digests = sent.map { $0["document"] != .null }
      #expect(digests.contains(true) && digests.contains(false))
      for line in sent {
        let text = line["documentText"]?.string
        #expect((text != nil) == (line["document"] != .null))
        #expect(line["documentBase64"] == .null)
        guard let text else { continue }
        #expect(
          "stripe:\(try JSONValue(parsing: Array(text.utf8))["id"]?.string ?? "")"
            == line["id"]?.string)
        let printed = try folder.run("events", "--documents").output
        #expect(text.split(separator: "\n").allSatisfy { printed.contains($0) })
      }
      try FileManager.default.removeItem(atPath: folder.path + "/documents")
      let without = try folder.run("events", "--json", "--documents").jsonLines()
      #expect(without.allSatisfy { $0["documentText"] == .null })
      #expect(try folder.run("events", "--documents").output.contains("its document was removed"))
    }
  }

  @Test func `a document that is no text is printed in base64`() {
    let fields = RecordedEvent.documentFields([0xFF, 0x00])
    #expect(fields.map(\.key) == ["documentText", "documentBase64"])
    #expect(fields.map(\.value) == [.null, .string("/wA=")])
  }

  @Test func `a page ends nowhere: more events than one page are all listed`() throws {
    try LedgerFolder.with { folder in
      let note = #"{"type":"noted","documentType":"x"}"#
      let input = String(repeating: note + "\n", count: 2500)
      #expect(try folder.run("append", input: input).status == 0)
      let all = try folder.run("events", "--json").output.split(separator: "\n").count
      #expect(all == 2500)
      let some = try folder.run("events", "--json", "--limit", "1001").output
        .split(separator: "\n").count
      #expect(some == 1001)
    }
  }

  @Test func `following sees another process's events, and ends when its reader leaves`() throws {
    try LedgerFolder.withMembership { folder in
      let process = Process()
      process.executableURL = URL(filePath: LedgerProcess.executable)
      process.arguments = ["--ledger", folder.path, "--json", "events", "--after", "3", "--follow"]
      let (pipe, errors) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (pipe, errors)
      try process.run()
      for number in 4...6 {
        let entry = #"{"id":"manual:\#(number)","facts":[{"type":"noted","documentType":"x"}]}"#
        #expect(try folder.run("append", input: entry).status == 0)
        let line = try Self.line(from: pipe.fileHandleForReading)
        let event = try JSONValue(parsing: Array(line))
        #expect(event["position"]?.integer == Int64(number))
      }
      try pipe.fileHandleForReading.close()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
  }

  @Test func `following ends at the limit`() throws {
    try LedgerFolder.withMembership { folder in
      let result = try folder.run("events", "--follow", "--limit", "2", "--json")
      #expect(result.status == 0)
      #expect(try result.jsonLines().count == 2)
    }
  }

  static func line(from handle: FileHandle) throws -> Data {
    var line = Data()
    while let byte = try handle.read(upToCount: 1), let first = byte.first {
      if first == UInt8(ascii: "\n") { return line }
      line.append(first)
    }
    return line
  }
}
