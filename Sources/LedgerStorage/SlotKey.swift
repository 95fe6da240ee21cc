/// What a thing is found by in a `SlotTable`: where the search begins, and a number that tells it
/// from all others on the way.
package struct SlotKey: Hashable, Sendable {
  package let home: UInt64
  /// Never zero, which stands for a free slot.
  package let fingerprint: UInt64

  package init(home: UInt64, fingerprint: UInt64) {
    self.home = home
    self.fingerprint = max(fingerprint, 1)
  }
}

/// Makes keys of names by two hashes under secrets of this process, so that nobody can choose names
/// that meet: 128 bits tell names apart, of which those that lead to the slot need not be kept.
package struct SlotHash: Sendable {
  private let home: Hasher
  private let fingerprint: Hasher

  package init() {
    home = Self.keyed()
    fingerprint = Self.keyed()
  }

  /// The standard library's keyed hash, SipHash, under secrets of its own besides the process's,
  /// which the environment can switch off.
  private static func keyed() -> Hasher {
    var generator = SystemRandomNumberGenerator()
    var hasher = Hasher()
    hasher.combine(generator.next() as UInt64)
    hasher.combine(generator.next() as UInt64)
    return hasher
  }

  /// The key of a name in a domain.
  @inline(__always)
  package func key(of name: Span<UInt8>, in domain: UInt8) -> SlotKey {
    var home = home
    var fingerprint = fingerprint
    // Safe because the hashers read within the buffer, during the call.
    unsafe name.withUnsafeBufferPointer { buffer in
      let bytes = UnsafeRawBufferPointer(buffer)
      unsafe home.combine(bytes: bytes)
      unsafe fingerprint.combine(bytes: bytes)
    }
    // The last byte is the domain's, so that no name in one reads like another in another.
    home.combine(domain)
    fingerprint.combine(domain)
    return SlotKey(
      home: UInt64(truncatingIfNeeded: home.finalize()),
      fingerprint: UInt64(truncatingIfNeeded: fingerprint.finalize()))
  }
}
