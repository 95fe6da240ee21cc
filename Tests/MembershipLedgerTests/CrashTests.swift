import Dispatch
import FoundationEssentials
import Glibc
import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

#if DEBUG
  /// SIGKILL in the middle of whatever a ledger writes.
  @Suite("Law 2: a kill leaves all of an append or nothing") struct CrashTests {
    /// A failpoint with a passage at which it kills, and whether the event is recorded then.
    struct Kill: Sendable, CustomTestStringConvertible {
      let failpoint: String
      let passage: Int
      var isRecorded = false

      var testDescription: String { "\(failpoint), passage \(passage)" }
    }

    // The documents are written first, in a transaction of their own.
    static let kills: [Kill] =
      [1, 2].map { Kill(failpoint: "storage.before-begin", passage: $0) }
      + [1, 2, 3, 5, 8].map { Kill(failpoint: "storage.put", passage: $0) }
      + [1, 2].map { Kill(failpoint: "storage.before-commit", passage: $0) }
      + [Kill(failpoint: "ledger.documents", passage: 1)]
      + [1, 2, 4].map { Kill(failpoint: "ledger.projection", passage: $0) }
      + [
        Kill(failpoint: "storage.after-commit", passage: 1),
        Kill(failpoint: "storage.after-commit", passage: 2, isRecorded: true),
      ]

    @Test(arguments: kills)
    func `an append that is killed at any step is whole or not there`(_ kill: Kill) async throws {
      try await withScratchFolder { folder in
        try CrashScript.prepare(folder)
        let (failpoint, passage) = (kill.failpoint, kill.passage)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [folder = folder as String, failpoint = failpoint as String, passage = passage as Int] in
          try CrashScript.appendUntilKilled(folder, failpoint, passage)
        }
        try CrashScript.expectWhole(folder, isRecorded: kill.isRecorded)
      }
    }

    @Test(arguments: [
      ("ledger.projection", 2), ("ledger.rebuild", 1), ("storage.put", 4),
      ("storage.before-commit", 1), ("storage.after-commit", 1),
    ])
    func `a rebuild that is killed leaves the old projections or the new`(
      _ failpoint: String, _ passage: Int
    ) async throws {
      try await withScratchFolder { folder in
        try CrashScript.prepare(folder)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [folder = folder as String, failpoint = failpoint as String, passage = passage as Int] in
          let ledger = try Ledger.open(folder + "/ledger")
          Failpoint.arm(failpoint, action: .kill, passage: passage)
          try ledger.rebuild()
        }
        try CrashScript.expectWhole(folder, isRecorded: false)
      }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `whatever was acknowledged before a kill at any time is there`(
      _ seed: UInt64
    ) async throws {
      try await withScratchFolder { folder in
        _ = try Ledger.create(folder + "/ledger")
        for round in 0..<2 as Range<UInt64> {
          await #expect(processExitsWith: .signal(SIGKILL)) {
            [folder = folder as String, seed = seed * 10 + round as UInt64] in
            try CrashScript.appendUntilShot(folder, seed)
          }
          try CrashScript.expectAcknowledged(folder)
        }
      }
    }

    @Test func `an append that fails on the disk tells its callers and is not there`() async throws
    {
      await #expect(processExitsWith: .success) {
        try withScratchFolder { folder in
          try CrashScript.prepare(folder)
          let ledger = try Ledger.open(folder + "/ledger")
          for name in ["storage.put", "storage.before-commit", "ledger.projection"] {
            Failpoint.arm(name, action: .error(5), passage: name == "storage.put" ? 4 : 2)
            let event = CrashScript.event
            #expect(code { try ledger.add(event, document: [1]) } == .inputOutput)
            #expect(try ledger.event(event.id) == nil)
          }
          Failpoint.arm("storage.commit", action: .error(5))
          #expect(code { try ledger.add(CrashScript.event) } == .inputOutput)
          #expect(code { try ledger.add(CrashScript.event) } == .writerClosed)
          try expectSound(ledger)
        }
      }
    }
  }

  /// What the crash tests' processes do.
  enum CrashScript {
    static let event = Make.purchase("stripe:evt_killed", days(31, 61), invoice: "stripe:in_9")

    static func prepare(_ folder: String) throws {
      let ledger = try Ledger.create(folder + "/ledger")
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"), document: Array("{}".utf8))
    }

    static func appendUntilKilled(_ folder: String, _ failpoint: String, _ passage: Int) throws {
      let ledger = try Ledger.open(folder + "/ledger")
      Failpoint.arm(failpoint, action: .kill, passage: passage)
      try ledger.add(event, document: Array("{\"killed\": true}".utf8))
    }

    static func expectWhole(_ folder: String, isRecorded: Bool) throws {
      let ledger = try Ledger.open(folder + "/ledger")
      try expectSound(ledger)
      #expect(try ledger.verify().missingDocuments == 0)
      #expect(try ledger.lastPosition() == (isRecorded ? 3 : 2))
      #expect(try (ledger.event(event.id) != nil) == isRecorded)
      let premium = try ledger.entitlement("premium")
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(40)) == isRecorded)
      // The source sends it again, and appends go on.
      let again = try ledger.add(event, document: Array("{\"killed\": true}".utf8))
      #expect(again.position == 3)
      #expect(again.isDuplicate == isRecorded)
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(40)))
      try ledger.rebuild()
      try expectSound(ledger)
    }

    /// Appends from several threads and notes each acknowledged id in a file, until a kill from
    /// another thread ends the process at no chosen moment.
    static func appendUntilShot(_ folder: String, _ seed: UInt64) throws {
      let ledger = try Ledger.open(folder + "/ledger")
      let file = folder + "/acknowledged"
      let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      precondition(descriptor >= 0, "no file for the acknowledged ids")
      var random = SeededGenerator(seed: seed)
      let delay = UInt32.random(in: 5_000...120_000, using: &random)
      DispatchQueue(label: "shot").async {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        var history = RandomHistory(
          seed: seed &* 31 &+ UInt64(thread), prefix: "\(seed)_\(thread)")
        while true {
          let event = history.event()
          guard (try? ledger.add(event, document: Array("\(event.id)".utf8))) != nil else {
            fatalError("an append failed")
          }
          let line = Array("\(event.id)\n".utf8)
          let isNoted = unsafe write(descriptor, line, line.count) == line.count
          precondition(isNoted, "an acknowledged id could not be noted")
        }
      }
    }

    static func expectAcknowledged(_ folder: String) throws {
      let ledger = try Ledger.open(folder + "/ledger")
      try expectSound(ledger)
      #expect(try ledger.verify().missingDocuments == 0)
      let recorded = Set(try ledger.events(limit: .max).map(\.event.id.rawValue))
      // Not by Foundation, whose reading of an empty file leaks.
      let bytes = (try? ProcessStreams.readFile(folder + "/acknowledged")) ?? []
      let acknowledged = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        .map(String.init)
      #expect(Set(acknowledged).subtracting(recorded) == [])
      let next = try ledger.lastPosition().rawValue + 1
      #expect(
        try ledger.add(AppendTests.note(Int(next))).position.rawValue == next)
    }
  }
#endif
