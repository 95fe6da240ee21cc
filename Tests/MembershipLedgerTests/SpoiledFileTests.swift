import FoundationEssentials
import LedgerTestSupport
import MembershipLedger
import Testing

/// Files of a ledger that are not what they should be from the first byte on: damage, for the
/// folder says that it is a ledger.
@Suite struct SpoiledFileTests {
  enum Spoiling: String, CaseIterable, Sendable {
    case emptied, garbage, text, cutToOnePage, cutToTwoPages, removed, exchanged, folder
    case firstMetaPage, bothMetaPages

    /// Does it to a data file, of which `other` is another ledger's.
    func apply(to path: String, other: String) throws {
      let manager = FileManager.default
      switch self {
      case .emptied: try write([], path)
      case .garbage: try write((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 167) }, path)
      case .text: try write(Array("text\n".utf8), path)
      case .cutToOnePage: try write(Array(try bytes(path).prefix(4096)), path)
      case .cutToTwoPages: try write(Array(try bytes(path).prefix(8192)), path)
      case .removed: try manager.removeItem(atPath: path)
      case .exchanged: try write(bytes(other), path)
      case .folder:
        try manager.removeItem(atPath: path)
        try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .firstMetaPage: try write(zeroed(try bytes(path), [0]), path)
      case .bothMetaPages: try write(zeroed(try bytes(path), [0, 4096]), path)
      }
    }

    private func bytes(_ path: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
      try Data(bytes).write(to: URL(filePath: path))
    }

    private func zeroed(_ bytes: [UInt8], _ pages: [Int]) -> [UInt8] {
      var bytes = bytes
      for page in pages {
        bytes.replaceSubrange(page..<page + 152, with: [UInt8](repeating: 0, count: 152))
      }
      return bytes
    }
  }

  private func makeLedger(_ path: String) throws {
    let ledger = try Ledger.create(path)
    try ledger.add(Make.catalogEvent())
    try ledger.add(Make.purchase("stripe:evt_1"), document: Array("{}".utf8))
  }

  @Test(arguments: Spoiling.allCases)
  func `a log that is no file of ours any more is damage`(_ spoiling: Spoiling) throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      try makeLedger(path)
      try spoiling.apply(to: path + "/log/data.mdb", other: path + "/documents/data.mdb")
      #expect(code { try Ledger.open(path) } == .damaged)
      #expect(code { try Ledger.openOrCreate(path) } == .damaged)
      #expect(
        code { try Ledger.open(path, LedgerConfiguration(isReadOnly: true)) } == .damaged)
    }
  }

  @Test(arguments: Spoiling.allCases.filter { $0 != .exchanged })
  func `so it is without documents beside it`(_ spoiling: Spoiling) throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      try makeLedger(path)
      try FileManager.default.removeItem(atPath: path + "/documents")
      try spoiling.apply(to: path + "/log/data.mdb", other: "")
      #expect(code { try Ledger.open(path) } == .damaged)
    }
  }

  @Test func `a log that is gone while its documents are there is damage`() throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      try makeLedger(path)
      try FileManager.default.removeItem(atPath: path + "/log")
      #expect(code { try Ledger.open(path) } == .damaged)
    }
  }

  @Test(arguments: Spoiling.allCases)
  func `documents that are no file of ours any more are damage, and the log answers all the same`(
    _ spoiling: Spoiling
  ) throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      try makeLedger(path)
      try spoiling.apply(to: path + "/documents/data.mdb", other: path + "/log/data.mdb")
      let ledger = try Ledger.open(path)
      let event = try #require(try ledger.event("stripe:evt_1"))
      #expect(try ledger.decision(for: "stripe:cus_1", on: "premium", at: day(2)).isEntitled)
      #expect(code { try ledger.document(of: event) } == .damaged)
      let statistics = try ledger.statistics()
      #expect(statistics.events == 2 && statistics.documents == nil)
      #expect(statistics.documentsFault != nil)
      #expect(code { try ledger.add(Make.purchase("stripe:evt_2"), document: [1]) } == .damaged)
      #expect(try ledger.verify().differences.contains { $0.hasPrefix("documents: ") })
      #expect(try ledger.lastPosition() == 2)
    }
  }

  @Test func `documents whose folder was emptied were removed`() throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      try makeLedger(path)
      for name in ["data.mdb", "lock.mdb"] {
        try FileManager.default.removeItem(atPath: "\(path)/documents/\(name)")
      }
      let ledger = try Ledger.open(path)
      #expect(try ledger.statistics().documents == nil)
      #expect(try ledger.verify().missingDocuments == 1)
      try ledger.add(Make.purchase("stripe:evt_2"), document: [1])
      #expect(try ledger.statistics().documents == 1)
    }
  }
}
