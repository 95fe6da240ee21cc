import FoundationEssentials
import LedgerCrypto
import LedgerTestSupport
import MembershipLedger
import Testing

/// Every block of the README, run.
@Suite struct ReadmeTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  /// A fenced block, with the last line of text before it.
  private struct Block {
    let language: String
    let lines: [String]
    let lead: String

    var text: String { lines.map { $0 + "\n" }.joined() }
  }

  private static func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var lead = ""
    var open: (language: String, lines: [String])?
    for line in try text("README.md").split(separator: "\n", omittingEmptySubsequences: false) {
      if let block = open {
        if line == "```" {
          blocks.append(Block(language: block.language, lines: block.lines, lead: lead))
          open = nil
        } else {
          open?.lines.append(String(line))
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      } else if !line.isEmpty {
        lead = String(line)
      }
    }
    return blocks
  }

  @Test func `every kind of block is one that a test runs`() throws {
    let languages = Set(try Self.blocks().map(\.language))
    #expect(languages == ["text", "sh", "swift", "json", "console"])
  }

  @Test func `the commands of the README are what the checks of the project run`() throws {
    let checks = try Self.text(".ci/run")
    for block in try Self.blocks() where block.language == "sh" {
      for command in block.lines {
        let program = String(command.split(separator: " ")[0])
        if program != "swift" {
          #expect(
            FileManager.default.isExecutableFile(atPath: Self.package.path + "/" + program))
        }
        #expect(checks.contains(command))
      }
    }
  }

  @Test func `the Swift of the README is the file that these tests compile`() throws {
    let blocks = try Self.blocks().filter { $0.language == "swift" }
    #expect(try blocks.map(\.text) == [Self.text("Tests/LedgerCommandTests/ReadmeExample.swift")])
  }

  @Test func `the Swift of the README does what it says`() async throws {
    let files = try Self.files()
    let body = Array(try #require(files["paid.json"]).utf8)
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/membership.ledger")
      let catalog = try Catalog(parsing: Array(try #require(files["catalog.json"]).utf8))
      try await ledger.append(
        Event(
          id: "manual:catalog", provider: .manual, effectiveAt: .now(),
          facts: [Fact(.catalogRevised(CatalogRevision(catalog: catalog)))]))
      let service = try Memberships(
        path: folder + "/membership.ledger", signingSecret: "whsec_readme")
      #expect(try await service.receive(body: body, headers: [:]) == 200)
      let time = Timestamp.now().milliseconds / 1000
      let signature = HMACSHA256.authenticationCode(
        for: Array("\(time).".utf8) + body, key: Array("whsec_readme".utf8))
      let headers = ["Stripe-Signature": "t=\(time),v1=\(signature)"]
      #expect(try await service.receive(body: body, headers: headers) == 200)
      #expect(try await service.receive(body: body, headers: headers) == 200)
      #expect(try ledger.lastPosition() == 2)
      let decision = try service.explain(
        "stripe:cus_1", at: Timestamp(parsing: "2026-10-01T00:00:00Z"))
      #expect(decision.isEntitled && decision.evidence == ["manual:catalog", "stripe:evt_1"])
      #expect(try service.hasPremium("nobody") == false)
      let gift = ManualGrant(id: "gift", entitlement: "premium_tier")
      try await ledger.append(
        Event(
          id: "manual:gift", provider: .manual, effectiveAt: .now(), customer: "user_7",
          facts: [Fact(.granted(gift))]))
      try await service.settle()
      await #expect(throws: Told.self) {
        try await service.follow(after: 0) { change in
          if change.customer == "user_7" { throw Told() }
        }
      }
    }
  }

  private struct Told: Error {}

  @Test func `the tour of the README prints what the README says`() throws {
    try withScratchFolder { folder in
      for (name, text) in try Self.files() {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      }
      for block in try Self.blocks() where block.language == "console" {
        for step in Self.steps(of: block) {
          let result = try LedgerProcess.run(
            "/bin/bash", ["-c", "cd '\(folder)' && \(step.command)"])
          var printed = (result.output + result.errors).split(separator: "\n").map(String.init)
          if result.status != 0 { printed.append("(exit status \(result.status))") }
          #expect(
            Self.matches(printed, step.expected),
            "\(step.command) printed\n\(printed.joined(separator: "\n"))")
        }
      }
    }
  }

  /// The files that the README tells to save, by name: "… as `NAME`:" stands before each.
  private static func files() throws -> [String: String] {
    var files: [String: String] = [:]
    for block in try blocks() where block.language == "json" {
      let name = try #require(block.lead.split(separator: "`").last { $0.hasSuffix(".json") })
      files[String(name)] = block.text
    }
    return files
  }

  private static func steps(of block: Block) -> [(command: String, expected: [String])] {
    var steps: [(command: String, expected: [String])] = []
    for line in block.lines {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), []))
      } else if !line.isEmpty {
        steps[steps.count - 1].expected.append(line)
      }
    }
    return steps
  }

  /// Whether the lines are the expected ones; `…` stands for anything within a line, and as a line
  /// of its own, the last, for any lines.
  private static func matches(_ lines: [String], _ expected: [String]) -> Bool {
    var lines = lines[...]
    for pattern in expected {
      if pattern == "…" { return true }
      guard let line = lines.popFirst(), matches(line, pattern) else { return false }
    }
    return lines.isEmpty
  }

  private static func matches(_ line: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "…", omittingEmptySubsequences: false)
    var rest = line[...]
    for (index, part) in parts.enumerated() {
      guard
        let range = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.firstRange(of: part),
        index > 0 || range.lowerBound == rest.startIndex
      else { return false }
      rest = rest[range.upperBound...]
    }
    return parts.last?.isEmpty == true || rest.isEmpty
  }
}
