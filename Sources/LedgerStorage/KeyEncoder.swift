/// The longest key that LMDB stores.
package let maximumKeyLength = 511

/// Builds a key whose bytes sort as its parts do, without allocating.
///
/// Numbers are big-endian. A terminated string sorts as its bytes do and may be followed by other
/// parts: byte 0 becomes 1 1, byte 1 becomes 1 2, and 0 ends it. A key of more than 511 bytes may
/// be built; every operation refuses it.
package struct KeyEncoder: ~Copyable {
  private static let capacity = maximumKeyLength + 1
  private var storage = InlineArray<512, UInt8>(repeating: 0)
  private var count = 0

  package init() {}

  /// The key so far.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { storage.span.extracting(0..<count) }
  }

  /// Appends a tag or one digit of a smaller number.
  package mutating func append(_ byte: UInt8) {
    guard count < KeyEncoder.capacity else { return }
    storage[count] = byte
    count += 1
  }

  /// Appends a number, big-endian.
  package mutating func append(_ number: UInt64) {
    var shift: UInt64 = 64
    while shift > 0 {
      shift -= 8
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Appends a number, big-endian.
  package mutating func append(_ number: UInt32) {
    var shift: UInt32 = 32
    while shift > 0 {
      shift -= 8
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Appends bytes as they are: the last part of a key, or a part of fixed length.
  package mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      append(bytes[index])
    }
  }

  /// Appends bytes as they are: the last part of a key, or a part of fixed length.
  package mutating func append(_ bytes: [UInt8]) {
    append(bytes.span)
  }

  /// Appends a string that other parts may follow.
  package mutating func append(terminated string: String) {
    for byte in string.utf8 {
      if byte <= 1 {
        append(1 as UInt8)
        append(byte + 1)
      } else {
        append(byte)
      }
    }
    append(0 as UInt8)
  }

  /// Cuts the key back to its first `count` bytes, to build another with the same beginning.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "a key cannot be cut to more than it has")
    self.count = count
  }
}

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

  package mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func uint64() -> UInt64? {
    guard bytes.count - position >= 8 else { return nil }
    var number: UInt64 = 0
    for _ in 0..<8 {
      number = number << 8 | UInt64(bytes[position])
      position += 1
    }
    return number
  }

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

  /// A string written by `append(terminated:)`.
  package mutating func terminatedString() -> String? {
    var result: [UInt8] = []
    while let next = byte() {
      switch next {
      case 0:
        return String(validating: result, as: UTF8.self)
      case 1:
        guard let escaped = byte(), escaped == 1 || escaped == 2 else { return nil }
        result.append(escaped - 1)
      default:
        result.append(next)
      }
    }
    return nil
  }
}

extension Span<UInt8> {
  /// The bytes, copied out.
  package func copied() -> [UInt8] {
    // Safe because the buffer is valid within the closure, which copies it.
    unsafe withUnsafeBufferPointer { unsafe [UInt8]($0) }
  }
}
