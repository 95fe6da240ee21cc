import LedgerCrypto
import LedgerTestSupport
import MembershipLedger
import Testing

/// The root over the log's records, computed anew from their bytes.
@Suite struct MerkleTests {
  /// The definition of RFC 6962, word for word.
  private static func root(of records: ArraySlice<[UInt8]>) -> [UInt8] {
    if records.isEmpty { return SHA256.hash([UInt8]()).bytes }
    if records.count == 1 { return SHA256.hash([0] + (records.first ?? [])).bytes }
    var half = 1
    while half * 2 < records.count { half *= 2 }
    let middle = records.startIndex + half
    return SHA256.hash([1] + root(of: records[..<middle]) + root(of: records[middle...])).bytes
  }

  @Test func `the root is that of the stored bytes, for every size the log ever had`() throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      var history = RandomHistory(seed: 11)
      var roots = [try ledger.statistics().root]
      for _ in 1...20 {
        try ledger.add(history.event())
        roots.append(try ledger.statistics().root)
      }
      try ledger.rebuild()
      let records = try LogFile(folder + "/ledger").rows(of: "log")
        .map { Array($0.value.dropFirst(32)) }
      for (size, root) in roots.enumerated() {
        #expect(Hexadecimal.encode(Self.root(of: records[..<size])) == root)
        #expect(try ledger.replay(until: .position(Position(UInt64(size)))).root == root)
      }
      #expect(try ledger.verify().root == roots.last)
      #expect(Set(roots).count == roots.count)
    }
  }

  @Test func `each record is proven to be in the log, and each log to continue the former`() throws
  {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      var history = RandomHistory(seed: 13)
      try ledger.add(all: history.events(13))
      let rows = try LogFile(folder + "/ledger").rows(of: "log")
      let leaves = try rows.map { try #require(Digest(bytes: Array($0.value.prefix(32)))) }
      let records = rows.map { Array($0.value.dropFirst(32)) }
      let roots = try (0...13).map { size in
        try #require(Digest(bytes: Self.root(of: records[..<size])))
      }
      #expect(try ledger.statistics().root == roots[13].description)
      for index in 0..<13 as Range<UInt64> {
        let proof = MerkleTree.inclusionProof(ofLeafAt: index, inTreeOfSize: 13) {
          leaves[Int($0)]
        }
        #expect(
          MerkleTree.verifyInclusion(
            ofLeafHash: leaves[Int(index)], at: index, inTreeOfSize: 13, root: roots[13],
            proof: proof))
      }
      for size in 1...13 as ClosedRange<UInt64> {
        let proof = MerkleTree.consistencyProof(fromSize: size, toSize: 13) { leaves[Int($0)] }
        #expect(
          MerkleTree.verifyConsistency(
            fromSize: size, root: roots[Int(size)], toSize: 13, root: roots[13], proof: proof))
      }
    }
  }

  @Test func `the stored leaf of each record is its hash, and the record's own encoding`() throws {
    try withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      var history = RandomHistory(seed: 12)
      try ledger.add(all: history.events(20))
      let rows = try LogFile(folder + "/ledger").rows(of: "log")
      let events = try ledger.events()
      for (row, event) in zip(rows, events) {
        let record = Array(row.value.dropFirst(32))
        #expect(Array(row.value.prefix(32)) == SHA256.hash([0] + record).bytes)
        #expect(event.encoded() == record)
        #expect(event.event.encoded().count < record.count)
      }
      #expect(rows.count == 20)
    }
  }
}
