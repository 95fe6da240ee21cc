import FoundationEssentials
import LedgerTestSupport
import MembershipLedger
import Testing

/// What a verification finds, and that damage in one part keeps no other from being checked.
@Suite struct VerificationTests {
  private func withLedger(_ body: (String) throws -> Void) throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      do {
        let ledger = try Ledger.create(path)
        try ledger.add(Make.catalogEvent())
        try ledger.add(Make.purchase("stripe:evt_1"), document: Array("{}".utf8))
        try ledger.add(Make.purchase("stripe:evt_2", days(31, 61), invoice: "stripe:in_2"))
      }
      try body(path)
    }
  }

  private static let headKey = Array("head".utf8)

  private func head(_ path: String) throws -> [UInt8] {
    try #require(try LogFile(path).rows(of: "head").first).value
  }

  private func setHead(_ row: [UInt8], _ path: String) throws {
    try LogFile(path).put(row, for: Self.headKey, in: "head")
  }

  @Test func `damaged documents keep neither log nor projections from being verified`() throws {
    try withLedger { path in
      let sound = try Ledger.verify(path)
      #expect(sound.isSound && sound.events == 3 && sound.rows > 0)
      try Data("text".utf8).write(to: URL(filePath: path + "/documents/data.mdb"))
      for report in [try Ledger.verify(path), try Ledger.open(path).verify()] {
        #expect(report.differences.count == 1)
        #expect(report.differences.first?.hasPrefix("documents: ") == true)
        #expect(report.events == 3 && report.rows == sound.rows)
        #expect(report.root == sound.root && report.digest == sound.digest)
        #expect(report.missingDocuments == 0)
      }
    }
  }

  @Test func `one damaged document is a finding beside a verified log`() throws {
    try withLedger { path in
      let file = URL(filePath: path + "/documents/data.mdb")
      var bytes = [UInt8](try Data(contentsOf: file))
      let key = try #require(
        try Ledger.open(path).event("stripe:evt_1")?.event.provenance.document)
      // Behind each copy of the key lies the compressed document.
      for place in bytes.indices where bytes[place...].starts(with: key) {
        bytes[place + key.count + 9] ^= 0xff
      }
      try Data(bytes).write(to: file)
      let report = try Ledger.verify(path)
      #expect(report.differences.count == 1)
      #expect(report.differences.first?.hasPrefix("documents: that of position 2: ") == true)
      #expect(report.events == 3 && !report.digest.isEmpty)
    }
  }

  @Test func `a head with any byte changed is damage, and the records are verified`() throws {
    try withLedger { path in
      let sound = try Ledger.verify(path)
      let row = try head(path)
      for index in row.indices {
        var damaged = row
        damaged[index] ^= UInt8(1 << (index % 8))
        try setHead(damaged, path)
        for isReadOnly in [true, false] {
          #expect(
            code { try Ledger.open(path, LedgerConfiguration(isReadOnly: isReadOnly)) } == .damaged,
            "byte \(index)")
        }
        let report = try Ledger.verify(path)
        #expect(report.differences.count == 1 && report.differences[0].hasPrefix("head: "))
        #expect(report.events == 3 && report.root == sound.root, "byte \(index)")
      }
      try setHead(row, path)
      #expect(try Ledger.verify(path) == sound)
    }
  }

  @Test func `a head from before heads had a hash is read, with a version of that time`() throws {
    try withLedger { path in
      let row = try head(path).dropLast(32)
      // The version is the second number of four bytes behind three of eight.
      for (version, isSound) in [(0, false), (1, true), (2, true), (3, false)] as [(UInt8, Bool)] {
        var old = Array(row)
        old[31] = version
        try setHead(old, path)
        let report = try Ledger.verify(path)
        #expect(report.isSound == isSound, "version \(version)")
        #expect(report.foreignProjections == (isSound ? UInt32(version) : nil))
      }
    }
  }

  @Test func `a table of projections that is damaged keeps the records verified`() throws {
    try withLedger { path in
      let sound = try Ledger.verify(path)
      let file = LogFile.dataPath(path)
      for name in ["access.0", "entities.0", "ids"] {
        let whole = try Data(contentsOf: URL(filePath: file))
        var bytes = whole
        // The number of entries, which opening does not compare with those there are.
        for place in LogFile.tables(named: name, in: Array(bytes)) { bytes[place + 32] ^= 1 }
        try bytes.write(to: URL(filePath: file))
        let report = try Ledger.verify(path)
        #expect(report.differences.count == 1, "\(report.differences)")
        #expect(report.differences.first?.hasPrefix("log: table \(name): ") == true)
        #expect(report.events == 3 && report.root == sound.root)
        try whole.write(to: URL(filePath: file))
      }
    }
  }

  @Test(arguments: ["log", "ids", "head", "entities.0", "access.0", "changes.0"])
  func `a table whose root page is spoiled is refused for use, and all else is verified`(
    _ name: String
  ) throws {
    try withLedger { path in
      let sound = try Ledger.verify(path)
      let file = URL(filePath: LogFile.dataPath(path))
      var bytes = [UInt8](try Data(contentsOf: file))
      let root = try LogFile.root(of: name, in: bytes)
      for place in root * 4096..<root * 4096 + 4096 { bytes[place] ^= 0xff }
      try Data(bytes).write(to: file)
      let report = try Ledger.verify(path)
      #expect(report.differences.first?.hasPrefix("log: table \(name): ") == true)
      #expect(report.events == (name == "log" ? 0 : sound.events))
      #expect(report.root == (name == "log" ? "" : sound.root))
      #expect(code { try Ledger.open(path) } == .damaged)
    }
  }

  /// The bytes that LMDB reads before it knows which table is wanted: both meta pages and the pages
  /// that hold the tree of tables, among them the marker.
  private func headBytes(_ bytes: [UInt8]) -> [Int] {
    let pages = Set(
      ["log", "ids", "head"].flatMap { LogFile.tables(named: $0, in: bytes) }.map { $0 / 4096 })
    return Array(0..<152) + Array(4096..<4096 + 152)
      + pages.sorted().flatMap { page in
        (page * 4096..<(page + 1) * 4096).filter { bytes[$0] != 0 }
      }
  }

  @Test(arguments: [0x01, 0x80, 0xff] as [UInt8])
  func `any byte changed where all trees begin is damage or does no harm`(_ mask: UInt8) throws {
    try withLedger { path in
      let file = URL(filePath: LogFile.dataPath(path))
      let whole = [UInt8](try Data(contentsOf: file))
      let premium: EntitlementKey = "premium"
      for place in headBytes(whole) {
        var bytes = whole
        bytes[place] ^= mask
        try Data(bytes).write(to: file)
        let configuration = LedgerConfiguration(isReadOnly: true)
        let uses: [() throws -> Void] = [
          { _ = try Ledger.verify(path) },
          { _ = try Ledger.open(path, configuration).statistics() },
          {
            _ = try Ledger.open(path, configuration)
              .decision(for: "stripe:cus_1", on: premium, at: day(2))
          },
        ]
        for use in uses {
          do {
            try use()
          } catch let error as LedgerError {
            #expect(error.code == .damaged, "byte \(place): \(error)")
          }
        }
      }
    }
  }
}
