import Foundation
import MembershipModel
import Testing

@testable import LedgerCommand

/// A pipe that stays open: each document is answered before the next is written.
@Suite(.timeLimit(.minutes(5))) struct LivePipeTests {
  /// The program with a pipe at either end.
  private struct Conversation {
    let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ folder: LedgerFolder, _ arguments: String...) throws {
      process.executableURL = URL(filePath: LedgerProcess.executable)
      process.arguments = ["--ledger", folder.path] + arguments
      process.environment = ["USER": "tester"]
      (process.standardInput, process.standardOutput) = (input, output)
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    func write(_ text: String) throws {
      try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Writes a line and reads the one that answers it.
    func ask(_ line: String) throws -> String {
      try write("\(line)\n")
      return try answer()
    }

    /// The next line of the program; waits for it.
    func answer() throws -> String {
      var answer = ""
      while !answer.hasSuffix("\n") {
        guard let piece = try output.fileHandleForReading.read(upToCount: 1), !piece.isEmpty
        else { break }
        answer += String(decoding: piece, as: UTF8.self)
      }
      return String(answer.dropLast())
    }

    func end() throws -> Int32 {
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  @Test func `ingest answers each document as it comes`() throws {
    try LedgerFolder.with { folder in
      let talk = try Conversation(folder, "ingest", "stripe", "-", "--trust-unsigned")
      let (first, second) = (CommandFixture.paidMonth[0], CommandFixture.paidMonth[1])
      #expect(try talk.ask(first) == "appended 1 observed purchased accountLinked")
      #expect(try folder.json("stats")["events"]?.integer == 1)
      #expect(try talk.ask("{broken").hasPrefix("refused -:2: "))
      #expect(try talk.ask(second) == "appended 2 invoiced purchased")
      #expect(try talk.ask(first) == "duplicate 1")
      #expect(try folder.run("check", "user_42", "x").status == 1)
      #expect(try talk.end() == 1)
      let origins = try folder.run("events", "--json").jsonLines().map { $0["origin"]?.string }
      #expect(origins == ["import", "import"])
    }
  }

  @Test func `append answers each event as it comes`() throws {
    try LedgerFolder.with { folder in
      let talk = try Conversation(folder, "append", "-")
      for position in 1...3 {
        #expect(
          try talk.ask(#"{"type":"noted","documentType":"x"}"#) == "noted \(position) x")
        #expect(try folder.json("stats")["events"]?.integer == Int64(position))
      }
      #expect(try talk.end() == 0)
    }
  }

  @Test func `lines by the thousand are all answered though the next one is not whole yet`() throws
  {
    try LedgerFolder.with { folder in
      let talk = try Conversation(folder, "append", "-")
      let line = #"{"type":"noted","documentType":"x"}"#
      let count = 2500
      // More of the unfinished line than is read at once.
      let padding = String(repeating: " ", count: 200_000)
      try talk.write(String(repeating: line + "\n", count: count) + padding)
      for position in 1...count {
        try #require(try talk.answer() == "noted \(position) x")
      }
      #expect(try talk.ask(line) == "noted \(count + 1) x")
      #expect(try talk.end() == 0)
    }
  }

  @Test func `who reads the answers only later loses none`() throws {
    try LedgerFolder.with { folder in
      let talk = try Conversation(folder, "append", "-")
      let count = 3000
      try talk.write(
        String(repeating: #"{"type":"noted","documentType":"x"}"# + "\n", count: count))
      while try folder.json("stats")["events"]?.integer != Int64(count) {}
      for position in 1...count {
        try #require(try talk.answer() == "noted \(position) x")
      }
      #expect(try talk.end() == 0)
    }
  }

  @Test func `a document alone is one that was sent just now, from a pipe as from a file`() throws {
    try LedgerFolder.with { folder in
      let document = CommandFixture.paidMonth[0]
      _ = try folder.run("ingest", "stripe", "--trust-unsigned", input: document)
      let file = try folder.file("second.json", CommandFixture.paidMonth[1] + "\n")
      _ = try folder.run("ingest", "stripe", "--trust-unsigned", file)
      let origins = try folder.run("events", "--json").jsonLines().map { $0["origin"]?.string }
      #expect(origins == ["webhook", "webhook"])
    }
  }
}
