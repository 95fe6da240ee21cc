import Dispatch
import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct ReaderTests {
  /// Runs `body` inside so many nested reads.
  private func nested(
    _ depth: Int, _ environment: StorageEnvironment, _ body: () throws -> Void
  ) throws {
    guard depth > 0 else { return try body() }
    try environment.read { (_) throws in try nested(depth - 1, environment, body) }
  }

  @Test func `a full reader table is an error that passes when reads end`() throws {
    try withScratchFolder { folder in
      let options = testOptions { $0.maximumReaders = 4 }
      let (environment, items) = try makeEnvironment(folder + "/env", options)
      let slots = try environment.statistics().maximumReaders
      try nested(slots, environment) {
        #expect(storageCode { try environment.text(for: "k", in: items) } == .readersFull)
      }
      #expect(try environment.text(for: "k", in: items) == nil)
    }
  }

  @Test func `short reads of many threads keep few slots`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      let group = DispatchGroup()
      for _ in 0..<300 {
        DispatchQueue.global().async(group: group) {
          #expect(throws: Never.self) { try environment.text(for: "k", in: items) }
        }
      }
      group.wait()
      #expect(try environment.statistics().readerSlots <= 64)
    }
  }

  @Test func `the lag of the oldest read shows and ends with it`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.read { (_) throws in
        for number in 0..<7 { try environment.put("v", for: "\(number)", in: items) }
        #expect(try environment.statistics().oldestReaderLag == 7)
      }
      #expect(try environment.statistics().oldestReaderLag == 0)
    }
  }

  @Test func `nothing stays pinned between lookups, so the file does not grow`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      var sizes: [Int] = []
      for round in 0..<600 {
        try environment.put("\(round)", for: "k", in: items)
        _ = try environment.lookup([UInt8]("k").span, in: items) { $0?.count }
        if round % 200 == 199 { sizes.append(try environment.statistics().usedBytes) }
      }
      #expect(Set(sizes).count == 1)
    }
  }

  @Test func `a table made after a read began is missing in it`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.read { (txn) throws in
        let late = try environment.write { (txn) throws(StorageError) in
          try txn.createTable(named: "late")
        }
        #expect(storageCode { try txn.value(for: [1].span, in: late) } == .tableMissing)
        #expect(try txn.value(for: [1].span, in: items) == nil)
      }
    }
  }
}
