import FoundationEssentials
import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct MaintenanceTests {
  @Test func `a backup holds what was there and none of the free pages`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.write { (txn) throws(StorageError) in
        for number in 0..<5000 as Range<UInt64> {
          let key = bigEndian(number)
          try txn.put(key.span, for: key.span, in: items)
        }
      }
      try environment.write { (txn) throws(StorageError) in try txn.clear(items) }
      try environment.put("v", for: "k", in: items)
      try environment.backup(to: folder + "/copy")
      let copy = try StorageEnvironment.open(folder + "/copy", testOptions())
      #expect(try copy.text(for: "k", in: itemsTable(of: copy)) == "v")
      #expect(try copy.structureFaults() == [])
      let sizes = (try environment.statistics().usedBytes, try copy.statistics().usedBytes)
      #expect(sizes.1 < sizes.0 / 4)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names == ["copy", "env"])
    }
  }

  @Test func `a backup does not touch a folder in use`() throws {
    try withScratchFolder { folder in
      let (environment, _) = try makeEnvironment(folder + "/env")
      try FileManager.default.createDirectory(
        atPath: folder + "/copy", withIntermediateDirectories: false)
      try environment.backup(to: folder + "/copy")
      #expect(storageCode { try environment.backup(to: folder + "/copy") } == .alreadyExists)
      #expect(storageCode { try environment.backup(to: folder + "/env") } == .alreadyExists)
      #expect(storageCode { try environment.backup(to: folder + "/no/copy") } == .notFound)
    }
  }

  @Test func `statistics count tables, entries, commits and readers`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      for key in ["a", "b", "c"] { try environment.put("v", for: key, in: items) }
      try environment.write { (txn) throws(StorageError) in
        _ = try txn.createTable(named: "empty")
      }
      let statistics = try environment.statistics()
      #expect(statistics.tables.map(\.name) == ["empty", "items"])
      #expect(statistics.tables.map(\.entries) == [0, 3])
      #expect(statistics.transactionID == 5)
      #expect(statistics.mapSize == 64 << 20)
      #expect(statistics.pageSize == 4096)
      #expect(statistics.usedBytes >= 4 * 4096)
      #expect(statistics.maximumReaders >= 64)
      #expect(statistics.readerSlots == 1)
      #expect(statistics.oldestReaderLag == 0)
    }
  }

  @Test func `errors name the input, the rule and the remedy`() throws {
    try withScratchFolder { folder in
      do throws(StorageError) {
        _ = try StorageEnvironment.open(folder + "/none", testOptions())
        Issue.record("nothing was thrown")
      } catch {
        #expect(
          error.description == "\(folder)/none: no such folder: check the path or create it")
      }
    }
  }
}
