import MembershipModel
import Testing

@testable import LedgerCommand

/// Text of strangers on its way to a terminal.
@Suite struct HostileInputTests {
  private static let escapes = "\\u001b[2J\\u009b31m\\u202e"

  @Test func `control characters of a document reach no terminal`() throws {
    try LedgerFolder.with { folder in
      let document = CommandFixture.event("evt_1", "moon\(Self.escapes)", #"{"object":"x"}"#)
      for arguments in [["--color", "always"], ["--json"]] {
        let result = try LedgerProcess.run(
          LedgerProcess.executable,
          arguments + ["--ledger", folder.path, "ingest", "stripe", "--trust-unsigned"],
          input: document)
        Self.expectHarmless(result)
      }
      for verb in ["events", "timeline"] {
        for option in ["--quiet", "--json"] {
          let words = verb == "timeline" ? [verb, "x\u{1B}[2J"] : [verb]
          Self.expectHarmless(
            try LedgerProcess.run(
              LedgerProcess.executable, ["--ledger", folder.path, option] + words))
        }
      }
    }
  }

  @Test func `refusals quote hostile input harmlessly`() throws {
    try LedgerFolder.with { folder in
      let refused = try folder.run(
        "append", input: #"{"\#(Self.escapes)":1}"# + "\n" + #"{"facts":[]}"#)
      #expect(refused.status == 1)
      Self.expectHarmless(refused)
      Self.expectHarmless(try folder.run("append", input: "\u{1B}[2J\u{9B}"))
      Self.expectHarmless(try folder.run("catalog", "apply", "/no/\u{1B}[2J"))
      Self.expectHarmless(try folder.run("grant", "a", "b", "--reason", "c\u{1B}[2J"))
      Self.expectHarmless(try folder.run("events"))
    }
  }

  @Test func `hostile names are escaped in answers`() throws {
    try LedgerFolder.with { folder in
      Self.expectHarmless(try folder.run("check", "a\u{202E}b", "e"))
      let control = try folder.run("check", "a\u{1B}", "e")
      #expect(control.status == 64)
      Self.expectHarmless(control)
    }
  }

  /// Nothing but printable characters, line ends and the colors of the program's own.
  private static func expectHarmless(
    _ result: LedgerProcess, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = (result.output + result.errors).replacing(/\u{1B}\[[0-9]+m/, with: "")
    let isHarmful = text.unicodeScalars.contains { scalar in
      scalar != "\n" && (scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value))
    }
    #expect(!isHarmful, "\(text.debugDescription)", sourceLocation: sourceLocation)
  }
}
