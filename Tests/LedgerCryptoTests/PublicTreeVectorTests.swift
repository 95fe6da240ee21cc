import FoundationEssentials
import LedgerCrypto
import LedgerTestSupport
import Testing

/// Public test vectors for RFC 6962 trees, where they lie beside the checkout.
struct PublicTreeVectorTests {
  @Test func `the trees have their published roots`() throws {
    struct Reference: Decodable {
      let leaves_hex: [String]
      let node_hashes_by_level: [[String]]
      let roots_by_size: [String]
    }
    struct Numbered: Decodable {
      let roots_by_size_hex: [String]
    }
    guard let folder = SharedMaterial.folder("data/tlog") else { return }
    let reference = try decode(Reference.self, at: folder + "/ct-reference-tree.json")
    let leaves = try reference.leaves_hex.map { hexadecimal in
      MerkleTree.leafHash(of: try #require(Hexadecimal.decode(hexadecimal)))
    }
    #expect(leaves.map(\.description) == reference.node_hashes_by_level.first)
    #expect(roots(over: leaves) == reference.roots_by_size)

    let numbered = try decode(Numbered.self, at: folder + "/leaf-n-roots.json")
    #expect(roots(over: leafHashes(count: 100)) == numbered.roots_by_size_hex)
  }

  @Test func `the inclusion proofs hold or fail as published`() throws {
    struct Vector: Decodable {
      let leafIdx, treeSize: UInt64
      let root, leafHash: Data
      let proof: [Data]?
      let desc: String
      let wantErr: Bool
    }
    let vectors = try vectors(of: Vector.self, in: "inclusion")
    for (name, vector) in vectors {
      let holds =
        if let leafHash = digest(vector.leafHash), let root = digest(vector.root),
          let proof = digests(vector.proof)
        {
          MerkleTree.verifyInclusion(
            ofLeafHash: leafHash, at: vector.leafIdx, inTreeOfSize: vector.treeSize, root: root,
            proof: proof)
        } else {
          false
        }
      #expect(holds == !vector.wantErr, "\(name): \(vector.desc)")
    }
  }

  @Test func `the consistency proofs hold or fail as published`() throws {
    struct Vector: Decodable {
      let size1, size2: UInt64
      let root1, root2: Data
      let proof: [Data]?
      let desc: String
      let wantErr: Bool
    }
    let vectors = try vectors(of: Vector.self, in: "consistency")
    for (name, vector) in vectors {
      let holds =
        if let oldRoot = digest(vector.root1), let newRoot = digest(vector.root2),
          let proof = digests(vector.proof)
        {
          MerkleTree.verifyConsistency(
            fromSize: vector.size1, root: oldRoot, toSize: vector.size2, root: newRoot,
            proof: proof)
        } else {
          false
        }
      #expect(holds == !vector.wantErr, "\(name): \(vector.desc)")
    }
  }

  private func roots(over leaves: [Digest]) -> [String] {
    var frontier = MerkleFrontier()
    return [frontier.root.description]
      + leaves.map { leaf in
        frontier.append(leafHash: leaf)
        return frontier.root.description
      }
  }

  private func vectors<Vector: Decodable>(
    of type: Vector.Type, in kind: String
  ) throws -> [(name: String, vector: Vector)] {
    let path = "data/tlog/transparency-dev-merkle/testdata/" + kind
    guard let folder = SharedMaterial.folder(path) else { return [] }
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".json") }.sorted()
    #expect(!names.isEmpty, "no vectors in \(folder)")
    return try names.map { ($0, try decode(type, at: folder + "/" + $0)) }
  }

  private func decode<Value: Decodable>(_ type: Value.Type, at path: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: path)))
  }

  private func digest(_ data: Data) -> Digest? {
    Digest(bytes: Array(data))
  }

  /// The elements as digests, or nil if one has another length; no list is an empty one.
  private func digests(_ elements: [Data]?) -> [Digest]? {
    let digests = (elements ?? []).map { digest($0) }
    return digests.contains(nil) ? nil : digests.compactMap(\.self)
  }
}
