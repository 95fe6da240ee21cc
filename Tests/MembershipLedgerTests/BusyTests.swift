import Dispatch
import Glibc
import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

#if DEBUG
  /// A process that is stopped while it appends: others give up in time, and go on after it.
  @Suite struct BusyTests {
    @Test(arguments: ["log", "documents"])
    func `an append behind a stopped one is refused as busy and taken later`(
      _ part: String
    ) async throws {
      try await withScratchFolder { folder in
        let ledger = try BusyScript.makeLedger(folder)
        let waiting = Background {
          let child = try BusyScript.awaitStop(folder)
          defer { kill(child, SIGCONT) }
          try BusyScript.expectBusy(ledger, part)
        }
        await #expect(processExitsWith: .success) {
          [folder = folder as String, part = part as String] in
          try BusyScript.appendStopping(folder, part)
        }
        try await waiting.finish()
        try BusyScript.append(ledger, "stripe:evt_2", part)
        #expect(try ledger.lastPosition() == 3)
        try expectSound(ledger)
      }
    }

    @Test(arguments: ["log", "documents"])
    func `an append after a killed one is taken at once`(_ part: String) async throws {
      try await withScratchFolder { folder in
        let ledger = try BusyScript.makeLedger(folder)
        let waiting = Background { kill(try BusyScript.awaitStop(folder), SIGKILL) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [folder = folder as String, part = part as String] in
          try BusyScript.appendStopping(folder, part)
        }
        try await waiting.finish()
        try BusyScript.append(ledger, "stripe:evt_2", part)
        #expect(try ledger.lastPosition() == 2)
        try expectSound(ledger)
      }
    }
  }

  private enum BusyScript {
    static func makeLedger(_ folder: String) throws -> Ledger {
      let ledger = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(busyTimeout: .milliseconds(20)))
      try ledger.add(Make.catalogEvent(), document: [1])
      return ledger
    }

    /// Appends an event in such a way that the documents, or the log alone, are written first.
    static func append(_ ledger: Ledger, _ id: EventID, _ part: String) throws {
      try ledger.add(
        Make.purchase(id), document: part == "documents" ? Array(id.rawValue.utf8) : nil)
    }

    /// Stops inside the first write.
    static func appendStopping(_ folder: String, _ part: String) throws {
      let ledger = try Ledger.open(folder + "/ledger")
      try ProcessStreams.write(
        Array("\(getpid())\n".utf8), to: openForWriting(folder + "/pid"))
      Failpoint.arm("storage.put", action: .stop)
      try append(ledger, "stripe:evt_1", part)
    }

    private static func openForWriting(_ path: String) -> Int32 {
      unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    }

    static func expectBusy(_ ledger: Ledger, _ part: String) throws {
      #expect(code { try append(ledger, "stripe:evt_2", part) } == .busy)
      if part == "log" { #expect(code { try ledger.rebuild() } == .busy) }
      try expectReading(ledger)
    }

    static func expectReading(_ ledger: Ledger) throws {
      #expect(try ledger.lastPosition() == 1)
      #expect(try ledger.replay().isSound)
    }

    /// Waits until the process that wrote its id down is stopped; its id.
    static func awaitStop(_ folder: String) throws -> Int32 {
      while true {
        if let child = number(in: folder + "/pid"), isStopped(child) { return child }
        usleep(1000)
      }
    }

    private static func number(in path: String) -> Int32? {
      guard let bytes = try? ProcessStreams.readFile(path), bytes.last == UInt8(ascii: "\n")
      else { return nil }
      return Int32(String(decoding: bytes.dropLast(), as: UTF8.self))
    }

    /// The state stands behind the name, which is in parentheses.
    private static func isStopped(_ process: Int32) -> Bool {
      let status = (try? ProcessStreams.readFile("/proc/\(process)/stat")) ?? []
      return String(decoding: status, as: UTF8.self).contains(") T ")
    }
  }
#endif
