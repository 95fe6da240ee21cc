import LedgerCrypto

/// The definitions of RFC 6962, section 2.1, word for word: slow, recursive and obvious.
enum MerkleModel {
  static func root(_ leaves: ArraySlice<Digest>) -> Digest {
    guard let only = leaves.first else { return SHA256.hash([]) }
    if leaves.count == 1 { return only }
    let middle = leaves.startIndex + split(leaves.count)
    return node(root(leaves[..<middle]), root(leaves[middle...]))
  }

  static func path(_ index: Int, _ leaves: ArraySlice<Digest>) -> [Digest] {
    if leaves.count == 1 { return [] }
    let half = split(leaves.count)
    let middle = leaves.startIndex + half
    return index < half
      ? path(index, leaves[..<middle]) + [root(leaves[middle...])]
      : path(index - half, leaves[middle...]) + [root(leaves[..<middle])]
  }

  static func proof(_ oldSize: Int, _ leaves: ArraySlice<Digest>) -> [Digest] {
    subproof(oldSize, leaves, isWholeOldTree: true)
  }

  private static func subproof(
    _ oldSize: Int, _ leaves: ArraySlice<Digest>, isWholeOldTree: Bool
  ) -> [Digest] {
    if oldSize == leaves.count { return isWholeOldTree ? [] : [root(leaves)] }
    let half = split(leaves.count)
    let middle = leaves.startIndex + half
    return oldSize <= half
      ? subproof(oldSize, leaves[..<middle], isWholeOldTree: isWholeOldTree)
        + [root(leaves[middle...])]
      : subproof(oldSize - half, leaves[middle...], isWholeOldTree: false)
        + [root(leaves[..<middle])]
  }

  private static func node(_ left: Digest, _ right: Digest) -> Digest {
    SHA256.hash([1] + left.bytes + right.bytes)
  }

  /// The largest power of two smaller than `count`.
  private static func split(_ count: Int) -> Int {
    var power = 1
    while power * 2 < count { power *= 2 }
    return power
  }
}

/// The hashes of `count` leaves that all differ.
func leafHashes(count: Int) -> [Digest] {
  (0..<count).map { MerkleTree.leafHash(of: Array("leaf \($0)".utf8)) }
}
