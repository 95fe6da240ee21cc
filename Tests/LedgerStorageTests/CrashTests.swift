import Glibc
import LedgerStorage
import LedgerTestSupport
import Testing

#if DEBUG
  /// SIGKILL at every failpoint: what was acknowledged is there, nothing else half.
  @Suite struct CrashTests {
    @Test(arguments: [
      ("storage.before-begin", false), ("storage.put", false), ("storage.before-commit", false),
      ("storage.after-commit", true),
    ])
    func `a kill leaves all of a write or nothing`(
      _ failpoint: String, _ isCommitted: Bool
    ) async throws {
      try await withScratchFolder { folder in
        _ = try makeEnvironment(folder + "/env")
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [folder = folder as String, failpoint = failpoint as String] in
          try writeUntilKilled(folder, failpoint)
        }
        let environment = try StorageEnvironment.open(folder + "/env", testOptions())
        let items = try itemsTable(of: environment)
        let count = try environment.read { (txn) throws(StorageError) in try txn.count(of: items) }
        #expect(count == (isCommitted ? 20 : 10))
        #expect(try environment.structureFaults() == [])
        // The lock of the dead writer is taken over.
        try writeSynchronously(environment, items)
      }
    }

    @Test func `a kill between any two puts leaves nothing of the write`() async throws {
      try await withScratchFolder { folder in
        let (environment, items) = try makeEnvironment(folder + "/env")
        for passage in 1...3 {
          await #expect(processExitsWith: .signal(SIGKILL)) {
            [folder = folder as String, passage = passage as Int] in
            let environment = try StorageEnvironment.open(folder + "/env", testOptions())
            let items = try itemsTable(of: environment)
            Failpoint.arm("storage.put", action: .kill, passage: passage)
            try putTen(environment, items, from: 0)
          }
          #expect(
            try environment.read { (txn) throws(StorageError) in try txn.count(of: items) } == 0)
        }
      }
    }

    @Test func `an armed error fails the write and disarms itself`() async throws {
      await #expect(processExitsWith: .success) {
        try withScratchFolder { folder in
          let (environment, items) = try makeEnvironment(folder + "/env")
          Failpoint.arm("storage.put", action: .error(5), passage: 2)
          #expect(storageCode { try putTen(environment, items, from: 0) } == .failpoint)
          try putTen(environment, items, from: 0)
        }
      }
    }
  }

  /// Ten committed entries, then ten in one write that the failpoint ends.
  func writeUntilKilled(_ folder: String, _ failpoint: String) throws {
    let environment = try StorageEnvironment.open(folder + "/env", testOptions())
    let items = try itemsTable(of: environment)
    try putTen(environment, items, from: 0)
    Failpoint.arm(failpoint, action: .kill)
    try putTen(environment, items, from: 10)
  }

  /// Ten entries in one commit.
  func putTen(_ environment: StorageEnvironment, _ items: Table, from first: UInt64) throws {
    try environment.write { (txn) throws(StorageError) in
      for number in first..<first + 10 {
        let key = bigEndian(number)
        try txn.put([1].span, for: key.span, in: items)
      }
    }
  }
#endif
