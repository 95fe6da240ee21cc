/// The longest key that LMDB stores.
package let maximumKeyLength = 511

/// Takes a key apart, part by part; nil once the bytes do not hold what is asked for.
package struct KeyDecoder: ~Escapable {
  private let bytes: Span<UInt8>
  private var position = 0

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
  }

  /// Whether all bytes have been read.
  package var isAtEnd: Bool { position == bytes.count }

  /// The next number, big-endian.
  package mutating func uint64() -> UInt64? {
    guard bytes.count - position >= 8 else { return nil }
    var number: UInt64 = 0
    for _ in 0..<8 {
      number = number << 8 | UInt64(bytes[position])
      position += 1
    }
    return number
  }

  /// The next number, big-endian.
  package mutating func uint32() -> UInt32? {
    guard bytes.count - position >= 4 else { return nil }
    var number: UInt32 = 0
    for _ in 0..<4 {
      number = number << 8 | UInt32(bytes[position])
      position += 1
    }
    return number
  }

  /// The next `count` bytes.
  package mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, bytes.count - position >= count else { return nil }
    defer { position += count }
    return bytes.extracting(position..<position + count).copied()
  }

  /// All bytes that are left.
  package mutating func remainingBytes() -> [UInt8] {
    defer { position = bytes.count }
    return bytes.extracting(position..<bytes.count).copied()
  }
}

extension Span<UInt8> {
  /// The bytes, copied out.
  package func copied() -> [UInt8] {
    // Safe because the buffer is valid within the closure, which copies it.
    unsafe withUnsafeBufferPointer { unsafe [UInt8]($0) }
  }
}
