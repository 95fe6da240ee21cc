import FoundationEssentials
import LedgerStorage
import LedgerTestSupport
import Testing

/// What becomes of files that are not what they should be.
@Suite struct DamageTests {
  /// A closed environment of 2,000 rows; the path of its data file.
  private func makeFile(_ folder: String) throws -> (environment: String, data: String) {
    let path = folder + "/env"
    let (environment, items) = try makeEnvironment(path)
    try environment.write { (txn) throws(StorageError) in
      for number in 0..<2000 as Range<UInt64> {
        let key = bigEndian(number)
        let value = [UInt8](repeating: UInt8(number & 255), count: 40)
        try txn.put(value.span, for: key.span, in: items)
      }
      let long = [UInt8](repeating: 9, count: 30_000)
      try txn.put(long.span, for: [0xff].span, in: items)
    }
    return (path, path + "/data.mdb")
  }

  private func rewrite(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    change(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }

  private func openingCode(_ path: String) -> StorageError.Code? {
    storageCode { try StorageEnvironment.open(path, testOptions()) }
  }

  @Test func `a path without an environment is refused, each kind in its own way`() throws {
    try withScratchFolder { folder in
      #expect(openingCode(folder + "/none") == .notFound)
      #expect(openingCode(folder) == .notAnEnvironment)
      try Data([1]).write(to: URL(filePath: folder + "/file"))
      #expect(openingCode(folder + "/file") == .notAnEnvironment)
    }
  }

  @Test func `an empty data file is refused, not taken for a new environment`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) { $0 = [] }
      #expect(openingCode(path) == .emptyFile)
    }
  }

  @Test func `a file of other content is refused`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      var generator = SeededGenerator(seed: 1)
      try rewrite(data) { bytes in
        bytes = (0..<65_536).map { _ in UInt8.random(in: 0...255, using: &generator) }
      }
      #expect(openingCode(path) == .notAnEnvironment)
      try rewrite(data) { $0 = [UInt8]("text\n") }
      #expect(openingCode(path) == .notAnEnvironment)
    }
  }

  @Test(arguments: [4096, 8192, 40_960])
  func `a file cut short is refused`(_ length: Int) throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) { $0.removeLast($0.count - length) }
      #expect(openingCode(path) == (length == 4096 ? .notAnEnvironment : .fileTooShort))
    }
  }

  @Test func `a file that lacks its last page is refused`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) { $0.removeLast(4096) }
      #expect(openingCode(path) == .fileTooShort)
    }
  }

  @Test func `a file that is short by pages never used opens`() throws {
    try withScratchFolder { folder in
      let path = folder + "/env"
      do {
        let (environment, items) = try makeEnvironment(path)
        // Free pages of earlier commits, so that LMDB has its list of them at hand.
        for _ in 0..<3 { try environment.put("kept", for: "key", in: items) }
        try environment.write { (txn) throws(StorageError) in
          let long = [UInt8](repeating: 9, count: 4_000_000)
          try txn.put(long.span, for: [1].span, in: items)
          try txn.delete([1].span, in: items)
        }
        let used = try environment.statistics().usedBytes
        let written = try Data(contentsOf: URL(filePath: path + "/data.mdb")).count
        #expect(written < used, "LMDB wrote pages it does not need; the test shows nothing")
      }
      let environment = try StorageEnvironment.open(path, testOptions())
      #expect(try environment.text(for: "key", in: itemsTable(of: environment)) == "kept")
      #expect(try environment.structureFaults() == [])
    }
  }

  @Test func `a destroyed meta page is refused`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) { $0.replaceSubrange(16..<20, with: [0, 0, 0, 0]) }
      #expect(openingCode(path) == .notAnEnvironment)
    }
  }

  @Test func `a file of another LMDB format is refused`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) { bytes in
        bytes[20] = 77
        bytes[4096 + 20] = 77
      }
      #expect(openingCode(path) == .newerFormat)
    }
  }

  @Test(arguments: [20, 4096 + 20])
  func `a format that one meta page alone has is damage`(_ offset: Int) throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) { $0[offset] = 77 }
      #expect(openingCode(path) == .damaged)
    }
  }

  @Test func `a page size of nonsense is damage`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) { $0.replaceSubrange(40..<44, with: [1, 2, 3, 4]) }
      #expect(openingCode(path) == .damaged)
    }
  }

  @Test func `a last page far beyond the file is damage, not a walk without end`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      let whole = [UInt8](try Data(contentsOf: URL(filePath: data)))
      for byte in 138..<144 {
        try rewrite(data) { bytes in
          bytes = whole
          for page in [0, 4096] { bytes[page + byte] ^= 0x40 }
        }
        #expect([.fileTooShort, .damaged].contains(openingCode(path)))
      }
    }
  }

  @Test(arguments: [0, 4096])
  func `a commit's number that is not next to the other's is damage`(_ meta: Int) throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      let whole = [UInt8](try Data(contentsOf: URL(filePath: data)))
      // Two more or less, which is bit 1, may be next to the other one as well.
      for bit in 0..<64 where bit != 1 {
        try rewrite(data) { bytes in
          bytes = whole
          bytes[meta + 144 + bit / 8] ^= 1 << (bit % 8)
        }
        #expect(openingCode(path) == .damaged, "bit \(bit)")
      }
    }
  }

  @Test(arguments: [44, 92])
  func `flags that ask for another order of keys are damage`(_ offset: Int) throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      let whole = [UInt8](try Data(contentsOf: URL(filePath: data)))
      for flag in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40] as [UInt8] {
        try rewrite(data) { bytes in
          bytes = whole
          for page in [0, 4096] { bytes[page + offset] ^= flag }
        }
        #expect(openingCode(path) == .damaged)
      }
    }
  }

  @Test(arguments: [0, 4096])
  func `meta pages whose trees are zeroed are refused`(_ offset: Int) throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) {
        $0.replaceSubrange(offset + 40..<offset + 136, with: [UInt8](repeating: 0, count: 96))
      }
      #expect(openingCode(path) == .damaged)
    }
  }

  @Test func `a root page of nonsense is refused`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      try rewrite(data) { bytes in
        for offset in [0, 4096] {
          let root = bytes[offset + 128..<offset + 136].reversed().reduce(0) { $0 << 8 | Int($1) }
          guard root < bytes.count / 4096 else { continue }
          bytes.replaceSubrange(
            root * 4096..<(root + 1) * 4096, with: [UInt8](repeating: 0xa5, count: 4096))
        }
      }
      #expect(openingCode(path) == .damaged)
    }
  }

  @Test func `any page but the roots zeroed is found without touching the map`() throws {
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      let whole = [UInt8](try Data(contentsOf: URL(filePath: data)))
      var found = 0
      for page in 2..<whole.count / 4096 {
        try rewrite(data) { bytes in
          bytes = whole
          bytes.replaceSubrange(
            page * 4096..<(page + 1) * 4096, with: [UInt8](repeating: 0, count: 4096))
        }
        do {
          let environment = try StorageEnvironment.open(path, testOptions())
          if try !environment.structureFaults().isEmpty { found += 1 }
        } catch let error as StorageError where error.code == .damaged {
          found += 1
        }
      }
      // What may stay unfound: free pages, and the later pages of the long value.
      #expect(found >= whole.count / 4096 - 2 - 16)
    }
  }

  @Test func `random damage never crashes the check of the structure`() throws {
    var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    print("seed \(generator.seed)")
    try withScratchFolder { folder in
      let (path, data) = try makeFile(folder)
      let whole = [UInt8](try Data(contentsOf: URL(filePath: data)))
      for _ in 0..<200 {
        try rewrite(data) { bytes in
          bytes = whole
          for _ in 0..<8 {
            // Headers and node tables are where damage hurts.
            let page = Int.random(in: 2..<bytes.count / 4096, using: &generator)
            bytes[page * 4096 + Int.random(in: 0..<64, using: &generator)] =
              UInt8.random(in: 0...255, using: &generator)
          }
        }
        do {
          let environment = try StorageEnvironment.open(path, testOptions())
          _ = try environment.structureFaults()
        } catch let error as StorageError {
          #expect([.damaged, .wrongApplication].contains(error.code))
        }
      }
    }
  }

  @Test func `a random lock file does no harm`() throws {
    try withScratchFolder { folder in
      let (path, _) = try makeFile(folder)
      try Data([UInt8](repeating: 0xa5, count: 8192)).write(to: URL(filePath: path + "/lock.mdb"))
      let environment = try StorageEnvironment.open(path, testOptions())
      #expect(try environment.structureFaults() == [])
    }
  }

  @Test func `the structure of whatever was written is sound`() throws {
    var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    print("seed \(generator.seed)")
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      for round in 0..<60 {
        try environment.write { (txn) throws(StorageError) in
          let other = try txn.createTable(named: "round \(round % 3)")
          for _ in 0..<80 {
            let key = [UInt8](String(UInt32.random(in: 0...2000, using: &generator)))
            let table = Bool.random(using: &generator) ? items : other
            if Int.random(in: 0..<3, using: &generator) == 0 {
              try txn.delete(key.span, in: table)
            } else {
              let length = Int.random(in: 0...(round % 7 == 0 ? 9000 : 300), using: &generator)
              let value = [UInt8](repeating: 1, count: length)
              try txn.put(value.span, for: key.span, in: table)
            }
          }
          if round % 10 == 9 { try txn.dropTable(other) }
        }
        let faults = try environment.structureFaults()
        #expect(faults == [])
      }
    }
  }
}
