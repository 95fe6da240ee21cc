import Foundation
import LedgerTestSupport
import MembershipModel
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
        if part == "documents" { try Self.expectWholeLog(folder) }
        let check = try folder.run("check", "user_42", "premium_tier", "--at", "2026-01-15")
        #expect(check.status == (part == "log" ? 2 : 0), "\(check.errors)")
        let ingest = try folder.run(
          "ingest", "stripe", "--trust-unsigned",
          input: CommandFixture.event("evt_9", "x", #"{"object":"x"}"#))
        #expect(ingest.status == 2, "\(ingest.errors)")
      }
    }
  }

  /// Whether verify and stats tell of the log, all of it, beside documents that cannot be read.
  private static func expectWholeLog(_ folder: LedgerFolder) throws {
    let verify = try folder.json("verify", status: 2)
    #expect(verify["events"]?.integer == 3 && verify["digest"]?.string != nil)
    #expect(verify["ok"]?.bool == false)
    #expect(verify["differences"]?.array?.count == 1)
    #expect(
      verify["differences"]?.array?.first?.string?.hasPrefix("documents: ") == true)
    #expect(try folder.run("verify").output.hasPrefix("verify: 1 difference\n"))
    let stats = try folder.json("stats", status: 2)
    #expect(stats["events"]?.integer == 3 && stats["documents"]?.isNull == true)
    #expect(stats["documentsFault"]?.string != nil)
    #expect(try folder.run("stats").output.contains("cannot be read: "))
  }

  @Test func `a path without a ledger is named as it was given, with the remedy`() throws {
    try withScratchFolder { scratch in
      for verb in [["check", "a", "b"], ["verify"], ["events"]] {
        let result = try LedgerProcess.run(
          LedgerProcess.executable, ["--ledger", "\(scratch)/nope"] + verb)
        #expect(
          result.errors == """
            ledger: \(scratch)/nope: there is no ledger: no such folder; check the path
            Name a ledger with --ledger or LEDGER_PATH, or make one with 'ledger init'.

            """)
      }
    }
  }

  @Test func `a folder in place of a file is 66, and nothing is recorded`() throws {
    try LedgerFolder.withMembership { folder in
      let file = try folder.file("event.json", CommandFixture.event("evt_9", "x", "{}"))
      let commands = [
        ["ingest", "stripe", "--trust-unsigned", file, folder.scratch],
        ["ingest", "stripe", "--secret-file", folder.scratch, file],
        ["append", folder.scratch], ["catalog", "apply", folder.scratch],
        ["restore", "user_42", "stripe", folder.scratch],
      ]
      for command in commands {
        let result = try LedgerProcess.run(
          LedgerProcess.executable, ["--ledger", folder.path] + command)
        #expect(result.status == 66, "\(command): \(result.errors)")
        #expect(result.errors.contains("\(folder.scratch): a folder, not a file"))
      }
      #expect(try folder.json("stats")["events"]?.integer == 3)
    }
  }

  @Test func `a ledger that may not grow is 74, and is as it was`() throws {
    try LedgerFolder.withMembership { folder in
      let reason = String(repeating: "x", count: 30_000)
      let file = "\(folder.path)/log/data.mdb"
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
      let limited = #"ulimit -f "$2"; ledger --ledger "$0" grant u e --reason "$1""#
      let result = try LedgerProcess.run(
        "/bin/bash", ["-c", limited, folder.path, reason, "\(size / 1024)"])
      #expect(result.status == 74, "\(result.errors)")
      #expect(result.errors.contains("nothing was acknowledged"))
      #expect(try folder.json("stats")["events"]?.integer == 3)
      #expect(try folder.run("verify").status == 0)
      #expect(try folder.run("grant", "u", "e", "--reason", reason).status == 0)
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
