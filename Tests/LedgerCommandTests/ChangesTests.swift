import Foundation
import LedgerTestSupport
import MembershipLedger
import Testing

@testable import LedgerCommand

/// The feed of changes, and what brings time into it.
@Suite struct ChangesTests {
  /// A folder in which user_42 was given a feature that has ended, and user_7 one without end.
  private static func withChanges(_ body: (LedgerFolder) throws -> Void) throws {
    try LedgerFolder.with { folder in
      let end = Timestamp.now().adding(milliseconds: 1500)
      try #require(
        try folder.run(
          "grant", "user_42", "premium_tier", "--reason", "a gift", "--until", "\(end)"
        ).status == 0)
      try #require(
        try folder.run("grant", "user_7", "premium_tier", "--reason", "a gift").status == 0)
      // The command reads the clock of the system: there is no way to wait for an end but waiting.
      while Timestamp.now() < end { Thread.sleep(forTimeInterval: 0.05) }
      try body(folder)
    }
  }

  @Test func `changes are lines of JSON with every field, once time is settled`() throws {
    try Self.withChanges { folder in
      #expect(try folder.run("changes", "--json").jsonLines().count == 2)
      let settled = try folder.json("settle")
      #expect(settled.keys == ["changes", "events", "upTo"])
      #expect(settled["changes"]?.integer == 1)
      #expect(try folder.json("settle")["events"]?.integer == 0)
      let lines = try folder.run("changes", "--json").jsonLines()
      #expect(
        lines.allSatisfy {
          $0.keys == [
            "sequence", "customer", "customerSequence", "at", "gained", "lost", "entitlements",
            "cause", "position", "recordedAt", "leadsTo", "environment",
          ]
        })
      #expect(lines.map { $0["sequence"]?.integer } == [1, 2, 3])
      #expect(lines.map { $0["customer"]?.string } == ["user_42", "user_7", "user_42"])
      #expect(lines.map { $0["customerSequence"]?.integer } == [1, 1, 2])
      #expect(lines.map { $0["lost"]?.text() } == ["[]", "[]", #"["premium_tier"]"#])
      #expect(lines.map { $0["cause"]?["type"]?.string } == ["event", "event", "time"])
      #expect(lines.map { $0["position"]?.integer } == [1, 2, 3])
    }
  }

  @Test func `changes are chosen by sequence, number, customer and environment`() throws {
    try Self.withChanges { folder in
      #expect(try folder.run("settle").status == 0)
      let choices: [(options: [String], sequences: [Int64])] = [
        (["--after", "1"], [2, 3]), (["--after", "1", "--limit", "1"], [2]),
        (["--limit", "0"], []), (["--customer", "user_42"], [1, 3]),
        (["--customer", "user_42", "--after", "1"], [3]), (["--environment", "sandbox"], []),
        (["--follow", "--limit", "3"], [1, 2, 3]),
      ]
      for (options, sequences) in choices {
        let result = try LedgerProcess.run(
          LedgerProcess.executable, ["--ledger", folder.path, "--json", "changes"] + options)
        let found = try result.jsonLines().map { $0["sequence"]?.integer }
        #expect(found == sequences, "\(options)")
      }
    }
  }

  @Test func `a cursor beyond the last change or event is refused, followed or not`() throws {
    try LedgerFolder.with { folder in
      let last = 2
      for customer in ["user_1", "user_2"] {
        _ = try folder.run("grant", customer, "premium_tier", "--reason", "a gift")
      }
      #expect(try folder.run("changes", "--after", "\(last)").status == 0)
      for options in [[], ["--follow"], ["--customer", "user_1"], ["--json"]] as [[String]] {
        let result = try LedgerProcess.run(
          LedgerProcess.executable,
          ["--ledger", folder.path, "changes", "--after", "\(last + 1)"] + options)
        #expect(result.status == 65 && result.output.isEmpty)
        #expect(result.errors.contains("ends with change \(last);"))
      }
      let events = try folder.run("events", "--after", "3", "--follow")
      #expect(events.status == 65 && events.errors.contains("ends at position 2"))
    }
  }

  @Test func `a line tells whose, what and why`() throws {
    try Self.withChanges { folder in
      #expect(try folder.run("settle").output.hasPrefix("settled 1 change up to 20"))
      #expect(try folder.run("settle").output.hasPrefix("settled 0 changes up to 20"))
      let merge =
        #"{"id":"manual:m","facts":[{"type":"customersMerged","from":"user_7","into":"user_8"}]}"#
      #expect(try folder.run("append", input: merge).status == 0)
      let lines = try folder.run("changes").output.split(separator: "\n")
        .map { $0.split(separator: " ").dropFirst(3).joined(separator: " ") }
      #expect(lines.count == 5)
      #expect(lines[2] == "user_42 -premium_tier time")
      #expect(lines[3] == "user_7 -premium_tier → user_8 manual:m")
      #expect(lines[4] == "user_8 +premium_tier manual:m")
    }
  }

  @Test func `what is to come cannot be settled`() throws {
    try LedgerFolder.with { folder in
      let result = try folder.run("settle", "--until", "9999-01-01")
      #expect(result.status == 65)
      #expect(result.errors.contains("name an instant that has passed"))
      #expect(try folder.run("settle", "--until", "2020-01-01").status == 0)
    }
  }

  @Test func `following sees what another process records, and ends when its reader leaves`() throws
  {
    try LedgerFolder.with { folder in
      let process = Process()
      process.executableURL = URL(filePath: LedgerProcess.executable)
      process.arguments = ["--ledger", folder.path, "--json", "changes", "--follow"]
      let (pipe, errors) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (pipe, errors)
      try process.run()
      for number in 1...3 {
        let customer = "user_\(number)"
        #expect(
          try folder.run("grant", customer, "premium_tier", "--reason", "a gift").status == 0)
        let line = try EventsTests.line(from: pipe.fileHandleForReading)
        let change = try JSONValue(parsing: Array(line))
        #expect(change["sequence"]?.integer == Int64(number))
        #expect(change["customer"]?.string == customer)
      }
      try pipe.fileHandleForReading.close()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
  }

  @Test func `a clock that is behind is warned of once, and gives nobody access again`() throws {
    try withScratchFolder { scratch in
      let folder = LedgerFolder(scratch: scratch)
      let later = Timestamp.now().adding(milliseconds: 3_600_000)
      let ledger = try Ledger.create(folder.path, LedgerConfiguration(clock: { later }))
      let end = later.adding(milliseconds: -1000)
      let grant = ManualGrant(
        id: "g", entitlement: "premium_tier", from: .earliest, until: end)
      let outcomes = ledger.append(contentsOf: [
        AppendRequest(
          Event(
            id: "manual:g", provider: .manual, effectiveAt: end, customer: "user_42",
            facts: [Fact(.granted(grant))]))
      ])
      _ = try outcomes.first?.get()
      let check = try folder.run("check", "user_42", "premium_tier")
      #expect(check.status == 1)
      #expect(check.errors.split(separator: "\n").count == 1)
      #expect(check.errors.contains("seconds behind the newest recorded time"))
      #expect(try folder.run("--quiet", "check", "user_42", "premium_tier").errors == "")
      #expect(try folder.run("entitlements", "user_42").output == "")
      #expect(
        try folder.json("check", "user_42", "premium_tier", "--at", "now", status: 1)["at"]
          == .string("\(later)"))
      let behind = try #require(try folder.json("stats")["clockBehindMilliseconds"]?.integer)
      #expect((3_000_000...3_600_000).contains(behind))
      #expect(try folder.run("stats").output.contains("seconds behind the newest event"))
    }
  }
}
