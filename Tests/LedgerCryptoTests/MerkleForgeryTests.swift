import LedgerCrypto
import LedgerTestSupport
import Testing

/// Proofs with one thing wrong: none may hold.
struct MerkleForgeryTests {
  static let leaves = leafHashes(count: 20)
  static let other = SHA256.hash(Array("something else".utf8))

  static func root(_ size: UInt64) -> Digest {
    MerkleModel.root(leaves[..<Int(size)])
  }

  /// The proof with each element replaced, each left out, and one more at every place.
  static func corruptions(of proof: [Digest]) -> [[Digest]] {
    var corruptions: [[Digest]] = []
    for place in proof.indices {
      var replaced = proof
      replaced[place] = other
      var shortened = proof
      shortened.remove(at: place)
      corruptions += [replaced, shortened]
    }
    for place in 0...proof.count {
      var lengthened = proof
      lengthened.insert(other, at: place)
      corruptions.append(lengthened)
    }
    return corruptions
  }

  @Test func `an inclusion proof holds for nothing but its leaf, index, root and elements`() {
    for size in UInt64(1)...20 {
      for index in 0..<size {
        let proof = MerkleTree.inclusionProof(ofLeafAt: index, inTreeOfSize: size) {
          Self.leaves[Int($0)]
        }
        let leaf = Self.leaves[Int(index)]
        func holds(_ leaf: Digest, _ index: UInt64, _ root: Digest, _ proof: [Digest]) -> Bool {
          MerkleTree.verifyInclusion(
            ofLeafHash: leaf, at: index, inTreeOfSize: size, root: root, proof: proof)
        }
        #expect(holds(leaf, index, Self.root(size), proof))
        #expect(!holds(Self.other, index, Self.root(size), proof))
        #expect(!holds(leaf, index, Self.other, proof))
        for wrong in (0...(size + 2)).filter({ $0 != index }) + [.max] {
          #expect(!holds(leaf, wrong, Self.root(size), proof), "\(index) of \(size) at \(wrong)")
        }
        for corrupt in Self.corruptions(of: proof) {
          #expect(!holds(leaf, index, Self.root(size), corrupt), "\(index) of \(size)")
        }
      }
    }
  }

  @Test func `a consistency proof holds for nothing but its roots and elements`() {
    for newSize in UInt64(1)...20 {
      for oldSize in 1...newSize {
        let proof = MerkleTree.consistencyProof(fromSize: oldSize, toSize: newSize) {
          Self.leaves[Int($0)]
        }
        func holds(_ old: Digest, _ new: Digest, _ proof: [Digest]) -> Bool {
          MerkleTree.verifyConsistency(
            fromSize: oldSize, root: old, toSize: newSize, root: new, proof: proof)
        }
        #expect(holds(Self.root(oldSize), Self.root(newSize), proof))
        #expect(!holds(Self.other, Self.root(newSize), proof))
        #expect(!holds(Self.root(oldSize), Self.other, proof))
        for corrupt in Self.corruptions(of: proof) {
          #expect(
            !holds(Self.root(oldSize), Self.root(newSize), corrupt), "\(oldSize) to \(newSize)")
        }
      }
    }
  }

  @Test func `no proof leads from the empty tree, back in time or out of an empty proof`() {
    let small = Self.root(3)
    let large = Self.root(7)
    func holds(_ oldSize: UInt64, _ newSize: UInt64, _ proof: [Digest]) -> Bool {
      MerkleTree.verifyConsistency(
        fromSize: oldSize, root: small, toSize: newSize, root: large, proof: proof)
    }
    #expect(!holds(0, 7, []))
    #expect(!holds(0, 0, []))
    #expect(!holds(7, 3, []))
    #expect(!holds(3, 7, []))
    #expect(!holds(4, 7, []))
    #expect(!holds(3, 3, []))
  }

  @Test func `sizes at the limit do not trap`() {
    let sizes: [UInt64] = [.max, .max - 1, 1 << 63, (1 << 63) - 1]
    for count in [0, 1, 63, 64, 65, 70] {
      let proof = [Digest](repeating: Self.other, count: count)
      for size in sizes {
        for part in sizes + [0, 1] {
          let isIncluded = MerkleTree.verifyInclusion(
            ofLeafHash: Self.other, at: part, inTreeOfSize: size, root: Self.other, proof: proof)
          #expect(!isIncluded)
          let isConsistent = MerkleTree.verifyConsistency(
            fromSize: part, root: Self.other, toSize: size, root: Self.other, proof: proof)
          #expect(isConsistent == (part == size && proof.isEmpty))
        }
      }
    }
  }
}
