import LedgerCrypto
import LedgerTestSupport
import Testing

struct MerkleProofTests {
  @Test func `the prefixes of leaves and nodes are those of RFC 6962`() {
    #expect(
      MerkleTree.leafHash(of: Array("L123456".utf8)).description
        == "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56")
    let left = SHA256.hash([1])
    let right = SHA256.hash([2])
    #expect(MerkleTree.nodeHash(left, right) == SHA256.hash([1] + left.bytes + right.bytes))
    #expect(MerkleTree.emptyRoot == SHA256.hash([]))
  }

  /// All of `range` in small trees; in larger ones the last and every seventh, from a changing start.
  private func parts(of range: ClosedRange<Int>, treeSize: Int) -> [Int] {
    range.filter { part in
      treeSize <= 34 || part == range.upperBound || (part + treeSize).isMultiple(of: 7)
    }
  }

  @Test func `inclusion proofs are those of the definition and hold`() {
    let leaves = leafHashes(count: 130)
    for size in 1...130 {
      let root = MerkleModel.root(leaves[..<size])
      for index in parts(of: 0...(size - 1), treeSize: size) {
        let proof = MerkleTree.inclusionProof(ofLeafAt: UInt64(index), inTreeOfSize: UInt64(size)) {
          leaves[Int($0)]
        }
        #expect(proof == MerkleModel.path(index, leaves[..<size]), "leaf \(index) of \(size)")
        #expect(
          MerkleTree.verifyInclusion(
            ofLeafHash: leaves[index], at: UInt64(index), inTreeOfSize: UInt64(size), root: root,
            proof: proof),
          "leaf \(index) of \(size)")
      }
    }
  }

  @Test func `consistency proofs are those of the definition and hold`() {
    let leaves = leafHashes(count: 130)
    let roots = (0...130).map { MerkleModel.root(leaves[..<$0]) }
    for newSize in 1...130 {
      for oldSize in parts(of: 1...newSize, treeSize: newSize) {
        let proof = MerkleTree.consistencyProof(
          fromSize: UInt64(oldSize), toSize: UInt64(newSize)
        ) { leaves[Int($0)] }
        #expect(
          proof == MerkleModel.proof(oldSize, leaves[..<newSize]), "\(oldSize) to \(newSize)")
        #expect(
          MerkleTree.verifyConsistency(
            fromSize: UInt64(oldSize), root: roots[oldSize], toSize: UInt64(newSize),
            root: roots[newSize], proof: proof),
          "\(oldSize) to \(newSize)")
      }
    }
  }

  @Test func `random larger trees have valid proofs`() {
    var generator = SeededGenerator(seed: .random(in: 0...(.max)))
    let leaves = leafHashes(count: 1_000)
    for _ in 0..<10 {
      let size = Int.random(in: 131...1_000, using: &generator)
      let part = Int.random(in: 1..<size, using: &generator)
      let root = MerkleModel.root(leaves[..<size])
      let inclusion = MerkleTree.inclusionProof(
        ofLeafAt: UInt64(part), inTreeOfSize: UInt64(size)
      ) { leaves[Int($0)] }
      #expect(
        MerkleTree.verifyInclusion(
          ofLeafHash: leaves[part], at: UInt64(part), inTreeOfSize: UInt64(size), root: root,
          proof: inclusion),
        "seed \(generator.seed): leaf \(part) of \(size)")
      let consistency = MerkleTree.consistencyProof(
        fromSize: UInt64(part), toSize: UInt64(size)
      ) { leaves[Int($0)] }
      #expect(
        MerkleTree.verifyConsistency(
          fromSize: UInt64(part), root: MerkleModel.root(leaves[..<part]), toSize: UInt64(size),
          root: root, proof: consistency),
        "seed \(generator.seed): \(part) to \(size)")
    }
  }

  @Test func `an error of the leaves' source ends the proof`() {
    struct Unreadable: Error {}
    #expect(throws: Unreadable.self) {
      try MerkleTree.inclusionProof(ofLeafAt: 0, inTreeOfSize: 2) { _ throws(Unreadable) in
        throw Unreadable()
      }
    }
  }
}
