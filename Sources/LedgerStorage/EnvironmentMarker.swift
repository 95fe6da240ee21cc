internal import CLedgerLMDB

/// The record that says whose an environment is and in which format.
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
    guard let version = decoder.uint32(),
      let name = String(validating: decoder.remainingBytes(), as: UTF8.self)
    else { return nil }
    application = name
    formatVersion = version
  }

  var bytes: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: formatVersion >> (24 - 8 * $0)) }
      + Array(application.utf8)
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
    guard let bytes = try unsafe mainRecord(EnvironmentCore.markerKey, transaction),
      let marker = EnvironmentMarker(bytes)
    else {
      throw StorageError(
        .wrongApplication, path,
        "an LMDB environment without the marker of \(options.application): check the path or "
          + "restore a backup")
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
