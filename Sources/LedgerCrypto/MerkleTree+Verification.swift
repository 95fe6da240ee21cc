extension MerkleTree {
  /// Whether `proof` shows that a leaf lies at `index` in the tree with `size` leaves and this root.
  ///
  /// The algorithm of RFC 9162, section 2.1.3.2. Nothing is assumed of the arguments.
  package static func verifyInclusion(
    ofLeafHash leafHash: Digest, at index: UInt64, inTreeOfSize size: UInt64,
    root: Digest, proof: [Digest]
  ) -> Bool {
    guard index < size else { return false }
    var path = ProofPath(node: index, last: size - 1)
    var hash = leafHash
    for sibling in proof {
      guard let side = path.ascend() else { return false }
      switch side {
      case .left: hash = nodeHash(sibling, hash)
      case .right: hash = nodeHash(hash, sibling)
      }
    }
    return path.isAtRoot && hash == root
  }

  /// Whether `proof` shows that the tree with the new root continues the one with the old root.
  ///
  /// The algorithm of RFC 9162, section 2.1.4.2. Nothing is assumed of the arguments. Every tree
  /// continues the empty one, but no proof says so: from size zero the answer is false.
  package static func verifyConsistency(
    fromSize oldSize: UInt64, root oldRoot: Digest, toSize newSize: UInt64, root newRoot: Digest,
    proof: [Digest]
  ) -> Bool {
    guard oldSize > 0, oldSize <= newSize else { return false }
    guard oldSize < newSize else { return proof.isEmpty && oldRoot == newRoot }
    var path = ProofPath(node: oldSize - 1, last: newSize - 1)
    path.skipRightEdge()
    var siblings = proof[...]
    // An old tree that is one perfect subtree starts from its own root; the proof leaves it out.
    let start = oldSize.nonzeroBitCount == 1 ? oldRoot : siblings.popFirst()
    guard var oldHash = start else { return false }
    var newHash = oldHash
    for sibling in siblings {
      guard let side = path.ascend() else { return false }
      switch side {
      case .left:
        oldHash = nodeHash(sibling, oldHash)
        newHash = nodeHash(sibling, newHash)
      case .right:
        newHash = nodeHash(newHash, sibling)
      }
    }
    return path.isAtRoot && oldHash == oldRoot && newHash == newRoot
  }
}

/// The way from a node up to the root, by the node's number and that of the last one on its level.
private struct ProofPath {
  enum Side {
    case left, right
  }

  private var node: UInt64
  private var last: UInt64

  init(node: UInt64, last: UInt64) {
    self.node = node
    self.last = last
  }

  var isAtRoot: Bool { last == 0 }

  /// Goes up past every node that is a right child.
  mutating func skipRightEdge() {
    let levels = (~node).trailingZeroBitCount
    node >>= levels
    last >>= levels
  }

  /// Goes up to the next node that has a sibling and tells the sibling's side, or nil at the root.
  mutating func ascend() -> Side? {
    guard last > 0 else { return nil }
    // The last node of a level without a sibling stands for itself on the next level.
    if node == last {
      let levels = node.trailingZeroBitCount
      node >>= levels
      last >>= levels
    }
    let side: Side = node & 1 == 1 ? .left : .right
    node >>= 1
    last >>= 1
    return side
  }
}
