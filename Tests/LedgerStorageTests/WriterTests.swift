import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct WriterTests {
  @Test func `a write inside a write of the same thread is an error, not a deadlock`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.write { (_) throws in
        #expect(storageCode { try environment.put("v", for: "k", in: items) } == .nestedWrite)
        #expect(storageCode { try environment.table(named: "other") } == .nestedWrite)
        // A table that is open needs no transaction of its own, and a read may stand in a write.
        _ = try environment.table(named: "items")
        #expect(try environment.text(for: "k", in: items) == nil)
      }
      try environment.put("v", for: "k", in: items)
    }
  }

  @Test func `a full map changes nothing and the environment stays usable`() throws {
    try withScratchFolder { folder in
      let options = testOptions { $0.mapSize = 1 << 18 }
      let (environment, items) = try makeEnvironment(folder + "/env", options)
      try environment.put("kept", for: "k", in: items)
      let long = [UInt8](repeating: 1, count: 1 << 19)
      #expect(
        storageCode {
          try environment.write { (txn) throws(StorageError) in
            try txn.put(long.span, for: [1].span, in: items)
          }
        } == .mapFull)
      #expect(try environment.text(for: "k", in: items) == "kept")
      try environment.put("after", for: "l", in: items)
      #expect(try environment.text(for: "l", in: items) == "after")
    }
  }

  @Test func `a failure that the body overlooks still fails the commit`() throws {
    try withScratchFolder { folder in
      let options = testOptions { $0.mapSize = 1 << 18 }
      let (environment, items) = try makeEnvironment(folder + "/env", options)
      let long = [UInt8](repeating: 1, count: 1 << 19)
      #expect(
        storageCode {
          try environment.write { (txn) throws(StorageError) in
            try txn.put([1].span, for: [1].span, in: items)
            try? txn.put(long.span, for: [2].span, in: items)
          }
        } == .mapFull)
      #expect(
        try environment.read { (txn) throws(StorageError) in try txn.count(of: items) } == 0)
    }
  }

  @Test func `a table of a write that fails does not exist, and can be made again`() throws {
    struct Refusal: Error {}
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      var stale: Table?
      #expect(throws: TransactionError<any Error>.self) {
        try environment.write { (txn) throws in
          stale = try txn.createTable(named: "new")
          throw Refusal()
        }
      }
      let table = try #require(stale)
      #expect(storageCode { try environment.put("v", for: "k", in: table) } == .tableMissing)
      #expect(storageCode { try environment.text(for: "k", in: table) } == .tableMissing)
      #expect(try environment.table(named: "new") == nil)
      // Another table takes LMDB's old handle; the stale one must not reach it.
      try environment.write { (txn) throws(StorageError) in
        _ = try txn.createTable(named: "other")
      }
      #expect(storageCode { try environment.put("v", for: "k", in: table) } == .tableMissing)
      try environment.write { (txn) throws(StorageError) in
        _ = try txn.createTable(named: "new")
      }
      try environment.put("v", for: "k", in: table)
      #expect(try environment.text(for: "k", in: table) == "v")
      #expect(try environment.text(for: "k", in: items) == nil)
    }
  }

  @Test func `a dropped table is missing, here and after its name is used again`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.put("v", for: "k", in: items)
      try environment.write { (txn) throws(StorageError) in
        try txn.dropTable(items)
        #expect(try txn.reader.value(for: [UInt8]("k").span, in: items) == nil)
        do throws(StorageError) {
          try txn.put([1].span, for: [1].span, in: items)
          Issue.record("a dropped table was written")
        } catch {
          #expect(error.code == .tableMissing)
        }
      }
      #expect(storageCode { try environment.text(for: "k", in: items) } == .tableMissing)
      #expect(try environment.table(named: "items") == nil)
      try environment.write { (txn) throws(StorageError) in
        _ = try txn.createTable(named: "items")
      }
      #expect(try environment.text(for: "k", in: items) == nil)
      try environment.put("w", for: "k", in: items)
      #expect(try environment.text(for: "k", in: items) == "w")
    }
  }

  @Test func `a table dropped and made in one write is empty`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.put("v", for: "k", in: items)
      try environment.write { (txn) throws(StorageError) in
        try txn.dropTable(items)
        let again = try txn.createTable(named: "items")
        #expect(again == items)
        try txn.put([2].span, for: [1].span, in: again)
      }
      #expect(try environment.text(for: "k", in: items) == nil)
      #expect(
        try environment.read { (txn) throws(StorageError) in try txn.count(of: items) } == 1)
    }
  }

  @Test func `a drop that is given up leaves the table as it was`() throws {
    struct Refusal: Error {}
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.put("v", for: "k", in: items)
      #expect(throws: TransactionError<any Error>.self) {
        try environment.write { (txn) throws in
          try txn.dropTable(items)
          throw Refusal()
        }
      }
      #expect(try environment.text(for: "k", in: items) == "v")
    }
  }

  @Test func `a drop inside a read of the same thread is refused and changes nothing`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(
        folder + "/env", testOptions { $0.readsLimit = 200 })
      try environment.put("v", for: "k", in: items)
      try environment.read { (txn) throws in
        #expect(
          storageCode {
            try environment.write { (txn) throws(StorageError) in try txn.dropTable(items) }
          } == .readsInTheWay)
        #expect(try txn.contains([UInt8]("k").span, in: items))
      }
      #expect(try environment.text(for: "k", in: items) == "v")
    }
  }

  @Test func `a projection is built beside the old one and swapped in one commit`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.put("1", for: "version", in: items)
      var old = try environment.write { (txn) throws(StorageError) in
        try txn.createTable(named: "projection 1")
      }
      for version in 2...5 as ClosedRange<UInt8> {
        let previous = old
        old = try environment.write { (txn) throws(StorageError) in
          let new = try txn.createTable(named: "projection \(version)")
          try txn.put([version].span, for: [1].span, in: new)
          try txn.put([version].span, for: [UInt8]("version").span, in: items)
          try txn.dropTable(previous)
          return new
        }
        try environment.read { (txn) throws(StorageError) in
          #expect(try txn.value(for: [1].span, in: old) == [version])
        }
        #expect(storageCode { try environment.text(for: "k", in: previous) } == .tableMissing)
      }
      #expect(try environment.statistics().tables.count == 2)
      #expect(try environment.structureFaults() == [])
    }
  }

  @Test func `more tables than allowed are refused`() throws {
    try withScratchFolder { folder in
      let options = testOptions { $0.maximumTables = 2 }
      let (environment, items) = try makeEnvironment(folder + "/env", options)
      try environment.write { (txn) throws(StorageError) in
        _ = try txn.createTable(named: "second")
      }
      #expect(
        storageCode {
          try environment.write { (txn) throws(StorageError) in
            _ = try txn.createTable(named: "third")
          }
        } == .tooManyTables)
      try environment.put("v", for: "k", in: items)
    }
  }
}
