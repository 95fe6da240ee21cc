import FoundationEssentials
import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct OpeningTests {
  private func code(
    _ path: String, _ change: (inout EnvironmentOptions) -> Void
  ) -> StorageError.Code? {
    storageCode { try StorageEnvironment.open(path, testOptions(change)) }
  }

  @Test func `another application's environment and a newer format are refused`() throws {
    try withScratchFolder { folder in
      _ = try makeEnvironment(folder + "/env")
      #expect(code(folder + "/env") { $0.application = "other" } == .wrongApplication)
      #expect(code(folder + "/env") { $0.formatVersion = 2 } == .newerFormat)
      _ = try StorageEnvironment.open(folder + "/env", testOptions { $0.formatVersion = 4 })
    }
  }

  @Test func `a marker with any byte changed is damage or another application's, never newer`()
    throws
  {
    try withScratchFolder { folder in
      _ = try makeEnvironment(folder + "/env")
      let file = URL(filePath: folder + "/env/data.mdb")
      let whole = [UInt8](try Data(contentsOf: file))
      let name = Array("storage tests".utf8)
      let found = whole.indices.filter { whole[$0...].starts(with: name) }
      try #require(found.count == 1)
      let start = found[0] - 4
      let end = found[0] + name.count + 4
      for place in start..<end {
        var bytes = whole
        bytes[place] ^= 0x10
        try Data(bytes).write(to: file)
        let isNumber = place < start + 4 || place >= end - 4
        #expect(code(folder + "/env") { _ in } == (isNumber ? .damaged : .wrongApplication))
      }
    }
  }

  @Test func `create refuses a folder in use and takes an empty one`() throws {
    try withScratchFolder { folder in
      _ = try makeEnvironment(folder + "/env")
      #expect(storageCode { try makeEnvironment(folder + "/env") } == .alreadyExists)
      try FileManager.default.createDirectory(
        atPath: folder + "/empty", withIntermediateDirectories: false)
      _ = try makeEnvironment(folder + "/empty")
      try Data([1]).write(to: URL(filePath: folder + "/file"))
      #expect(storageCode { try makeEnvironment(folder + "/file") } == .alreadyExists)
    }
  }

  @Test func `a creation that fails leaves nothing behind`() throws {
    struct Refusal: Error {}
    try withScratchFolder { folder in
      do {
        _ = try StorageEnvironment.create(folder + "/env", testOptions()) { (_) throws(Refusal) in
          throw Refusal()
        }
        Issue.record("nothing was thrown")
      } catch TransactionError<Refusal>.body {
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == [])
    }
  }

  @Test(
    arguments: [
      0x6969, 0xff53_4d42, 0xfe53_4d42, 0x517b, 0x6573_5546, 0x0102_1997,
    ] as [UInt])
  func `a network file system is refused`(_ kind: UInt) throws {
    try withScratchFolder { folder in
      _ = try makeEnvironment(folder + "/env")
      #expect(
        code(folder + "/env") { $0.probes.fileSystemKind = { _ in kind } } == .networkFileSystem)
      let options = testOptions { $0.probes.fileSystemKind = { _ in kind } }
      #expect(storageCode { try makeEnvironment(folder + "/new", options) } == .networkFileSystem)
    }
  }

  @Test func `LMDB 0.9.26 to 0.9.31 are refused and no others`() throws {
    try withScratchFolder { folder in
      _ = try makeEnvironment(folder + "/env")
      for patch in 20...40 as ClosedRange<Int32> {
        let options = testOptions { $0.probes.libraryVersion = { (0, 9, patch) } }
        if (26...31).contains(patch) {
          #expect(
            storageCode { try StorageEnvironment.open(folder + "/env", options) }
              == .unsupportedLibrary)
        } else {
          _ = try StorageEnvironment.open(folder + "/env", options)
        }
      }
    }
  }

  @Test func `an environment opened for reading refuses writes`() throws {
    try withScratchFolder { folder in
      do {
        let (environment, items) = try makeEnvironment(folder + "/env")
        try environment.put("v", for: "k", in: items)
      }
      let environment = try StorageEnvironment.open(
        folder + "/env", testOptions { $0.isReadOnly = true })
      let items = try itemsTable(of: environment)
      #expect(try environment.text(for: "k", in: items) == "v")
      #expect(storageCode { try environment.put("w", for: "k", in: items) } == .readOnly)
      #expect(
        storageCode { try StorageEnvironment.open(folder + "/env", testOptions()) } == .readOnly)
    }
  }

  @Test func `a handle for reading refuses writes though it shares one that writes`() throws {
    try withScratchFolder { folder in
      let (writing, items) = try makeEnvironment(folder + "/env")
      let reading = try StorageEnvironment.open(
        folder + "/env", testOptions { $0.isReadOnly = true })
      try writing.put("v", for: "k", in: items)
      #expect(try reading.text(for: "k", in: items) == "v")
      #expect(storageCode { try reading.put("w", for: "k", in: items) } == .readOnly)
    }
  }

  @Test func `a second opening shares the environment, whatever path names it`() throws {
    try withScratchFolder { folder in
      let (first, items) = try makeEnvironment(folder + "/env")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/alias", withDestinationPath: folder + "/env")
      try first.read { (txn) throws in
        // LMDB by itself would clear the slot of this read when the second opening closes, and
        // then give its pages to writers.
        do {
          let second = try StorageEnvironment.open(folder + "/alias", testOptions())
          for number in 0..<50 { try second.put("new", for: "\(number)", in: items) }
        }
        #expect(try first.statistics().oldestReaderLag == 50)
        for number in 0..<50 { try first.put("newer", for: "\(number)", in: items) }
        #expect(try txn.count(of: items) == 0)
        #expect(try first.statistics().oldestReaderLag == 100)
      }
    }
  }

  @Test func `the default map is large and the file small`() throws {
    try withScratchFolder { folder in
      let options = EnvironmentOptions(application: "a", formatVersion: 1)
      let (environment, items) = try makeEnvironment(folder + "/env", options)
      try environment.put("v", for: "k", in: items)
      let statistics = try environment.statistics()
      #expect(statistics.mapSize == 1 << 40)
      let file = try FileManager.default.attributesOfItem(atPath: folder + "/env/data.mdb")
      #expect(try #require(file[.size] as? Int) < 1 << 20)
    }
  }
}
