extension MerkleTree {
  /// The proof that the leaf at `index` belongs to the tree with `size` leaves.
  ///
  /// Asks `leafHash` for every other leaf once, from the whole tree down to the leaf's sibling.
  ///
  /// - Precondition: `index` is less than `size`.
  package static func inclusionProof<Failure: Error>(
    ofLeafAt index: UInt64, inTreeOfSize size: UInt64,
    leafHash: (UInt64) throws(Failure) -> Digest
  ) throws(Failure) -> [Digest] {
    precondition(index < size, "leaf \(index) is not in a tree with \(size) leaves")
    var proof: [Digest] = []
    var subtree = 0..<size
    while subtree.upperBound - subtree.lowerBound > 1 {
      let (left, right) = halves(of: subtree)
      let other: Range<UInt64>
      (subtree, other) = left.contains(index) ? (left, right) : (right, left)
      proof.append(try root(of: other, leafHash: leafHash))
    }
    return proof.reversed()
  }

  /// The proof that the tree with `newSize` leaves continues the one with `oldSize` leaves.
  ///
  /// - Precondition: `oldSize` is at least one and at most `newSize`.
  package static func consistencyProof<Failure: Error>(
    fromSize oldSize: UInt64, toSize newSize: UInt64,
    leafHash: (UInt64) throws(Failure) -> Digest
  ) throws(Failure) -> [Digest] {
    precondition(
      1 <= oldSize && oldSize <= newSize, "no proof leads from size \(oldSize) to \(newSize)")
    var proof: [Digest] = []
    var subtree = 0..<newSize
    while subtree.upperBound != oldSize {
      let (left, right) = halves(of: subtree)
      let other: Range<UInt64>
      (subtree, other) = oldSize <= left.upperBound ? (left, right) : (right, left)
      proof.append(try root(of: other, leafHash: leafHash))
    }
    // From zero on, the subtree is the whole old tree, whose root the verifier knows.
    if subtree.lowerBound > 0 {
      proof.append(try root(of: subtree, leafHash: leafHash))
    }
    return proof.reversed()
  }

  /// The two subtrees of a range: the left one is the largest perfect tree that leaves a right one.
  private static func halves(
    of range: Range<UInt64>
  ) -> (left: Range<UInt64>, right: Range<UInt64>) {
    let last = range.upperBound - range.lowerBound - 1
    let middle = range.lowerBound + 1 << (UInt64.bitWidth - 1 - last.leadingZeroBitCount)
    return (range.lowerBound..<middle, middle..<range.upperBound)
  }
}
