/// The right edge of a Merkle tree: all that is needed to append leaves and to tell the root.
///
/// Also known as a compact range. It holds one hash for each one-bit of its size, that of the
/// perfect subtree with that many leaves, the largest first. Appending takes constant time on average.
package struct MerkleFrontier: Equatable, Sendable {
  /// The number of leaves.
  package private(set) var size: UInt64

  private var subtrees: [Digest]

  /// The frontier of the tree without leaves.
  package init() {
    size = 0
    subtrees = []
  }

  /// Appends a leaf by its hash, which `MerkleTree.leafHash(of:)` makes.
  package mutating func append(leafHash: Digest) {
    var hash = leafHash
    // As in counting: each trailing one-bit is a subtree that the carry completes.
    for _ in 0..<(~size).trailingZeroBitCount {
      hash = MerkleTree.nodeHash(subtrees.removeLast(), hash)
    }
    subtrees.append(hash)
    size += 1
  }

  /// The root of the tree, in time proportional to the logarithm of its size.
  package var root: Digest {
    guard var root = subtrees.last else { return MerkleTree.emptyRoot }
    for subtree in subtrees.dropLast().reversed() {
      root = MerkleTree.nodeHash(subtree, root)
    }
    return root
  }
}

extension MerkleFrontier {
  private static let sizeByteCount = 8

  /// The frontier that `serialized()` wrote, or nil if the bytes are not one.
  ///
  /// The number of hashes must be that of the one-bits of the size. The hashes themselves can be
  /// checked only against a root.
  package init?(serialized bytes: RawSpan) {
    guard bytes.byteCount >= MerkleFrontier.sizeByteCount else { return nil }
    // Safe: 8 bytes are there, and any 8 bytes are a UInt64.
    let size = UInt64(
      bigEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
    let hashes = bytes.extracting(droppingFirst: MerkleFrontier.sizeByteCount)
    guard hashes.byteCount == size.nonzeroBitCount * Digest.byteCount else { return nil }
    var subtrees: [Digest] = []
    subtrees.reserveCapacity(size.nonzeroBitCount)
    for start in stride(from: 0, to: hashes.byteCount, by: Digest.byteCount) {
      let hash = hashes.extracting(start..<(start + Digest.byteCount))
      guard let subtree = Digest(bytes: hash) else { return nil }
      subtrees.append(subtree)
    }
    self.size = size
    self.subtrees = subtrees
  }

  /// The frontier that `serialized()` wrote, or nil if the bytes are not one.
  package init?(serialized bytes: [UInt8]) {
    guard let frontier = bytes.withRawSpan({ MerkleFrontier(serialized: $0) }) else { return nil }
    self = frontier
  }

  /// The size as 8 big-endian bytes, then the subtree hashes, the largest subtree first.
  package func serialized() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(MerkleFrontier.sizeByteCount + subtrees.count * Digest.byteCount)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: size >> UInt64(shift)))
    }
    for subtree in subtrees {
      subtree.append(to: &bytes)
    }
    return bytes
  }
}
