/// The Merkle tree of RFC 6962 over SHA-256: its hashes and what they say about whole ranges.
///
/// The prefixes keep leaves and nodes apart, so that no node can be passed off as a leaf.
package enum MerkleTree {
  /// The root of the tree without leaves.
  package static let emptyRoot = SHA256.hash([])

  /// The hash of a leaf that holds `data`.
  package static func leafHash(of data: RawSpan) -> Digest {
    var hash = SHA256()
    hash.update(byte: 0x00)
    hash.update(data)
    return hash.finalize()
  }

  /// The hash of a leaf that holds `data`.
  package static func leafHash(of data: [UInt8]) -> Digest {
    data.withRawSpan { leafHash(of: $0) }
  }

  /// The hash of the node over two subtrees.
  package static func nodeHash(_ left: Digest, _ right: Digest) -> Digest {
    var hash = SHA256()
    hash.update(byte: 0x01)
    hash.update(left)
    hash.update(right)
    return hash.finalize()
  }

  /// The root over the leaves of `range`, which `leafHash` gives one after another.
  package static func root<Failure: Error>(
    of range: Range<UInt64>, leafHash: (UInt64) throws(Failure) -> Digest
  ) throws(Failure) -> Digest {
    var frontier = MerkleFrontier()
    for index in range {
      frontier.append(leafHash: try leafHash(index))
    }
    return frontier.root
  }
}
