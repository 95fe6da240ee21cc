private import CLedgerHash

/// What a thing is found by in a `SlotTable`: where the search begins, and a number that tells it
/// from all others on the way.
package struct SlotKey: Hashable, Sendable {
  package let home: UInt64
  /// Never zero, which stands for a free slot.
  package let fingerprint: UInt64

  @inline(__always)
  package init(home: UInt64, fingerprint: UInt64) {
    self.home = home
    self.fingerprint = max(fingerprint, 1)
  }
}

/// Makes keys of names by a hash of 128 bits under secrets of this process (XXH3), so that nobody can
/// choose names that meet.
///
/// It is no cryptographic hash: it rests on the secrets, of which nothing ever leaves the process.
@safe package final class SlotHash: Sendable {
  /// Names in two of these are two things.
  package static let domains = 4

  private static let secretSize = 192
  /// Where the secrets lie one after the other, each for a domain; nobody writes there any more.
  private let address: UInt

  package init() {
    var generator = SystemRandomNumberGenerator()
    let count = Self.domains * Self.secretSize
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    for offset in stride(from: 0, to: count, by: 8) {
      // Safe because the offset is within the memory and a multiple of eight.
      unsafe memory.storeBytes(
        of: generator.next() as UInt64, toByteOffset: offset, as: UInt64.self)
    }
    address = UInt(bitPattern: memory)
  }

  deinit {
    // Safe because nobody hashes any more, and the memory is ours alone.
    unsafe UnsafeRawPointer(bitPattern: address)?.deallocate()
  }

  /// The key of a name in a domain, which is below `domains`.
  @inline(__always)
  package func key(of name: Span<UInt8>, in domain: UInt8) -> SlotKey {
    precondition(domain < UInt8(Self.domains), "there is a secret for each domain")
    // Safe because the hash reads within the name, during the call, and within the domain's secret.
    let hash = unsafe name.withUnsafeBufferPointer { buffer in
      unsafe ledger_hash128(
        buffer.baseAddress, buffer.count,
        UnsafeRawPointer(bitPattern: address + UInt(domain) * UInt(Self.secretSize)),
        Self.secretSize)
    }
    return SlotKey(home: hash.high, fingerprint: hash.low)
  }
}
