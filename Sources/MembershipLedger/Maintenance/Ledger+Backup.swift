internal import LedgerStorage

extension Ledger {
  /// Writes a copy of the ledger as of now to a new folder, durably on return.
  ///
  /// Appends and checks go on meanwhile. Documents are copied after the log, so that none that an
  /// event of the copy names is missing.
  ///
  /// - Parameter path: The folder, which is new or empty.
  /// - Throws: `LedgerError` with `alreadyExists` or a failure of the system.
  public func backup(to path: String) throws(LedgerError) {
    try translating { () throws(StorageError) in
      guard try FileSystem.isFree(path) else {
        throw StorageError(
          .alreadyExists, path, "there is something already: choose a new or empty folder")
      }
      if try FileSystem.status(of: path) == nil { try FileSystem.makeFolder(path) }
      try environment.backup(to: LedgerFolder.logPath(path))
    }
    try documents?.backup(to: LedgerFolder.documentsPath(path))
    try translating { () throws(StorageError) in
      try FileSystem.synchronizeFolder(path)
      try FileSystem.synchronizeFolder(FileSystem.parent(of: path))
    }
  }
}
