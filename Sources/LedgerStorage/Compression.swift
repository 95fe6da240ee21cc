internal import CLedgerCompression

/// Zstandard frames with a bound on what they unfold to.
package enum Compression {
  /// The frame of `bytes`.
  package static func compress(_ bytes: [UInt8], level: Int32 = 3) throws(StorageError) -> [UInt8] {
    var size = 0
    // Safe because both buffers are valid for their counts and the count of written bytes that
    // zstd returns is at most the capacity it was given.
    let frame = unsafe [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) {
      (output, count) in
      size = unsafe bytes.withUnsafeBytes {
        unsafe ZSTD_compress(output.baseAddress, output.count, $0.baseAddress, $0.count, level)
      }
      count = ZSTD_isError(size) == 0 ? size : 0
    }
    guard ZSTD_isError(size) == 0 else { throw failure("compress", size) }
    return frame
  }

  /// The bytes whose frame `frame` is, if they are at most `limit`.
  ///
  /// A frame that names a larger size is refused before anything is allocated for it; one that
  /// names none, or lies, is refused when it runs over what it named.
  package static func decompress(_ frame: [UInt8], limit: Int) throws(StorageError) -> [UInt8] {
    // Safe because the buffer is valid for its count.
    let stated = unsafe frame.withUnsafeBytes {
      unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count)
    }
    guard stated < UInt64(bitPattern: -2) else {
      throw StorageError(.invalidCompression, "decompress", "not a zstd frame of known size")
    }
    guard stated <= UInt64(limit) else {
      throw StorageError(
        .invalidCompression, "decompress", "unfolds to \(stated) bytes; allowed are \(limit)")
    }
    return try decompress(frame, size: Int(stated))
  }

  private static func decompress(_ frame: [UInt8], size: Int) throws(StorageError) -> [UInt8] {
    var written = 0
    // Safe because both buffers are valid for their counts and zstd never writes beyond the
    // capacity it is given, whatever the frame says.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { (output, count) in
      written = unsafe frame.withUnsafeBytes {
        unsafe ZSTD_decompress(output.baseAddress, size, $0.baseAddress, $0.count)
      }
      count = ZSTD_isError(written) == 0 ? written : 0
    }
    guard ZSTD_isError(written) == 0 else { throw failure("decompress", written) }
    guard written == size else {
      throw StorageError(.invalidCompression, "decompress", "the frame lies about its size")
    }
    return bytes
  }

  private static func failure(_ operation: String, _ code: Int) -> StorageError {
    // Safe because zstd's error names are constant C strings.
    StorageError(.invalidCompression, operation, unsafe String(cString: ZSTD_getErrorName(code)))
  }
}
