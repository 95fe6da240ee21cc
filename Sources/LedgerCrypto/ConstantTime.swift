import CLedgerCrypto

/// Whether the bytes are equal, in a time that depends on their number alone.
///
/// Use this wherever one side is secret. Different lengths are unequal at once: a length is no secret.
package func constantTimeEquals(_ left: RawSpan, _ right: RawSpan) -> Bool {
  guard left.byteCount == right.byteCount else { return false }
  // Safe: both buffers are alive during the call and have the length that is passed.
  return unsafe left.withUnsafeBytes { left in
    unsafe right.withUnsafeBytes { right in
      unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }
  }
}

/// Whether the bytes are equal, in a time that depends on their number alone.
package func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.withRawSpan { left in right.withRawSpan { right in constantTimeEquals(left, right) } }
}

/// Whether the digests are equal, in constant time.
package func constantTimeEquals(_ left: Digest, _ right: Digest) -> Bool {
  left.withBytes { left in right.withBytes { right in constantTimeEquals(left, right) } }
}
