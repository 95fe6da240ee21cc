import Foundation
import LedgerTestSupport
import Testing

@testable import LedgerCommand

/// What a script learns from the exit status about a ledger that cannot be used.
@Suite struct ExitStatusTests {
  @Test func `a path that is no ledger is 66`() throws {
    try withScratchFolder { scratch in
      let manager = FileManager.default
      try Data("text".utf8).write(to: URL(filePath: scratch + "/file"))
      try manager.createDirectory(atPath: scratch + "/plain/log", withIntermediateDirectories: true)
      for name in ["missing", "plain", "file", "file/below"] {
        for verb in [["stats"], ["append"], ["check", "a", "b"], ["verify"]] {
          let result = try LedgerProcess.run(
            LedgerProcess.executable, ["--ledger", "\(scratch)/\(name)"] + verb,
            input: #"{"type":"noted"}"#)
          #expect(result.status == 66, "\(name) \(verb): \(result.errors)")
          #expect(result.errors.contains("ledger init"))
        }
      }
    }
  }

  @Test(arguments: ["log", "documents"])
  func `a part of a ledger that cannot be read is 2`(_ part: String) throws {
    try LedgerFolder.withMembership { folder in
      for content in ["", "text", String(repeating: "x", count: 20_000)] {
        try Data(content.utf8).write(to: URL(filePath: "\(folder.path)/\(part)/data.mdb"))
        for verb in [["stats"], ["verify"], ["backup", "\(folder.scratch)/copy"]] {
          let result = try LedgerProcess.run(
            LedgerProcess.executable, ["--ledger", folder.path] + verb)
          #expect(result.status == 2, "\(verb): \(result.errors)")
          #expect((result.output + result.errors).contains("\(part)"))
          try? FileManager.default.removeItem(atPath: "\(folder.scratch)/copy")
        }
        let check = try folder.run("check", "user_42", "premium_tier", "--at", "2026-01-15")
        #expect(check.status == (part == "log" ? 2 : 0), "\(check.errors)")
        let ingest = try folder.run(
          "ingest", "stripe", "--trust-unsigned",
          input: CommandFixture.event("evt_9", "x", #"{"object":"x"}"#))
        #expect(ingest.status == 2, "\(ingest.errors)")
      }
    }
  }

  #if DEBUG
    @Test func `a writer that is stopped makes the others 75, and they record later`() throws {
      try LedgerFolder.with { folder in
        let stopped = Process()
        stopped.executableURL = URL(filePath: LedgerProcess.executable)
        stopped.arguments = [
          "--ledger", folder.path, "grant", "user_1", "premium_tier", "--reason", "first",
        ]
        stopped.environment = ["USER": "tester", "LEDGER_FAILPOINT": "storage.put:stop:1"]
        stopped.standardOutput = FileHandle.nullDevice
        try stopped.run()
        try Self.awaitStop(of: stopped.processIdentifier)

        func grant() throws -> LedgerProcess {
          try folder.run("grant", "user_2", "premium_tier", "--reason", "second")
        }
        let busy = try grant()
        #expect(busy.status == 75, "\(busy.errors)")
        #expect(busy.errors.contains("try again"))
        #expect(try folder.run("events").output == "")
        #expect(try folder.run("check", "user_2", "premium_tier").status == 1)

        kill(stopped.processIdentifier, SIGCONT)
        stopped.waitUntilExit()
        #expect(stopped.terminationStatus == 0)
        let later = try grant()
        #expect(later.status == 0, "\(later.errors)")
        #expect(try folder.run("check", "user_1", "premium_tier").status == 0)
        #expect(try folder.run("check", "user_2", "premium_tier").status == 0)
        #expect(try folder.run("verify").status == 0)
      }
    }

    /// Waits until a process is stopped; its state stands behind its name, which is in parentheses.
    private static func awaitStop(of process: Int32) throws {
      while !String(
        decoding: try Data(contentsOf: URL(filePath: "/proc/\(process)/stat")), as: UTF8.self
      ).contains(") T ") {
        usleep(1000)
      }
    }
  #endif
}
