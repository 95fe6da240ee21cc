import FoundationEssentials
import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

@Suite struct OpeningTests {
  private static func paths(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test func `what is no ledger is refused, and nothing is made of it`() throws {
    try withScratchFolder { folder in
      #expect(code { try Ledger.open(folder + "/nothing") } == .notFound)
      try FileManager.default.createDirectory(
        atPath: folder + "/empty", withIntermediateDirectories: false)
      #expect(code { try Ledger.open(folder + "/empty") } == .notFound)
      #expect(try Self.paths(folder) == ["empty"])
      #expect(FileManager.default.createFile(atPath: folder + "/empty/a", contents: Data()))
      #expect(code { try Ledger.create(folder + "/empty") } == .alreadyExists)
      #expect(code { try Ledger.openOrCreate(folder + "/empty") } == .alreadyExists)
      _ = try Ledger.create(folder + "/ledger")
      #expect(code { try Ledger.create(folder + "/ledger") } == .alreadyExists)
      #expect(code { try Ledger.open(folder + "/ledger/log") } == .notFound)
    }
  }

  @Test func `a file and an environment of others are no ledger`() throws {
    try withScratchFolder { folder in
      #expect(FileManager.default.createFile(atPath: folder + "/file", contents: Data([1])))
      #expect(code { try Ledger.open(folder + "/file") } == .notALedger)
      #expect(code { try Ledger.openOrCreate(folder + "/file") } == .notALedger)
      try FileManager.default.createDirectory(
        atPath: folder + "/foreign", withIntermediateDirectories: false)
      _ = try StorageEnvironment.create(
        folder + "/foreign/log", EnvironmentOptions(application: "other", formatVersion: 1)
      ) { (_) throws(StorageError) in }
      #expect(code { try Ledger.open(folder + "/foreign") } == .notALedger)
      #expect(code { try Ledger.open(folder + "/foreign/log") } == .notFound)
      try FileManager.default.createDirectory(
        atPath: folder + "/plain/log", withIntermediateDirectories: true)
      try FileManager.default.createDirectory(
        atPath: folder + "/plain/documents", withIntermediateDirectories: true)
      #expect(code { try Ledger.open(folder + "/plain") } == .notALedger)
    }
  }

  @Test func `a creation that was killed is not in the way of the next`() throws {
    try withScratchFolder { folder in
      let draft = folder + "/ledger/log.creating-1-2"
      try FileManager.default.createDirectory(
        atPath: draft, withIntermediateDirectories: true)
      #expect(code { try Ledger.open(folder + "/ledger") } == .notFound)
      let ledger = try Ledger.openOrCreate(folder + "/ledger")
      try ledger.add(Make.catalogEvent())
      try expectSound(ledger)
    }
  }

  @Test func `a ledger open for reading answers and refuses every write`() throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      do {
        let ledger = try Ledger.create(path)
        try ledger.add(Make.catalogEvent())
        try ledger.add(Make.purchase("stripe:evt_1"))
      }
      let ledger = try Ledger.open(path, LedgerConfiguration(isReadOnly: true))
      #expect(
        try ledger.isEntitled("stripe:cus_1", to: ledger.entitlement("premium"), at: day(2)))
      #expect(code { try ledger.add(Make.purchase("stripe:evt_2")) } == .readOnly)
      #expect(
        code { try ledger.add(Make.purchase("stripe:evt_2"), document: [1]) } == .readOnly)
      #expect(code { try ledger.rebuild() } == .readOnly)
      try expectSound(ledger)
      #expect(try Self.paths(path) == ["log"])
    }
  }

  @Test func `two openings in one process share one ledger`() throws {
    try withScratchFolder { folder in
      let first = try Ledger.create(folder + "/ledger")
      let second = try Ledger.open(folder + "/./ledger")
      try first.add(Make.catalogEvent())
      let premium = try second.entitlement("premium")
      try second.add(Make.purchase("stripe:evt_1"))
      #expect(try first.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      try first.rebuild()
      #expect(try second.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      try second.rebuild()
      try second.add(Make.purchase("stripe:evt_2"))
      #expect(try first.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      try expectSound(first)
      try expectSound(second)
    }
  }

  @Test func `a backup is a ledger of its own with the same root and answers`() throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      try ledger.add(Make.catalogEvent())
      try ledger.add(Make.purchase("stripe:evt_1"), document: Array("{}".utf8))
      try ledger.backup(to: folder + "/backup")
      try ledger.add(Make.purchase("stripe:evt_2"))
      let copy = try Ledger.open(folder + "/backup")
      #expect(try copy.lastPosition() == 2)
      let event = try #require(try copy.event("stripe:evt_1"))
      #expect(try copy.document(of: event) == Array("{}".utf8))
      #expect(try copy.verify().missingDocuments == 0)
      #expect(
        try copy.replay().digest == ledger.replay(until: .position(2)).digest)
      #expect(code { try ledger.backup(to: folder + "/backup") } == .alreadyExists)
      try expectSound(copy)
    }
  }
}
