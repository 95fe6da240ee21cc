import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct TableTests {
  @Test func `keys of 1 to 511 bytes are stored and found`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      for length in [1, 510, 511] {
        let key = [UInt8](repeating: 7, count: length)
        try environment.write { (txn) throws(StorageError) in
          try txn.put([UInt8(length & 255)].span, for: key.span, in: items)
        }
        try environment.read { (txn) throws(StorageError) in
          #expect(try txn.value(for: key.span, in: items) == [UInt8(length & 255)])
        }
      }
    }
  }

  @Test(arguments: [0, 512, 4000])
  func `a key of another length is refused on writing and on reading`(_ length: Int) throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      let key = [UInt8](repeating: 7, count: length)
      #expect(
        storageCode {
          try environment.write { (txn) throws(StorageError) in
            try txn.put([1].span, for: key.span, in: items)
          }
        } == .invalidKey)
      #expect(
        storageCode {
          try environment.write { (txn) throws(StorageError) in
            try txn.delete(key.span, in: items)
          }
        } == .invalidKey)
      #expect(
        storageCode {
          try environment.read { (txn) throws(StorageError) in
            try txn.value(for: key.span, in: items)
          }
        } == .invalidKey)
      #expect(
        storageCode {
          try environment.read { (txn) throws(StorageError) in
            _ = try txn.entries(in: items, from: key.span)
          }
        } == .invalidKey)
      #expect(storageCode { try environment.lookup(key.span, in: items) { _ in } } == .invalidKey)
    }
  }

  @Test func `appending takes rising keys and refuses others without harm`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.write { (txn) throws(StorageError) in
        for number in [1, 2, 5] as [UInt8] {
          try txn.put([0].span, for: [number].span, in: items, appending: true)
        }
        for number in [5, 4] as [UInt8] {
          do throws(StorageError) {
            try txn.put([0].span, for: [number].span, in: items, appending: true)
            Issue.record("an old key was appended")
          } catch {
            #expect(error.code == .keyOutOfOrder)
          }
        }
      }
      #expect(
        try environment.read { (txn) throws(StorageError) in try txn.count(of: items) } == 3)
    }
  }

  @Test func `clearing removes all entries and leaves the table`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      for key in ["a", "b"] { try environment.put("x", for: key, in: items) }
      try environment.write { (txn) throws(StorageError) in
        try txn.clear(items)
        #expect(try txn.reader.count(of: items) == 0)
      }
      #expect(try environment.text(for: "b", in: items) == nil)
      try environment.put("x", for: "c", in: items)
    }
  }

  @Test func `a lookup lends the value or nil`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.put("xyz", for: "k", in: items)
      let found = try environment.lookup([UInt8]("k").span, in: items) { $0?.count }
      #expect(found == 3)
      let missing = try environment.lookup([UInt8]("l").span, in: items) { $0?.count }
      #expect(missing == nil)
    }
  }

  @Test func `a table unknown to the file is nil and a bad name is refused`() throws {
    try withScratchFolder { folder in
      let (environment, _) = try makeEnvironment(folder + "/env")
      #expect(try environment.table(named: "nothing") == nil)
      for name in ["", "a\0b", String(repeating: "x", count: 512)] {
        #expect(storageCode { try environment.table(named: name) } == .invalidTableName)
      }
    }
  }
}
