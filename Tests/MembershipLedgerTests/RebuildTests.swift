import LedgerCrypto
import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

@Suite struct RebuildTests {
  /// Writes down that the code of another version made the projections, and spoils them.
  private func spoil(_ path: String, asOf version: UInt8) throws {
    let file = try LogFile(path)
    var head = try file.rows(of: "head")[0]
    #expect(head.value[28...31] == [0, 0, 0, 4])
    head.value[31] = version
    head.value.removeLast(32)
    head.value += SHA256.hash(head.value).bytes
    try file.put(head.value, for: head.key, in: "head")
    for row in try file.rows(of: "access.0") { try file.delete(row.key, in: "access.0") }
  }

  @Test(arguments: [3, 5])
  func `projections of an older or a newer version are rebuilt at opening`(
    version: UInt8
  ) throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      do {
        let ledger = try Ledger.create(path)
        try ledger.add(Make.catalogEvent())
        try ledger.add(Make.purchase("stripe:evt_1"))
      }
      try spoil(path, asOf: version)
      #expect(
        code { try Ledger.open(path, LedgerConfiguration(isReadOnly: true)) } == .readOnly)
      let ledger = try Ledger.open(path)
      let premium = try ledger.entitlement("premium")
      #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      try expectSound(ledger)
      #expect(try LogFile(path).rows(of: "access.0").isEmpty)
      #expect(try LogFile(path).rows(of: "access.1").count == 1)
    }
  }

  @Test func `rebuilds one after the other change nothing but the generation`() throws {
    try withLedger { ledger in
      var history = RandomHistory(seed: 3)
      try ledger.add(all: history.events(40))
      let before = try ledger.replay()
      for round in 0..<5 {
        #expect(try ledger.rebuild() == ledger.lastPosition())
        try ledger.add(history.event())
        try expectChecksAgree(ledger, "round \(round)")
      }
      #expect(try ledger.replay(until: .position(40)).digest == before.digest)
      try expectSound(ledger)
    }
  }

  @Test func `a rebuild tells how far it is`() throws {
    try withLedger { ledger in
      try ledger.add(all: (1...2500).map(AppendTests.note))
      var told: [UInt64] = []
      try ledger.rebuild { done, all in
        told.append(done)
        #expect(all == 2500)
      }
      #expect(told == [1000, 2000])
    }
  }
}

@Suite struct DocumentTests {
  @Test func `a document is kept beside the log and found by its event`() throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      let documents = (1...3).map { Array("{\"number\": \($0)}".utf8) }
      for (index, document) in documents.enumerated() {
        try ledger.add(AppendTests.note(index), document: document)
      }
      try ledger.add(AppendTests.note(10))
      #expect(try ledger.statistics().documents == 3)
      for (event, document) in zip(try ledger.events(), documents) {
        #expect(try ledger.document(of: event) == document)
      }
      #expect(try ledger.document(of: ledger.events()[3]) == nil)
      // One document behind two events is kept once.
      try ledger.add(AppendTests.note(11), document: documents[0])
      #expect(try ledger.statistics().documents == 3)
      try expectSound(ledger)
    }
  }

  @Test func `the digest in the log tells nobody without the salt which document it was`() throws {
    try withScratchFolder { folder in
      let digests = try ["a", "b"].map { name in
        let ledger = try Ledger.create(folder + "/" + name)
        try ledger.add(AppendTests.note(1), document: Array("{}".utf8))
        return try #require(try ledger.events().first).event.provenance.document
      }
      #expect(digests[0] != digests[1])
      #expect(digests.map(\.count) == [32, 32])
    }
  }

  @Test func `PEER-67: documents may be removed, which is counted; no event ever is`() throws {
    try withScratchFolder { folder in
      let path = folder + "/ledger"
      do {
        let ledger = try Ledger.create(path)
        try ledger.add(Make.catalogEvent())
        try ledger.add(Make.purchase("stripe:evt_1"), document: Array("{}".utf8))
      }
      try FileSystem.removeFolder(path + "/documents")
      for isReadOnly in [true, false] {
        let ledger = try Ledger.open(path, LedgerConfiguration(isReadOnly: isReadOnly))
        #expect(try ledger.verify().missingDocuments == 1)
        #expect(try ledger.statistics().documents == nil)
        try expectSound(ledger)
        let premium = try ledger.entitlement("premium")
        #expect(try ledger.isEntitled("stripe:cus_1", to: premium, at: day(2)))
      }
      let ledger = try Ledger.open(path)
      try ledger.add(AppendTests.note(9), document: Array("{}".utf8))
      #expect(try ledger.statistics().documents == 1)
      #expect(try ledger.verify().missingDocuments == 1)
    }
  }

  @Test func `without documents nothing is kept of them`() throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(
        folder + "/ledger", LedgerConfiguration(keepsDocuments: false))
      try ledger.add(AppendTests.note(1), document: Array("{}".utf8))
      let event = try #require(try ledger.events().first)
      #expect(event.event.provenance.document.isEmpty)
      #expect(try ledger.document(of: event) == nil)
      #expect(try FileSystem.status(of: folder + "/ledger/documents") == nil)
    }
  }
}
