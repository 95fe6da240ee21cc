/// A SHA-256 digest: 32 bytes, held in place.
///
/// Digests compare in the order of their bytes.
package struct Digest: Sendable {
  /// The number of bytes of every digest.
  package static let byteCount = 32

  // Four words rather than 32 bytes, so that comparing and hashing take four steps. In memory they
  // are the digest's bytes in their order, whatever the machine's byte order.
  private var words: [4 of UInt64]

  /// The digest with these bytes, or nil unless there are exactly 32.
  package init?(bytes: RawSpan) {
    guard bytes.byteCount == Digest.byteCount else { return nil }
    // Safe: the offsets 0, 8, 16 and 24 lie within the 32 bytes, and any 8 bytes are a UInt64.
    words = [4 of UInt64] { word in
      unsafe bytes.unsafeLoadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
    }
  }

  /// The digest with these bytes, or nil unless there are exactly 32.
  package init?(bytes: [UInt8]) {
    guard let digest = bytes.withRawSpan({ Digest(bytes: $0) }) else { return nil }
    self = digest
  }

  /// The digest written as 64 hexadecimal digits, or nil if `hexadecimal` is anything else.
  package init?(hexadecimal: String) {
    guard let bytes = Hexadecimal.decode(hexadecimal) else { return nil }
    self.init(bytes: bytes)
  }

  /// The digest whose 32 bytes `fill` writes.
  init(filledBy fill: (UnsafeMutablePointer<UInt8>) -> Void) {
    words = [4 of UInt64](repeating: 0)
    var span = words.mutableSpan
    // Safe: the buffer is the 32 bytes of `words`, alive and exclusively ours during the call; any
    // bytes are words.
    var bytes = unsafe span.mutableBytes
    unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe fill(buffer.assumingMemoryBound(to: UInt8.self).baseAddress.unsafelyUnwrapped)
    }
  }

  /// Calls `body` with the 32 bytes in place.
  package func withBytes<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Safe: `bytes` is unsafe only for elements with padding, and words have none.
    unsafe try body(words.span.bytes)
  }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the 32 bytes to `output`.
  package func append(to output: inout [UInt8]) {
    withBytes { bytes in
      // Safe: the buffer is only read, and only during the call.
      unsafe bytes.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
    }
  }
}

extension Digest: Hashable, Comparable {
  package static func == (left: Digest, right: Digest) -> Bool {
    left.words.indices.allSatisfy { left.words[$0] == right.words[$0] }
  }

  package static func < (left: Digest, right: Digest) -> Bool {
    for word in left.words.indices where left.words[word] != right.words[word] {
      return left.words[word].bigEndian < right.words[word].bigEndian
    }
    return false
  }

  package func hash(into hasher: inout Hasher) {
    for word in words.indices {
      hasher.combine(words[word])
    }
  }
}

extension Digest: CustomStringConvertible {
  /// The digest as 64 lower-case hexadecimal digits.
  package var description: String {
    Hexadecimal.encode(bytes)
  }
}
