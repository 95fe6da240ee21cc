internal import CLedgerLMDB

/// The record that says whose an environment is and in which format.
///
/// From the second format on it ends in the complement of the format's number, so that a newer
/// format is not taken for one where the number is damaged.
struct EnvironmentMarker {
  let application: String
  let formatVersion: UInt32

  init(_ options: EnvironmentOptions) {
    application = options.application
    formatVersion = options.formatVersion
  }

  /// The marker that `bytes` are, or nil.
  init?(_ bytes: [UInt8]) {
    var decoder = KeyDecoder(bytes.span)
    guard let version = decoder.uint32(), version > 0 else { return nil }
    var rest = decoder.remainingBytes()
    if version > 1 {
      guard rest.count >= 4, Array(rest.suffix(4)) == Self.bytes(of: ~version) else { return nil }
      rest.removeLast(4)
    }
    guard let name = String(validating: rest, as: UTF8.self) else { return nil }
    application = name
    formatVersion = version
  }

  var bytes: [UInt8] {
    Self.bytes(of: formatVersion) + Array(application.utf8)
      + (formatVersion > 1 ? Self.bytes(of: ~formatVersion) : [])
  }

  private static func bytes(of number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  /// Refuses what the program of `options` cannot take for its own.
  func check(against options: EnvironmentOptions, _ path: String) throws(StorageError) {
    guard application == options.application else {
      throw StorageError(
        .wrongApplication, path,
        "holds data of \(application), not of \(options.application): check the path or "
          + "restore a backup")
    }
    guard formatVersion <= options.formatVersion else {
      throw StorageError(
        .newerFormat, path,
        "format \(formatVersion) is newer than \(options.formatVersion), the newest that this "
          + "program reads: use a newer program")
    }
  }
}

extension EnvironmentCore {
  /// Reads the marker and refuses an environment that is not the application's.
  func checkMarker() throws(StorageError) {
    let slot = try unsafe beginRead()
    // Safe because the slot is this thread's and its transaction live until endRead.
    defer { unsafe endRead(slot) }
    guard let transaction = unsafe slot.pointee.transaction else {
      preconditionFailure("a read began without a transaction")
    }
    guard let bytes = try unsafe mainRecord(EnvironmentCore.markerKey, transaction) else {
      throw StorageError(
        .wrongApplication, path,
        "an LMDB environment without the marker of \(options.application): check the path or "
          + "restore a backup")
    }
    guard let marker = EnvironmentMarker(bytes) else {
      throw StorageError(.damaged, path, "its marker cannot be read; restore a backup")
    }
    try marker.check(against: options, path)
  }
}

extension WriteTransaction {
  /// Writes the marker; a failure spoils the transaction and shows at its commit.
  mutating func putMarker(_ marker: EnvironmentMarker) {
    let bytes = marker.bytes
    // Safe because the transaction is live and LMDB copies key and value.
    let returnCode = unsafe EnvironmentCore.markerKey.withUnsafeBufferPointer { (keyBuffer) in
      unsafe bytes.withUnsafeBufferPointer { (valueBuffer) in
        var key = unsafe MDB_val(keyBuffer)
        var value = unsafe MDB_val(valueBuffer)
        return unsafe mdb_put(reader.handle, EnvironmentCore.mainHandle, &key, &value, 0)
      }
    }
    precondition(returnCode == MDB_SUCCESS, "the first record of a new file cannot be written")
  }
}
