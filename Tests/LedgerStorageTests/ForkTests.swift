import Glibc
import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct ForkTests {
  @Test func `a forked child is refused the parent's environment and may open its own`()
    async throws
  {
    try await withScratchFolder { folder in
      _ = try makeEnvironment(folder + "/env")
      await #expect(processExitsWith: .success) { [folder = folder as String] in
        let environment = try StorageEnvironment.open(folder + "/env", testOptions())
        let items = try itemsTable(of: environment)
        try environment.put("parent", for: "k", in: items)
        try environment.read { (txn) throws in
          try runForked {
            try expectRefused { try environment.text(for: "k", in: items) }
            try expectRefused { try environment.put("child", for: "k", in: items) }
            try expectRefused { try environment.lookup([1].span, in: items) { $0?.count } }
            try expectRefused { try environment.table(named: "other") }
            let own = try StorageEnvironment.open(folder + "/env", testOptions())
            try own.put("child", for: "k", in: try itemsTable(of: own))
          }
          // The child left the parent's slot alone: the snapshot is still protected.
          #expect(try environment.statistics().oldestReaderLag == 1)
          #expect(try txn.value(for: [UInt8]("k").span, in: items) == [UInt8]("parent"))
        }
        #expect(try environment.text(for: "k", in: items) == "child")
      }
    }
  }
}

/// Throws unless `body` fails with `usedAfterFork`; a forked child has no test to report to.
func expectRefused<Result>(_ body: () throws -> Result) throws {
  if storageCode(body) != .usedAfterFork { throw ForkFailure(status: -1) }
}
