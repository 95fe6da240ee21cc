internal import Glibc

/// What can be known of an environment's files before LMDB maps them.
enum EnvironmentFile {
  static func dataPath(_ path: String) -> String { path + "/data.mdb" }

  /// The identity of the data file; clear errors for all that is none.
  static func identity(_ path: String) throws(StorageError) -> FileIdentity {
    guard let folder = try FileSystem.status(of: path) else {
      throw StorageError(.notFound, path, "no such folder: check the path or create it")
    }
    guard folder.isFolder else {
      throw StorageError(.notAnEnvironment, path, "not a folder: check the path")
    }
    guard let file = try FileSystem.status(of: dataPath(path)) else {
      throw StorageError(.notAnEnvironment, path, "the folder has no data.mdb: check the path")
    }
    guard !file.isFolder else {
      throw StorageError(.notAnEnvironment, path, "its data.mdb is a folder: check the path")
    }
    guard file.size > 0 else {
      // LMDB would take it for a new environment, and a lost ledger for an empty one.
      throw StorageError(.emptyFile, path, "its data.mdb is empty: restore a backup")
    }
    return file.identity
  }

  static func checkFileSystem(
    _ path: String, _ options: EnvironmentOptions
  ) throws(StorageError) {
    let kind = try options.probes.fileSystemKind(path)
    if let name = FileSystem.networkName(ofKind: kind) {
      throw StorageError(
        .networkFileSystem, path,
        "lies on \(name), where locks and maps cannot be trusted: move it to a local disk")
    }
  }

  /// Refuses LMDB 0.9.26 to 0.9.31, whose locks fail while another process opens or closes.
  static func checkLibrary(_ options: EnvironmentOptions) throws(StorageError) {
    let (major, minor, patch) = options.probes.libraryVersion()
    if (major, minor) == (0, 9) && (26...31).contains(patch) {
      throw StorageError(
        .unsupportedLibrary, "liblmdb \(major).\(minor).\(patch)",
        "its locks are broken: install 0.9.24, 0.9.25, or 0.9.32 or newer")
    }
  }
}

extension EnvironmentFile {
  /// Refuses a data file that LMDB would crash on.
  static func checkContent(_ path: String) throws(StorageError) {
    let file = try PageFile(dataPath(path))
    let meta = try file.meta()
    let needed = (meta.lastPage + 1) * UInt64(meta.pageSize)
    guard file.size >= needed else {
      throw StorageError(
        .fileTooShort, file.path,
        "has \(file.size) bytes where its header counts \(needed): restore a backup")
    }
  }
}
