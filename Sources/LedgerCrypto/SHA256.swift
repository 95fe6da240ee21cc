import CLedgerCrypto

/// SHA-256 of a message that arrives in parts.
///
/// A value: a copy continues on its own from where it was made.
package struct SHA256: Sendable {
  private var context = SHA256_CTX()

  /// A hash of no bytes yet.
  package init() {
    // Safe: the pointer is valid during the call. The call cannot fail: it writes constants.
    _ = unsafe SHA256_Init(&context)
  }

  /// Takes in the next part of the message.
  package mutating func update(_ part: RawSpan) {
    // Safe: both pointers are valid during the call, and the length is the buffer's own. The call
    // cannot fail: it compresses whole blocks and keeps the rest.
    unsafe part.withUnsafeBytes { buffer in
      _ = unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }
  }

  /// Takes in the next part of the message.
  package mutating func update(_ part: [UInt8]) {
    part.withRawSpan { update($0) }
  }

  /// Takes in one byte.
  package mutating func update(byte: UInt8) {
    var byte = byte
    // Safe: the pointers are valid during the call, which reads one byte.
    _ = unsafe SHA256_Update(&context, &byte, 1)
  }

  /// Takes in the 32 bytes of a digest.
  package mutating func update(_ part: Digest) {
    part.withBytes { update($0) }
  }

  /// The digest of all parts taken in.
  package consuming func finalize() -> Digest {
    // Safe: SHA256_Final writes exactly 32 bytes, which is what the digest provides.
    unsafe Digest { _ = unsafe SHA256_Final($0, &context) }
  }

  /// The digest of a whole message.
  package static func hash(_ message: RawSpan) -> Digest {
    var hash = SHA256()
    hash.update(message)
    return hash.finalize()
  }

  /// The digest of a whole message.
  package static func hash(_ message: [UInt8]) -> Digest {
    message.withRawSpan { hash($0) }
  }
}
