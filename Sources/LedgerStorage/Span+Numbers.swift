extension Span<UInt8> {
  /// The little-endian number in the eight bytes at `offset`, which need no alignment.
  @inlinable @inline(__always)
  package func int64(at offset: Int) -> Int64 {
    precondition(offset >= 0 && offset <= count - 8, "a number lies within its bytes")
    // Safe because the eight bytes lie within the span and any bytes are a number.
    return unsafe withUnsafeBytes {
      unsafe Int64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }
  }

  /// The little-endian number in the four bytes at `offset`, which need no alignment.
  @inlinable @inline(__always)
  package func uint32(at offset: Int) -> UInt32 {
    precondition(offset >= 0 && offset <= count - 4, "a number lies within its bytes")
    // Safe because the four bytes lie within the span and any bytes are a number.
    return unsafe withUnsafeBytes {
      unsafe UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }
}
