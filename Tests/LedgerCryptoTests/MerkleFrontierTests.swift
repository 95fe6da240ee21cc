import LedgerCrypto
import LedgerTestSupport
import Testing

struct MerkleFrontierTests {
  /// The eight leaves that Certificate Transparency's implementations test with.
  static let leaves: [[UInt8]] = [
    [], [0x00], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43],
    Array(0x50...0x57), Array(0x60...0x6f),
  ]

  /// The roots over the first 0 to 8 of them.
  static let roots = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ]

  @Test func `the well-known eight leaves have their well-known roots`() {
    var frontier = MerkleFrontier()
    #expect(frontier.root.description == Self.roots[0])
    for (leaf, root) in zip(Self.leaves, Self.roots.dropFirst()) {
      frontier.append(leafHash: MerkleTree.leafHash(of: leaf))
      #expect(frontier.root.description == root)
    }
    #expect(frontier.size == 8)
  }

  @Test func `the root is that of the definition at every size`() {
    let leaves = leafHashes(count: 130)
    var frontier = MerkleFrontier()
    for size in 0...130 {
      #expect(frontier.size == UInt64(size))
      #expect(frontier.root == MerkleModel.root(leaves[..<size]), "size \(size)")
      if size < 130 { frontier.append(leafHash: leaves[size]) }
    }
  }

  @Test func `a frontier comes back from its bytes and goes on alike`() throws {
    var frontier = MerkleFrontier()
    for leaf in leafHashes(count: 130) {
      var copy = try #require(MerkleFrontier(serialized: frontier.serialized()))
      #expect(copy == frontier)
      frontier.append(leafHash: leaf)
      copy.append(leafHash: leaf)
      #expect(copy == frontier && copy.root == frontier.root)
    }
  }

  @Test func `the bytes are the size and the hashes from the left`() {
    var frontier = MerkleFrontier()
    #expect(frontier.serialized() == [0, 0, 0, 0, 0, 0, 0, 0])
    let leaves = leafHashes(count: 3)
    for leaf in leaves { frontier.append(leafHash: leaf) }
    let pair = MerkleTree.nodeHash(leaves[0], leaves[1])
    #expect(frontier.serialized() == [0, 0, 0, 0, 0, 0, 0, 3] + pair.bytes + leaves[2].bytes)
  }

  @Test func `bytes of any wrong length are refused`() {
    var frontier = MerkleFrontier()
    for leaf in leafHashes(count: 7) { frontier.append(leafHash: leaf) }
    let bytes = frontier.serialized()
    for count in 0..<bytes.count {
      #expect(MerkleFrontier(serialized: Array(bytes[..<count])) == nil, "\(count) bytes")
    }
    #expect(MerkleFrontier(serialized: bytes + [0]) == nil)
    #expect(MerkleFrontier(serialized: bytes + [UInt8](repeating: 0, count: 32)) == nil)
  }

  @Test func `random bytes are refused or come back as they were`() {
    var generator = SeededGenerator(seed: .random(in: 0...(.max)))
    for _ in 0..<2_000 {
      let hashCount = Int.random(in: 0...64, using: &generator)
      // Sizes near the right number of one-bits, so that some of the inputs are accepted.
      let mask = hashCount == 64 ? UInt64.max : (1 << hashCount) - 1
      let size = Bool.random(using: &generator) ? mask : generator.next()
      var bytes = stride(from: 56, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: size >> UInt64($0))
      }
      for _ in 0..<(32 * hashCount) {
        bytes.append(UInt8(truncatingIfNeeded: generator.next()))
      }
      let frontier = MerkleFrontier(serialized: bytes)
      let isValid = size.nonzeroBitCount == hashCount
      #expect((frontier != nil) == isValid, "seed \(generator.seed)")
      #expect(frontier == nil || frontier?.serialized() == bytes, "seed \(generator.seed)")
    }
  }
}
