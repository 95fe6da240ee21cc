import LedgerStorage
import LedgerTestSupport
import Testing

@Suite struct TransactionTests {
  @Test func `a read sees what a write committed`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.put("one", for: "a", in: items)
      #expect(try environment.text(for: "a", in: items) == "one")
      #expect(try environment.text(for: "b", in: items) == nil)
    }
  }

  @Test func `a body that throws changes nothing and its error comes through`() throws {
    struct Refusal: Error {}
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      do {
        try environment.write { (txn) throws(Refusal) in
          do {
            try txn.put([1].span, for: [1].span, in: items)
          } catch {
            Issue.record(error)
          }
          throw Refusal()
        }
        Issue.record("nothing was thrown")
      } catch TransactionError<Refusal>.body {
      }
      #expect(
        try environment.read { (txn) throws(StorageError) in try txn.count(of: items) } == 0)
    }
  }

  @Test func `what was committed is there after closing and opening again`() throws {
    try withScratchFolder { folder in
      do {
        let (environment, items) = try makeEnvironment(folder + "/env")
        try environment.put("kept", for: "key", in: items)
      }
      let environment = try StorageEnvironment.open(folder + "/env", testOptions())
      #expect(try environment.text(for: "key", in: itemsTable(of: environment)) == "kept")
    }
  }

  @Test func `a write sees its own changes`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.write { (txn) throws(StorageError) in
        try txn.put([7].span, for: [1].span, in: items)
        #expect(try txn.reader.value(for: [1].span, in: items) == [7])
        #expect(try txn.delete([1].span, in: items))
        #expect(try !txn.delete([1].span, in: items))
        #expect(try !txn.reader.contains([1].span, in: items))
      }
    }
  }

  @Test func `an open read keeps its snapshot and nested reads see newer ones`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.read { (outer) throws in
        let before = outer.id
        try environment.put("new", for: "k", in: items)
        #expect(try outer.value(for: [UInt8]("k").span, in: items) == nil)
        try environment.read { (inner) throws in
          #expect(inner.id == before + 1)
          #expect(try inner.value(for: [UInt8]("k").span, in: items) == [UInt8]("new"))
        }
      }
      #expect(environment.lastTransactionID == 2)
    }
  }

  @Test func `an empty value is stored and found`() throws {
    try withScratchFolder { folder in
      let (environment, items) = try makeEnvironment(folder + "/env")
      try environment.put("", for: "k", in: items)
      #expect(try environment.text(for: "k", in: items) == "")
    }
  }
}
