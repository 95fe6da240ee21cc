internal import CLedgerLMDB
internal import Glibc

extension StorageEnvironment {
  /// Writes a copy of the newest commit, without free pages, to `target`, a new or empty folder.
  ///
  /// Reads and writes go on meanwhile. The copy appears whole, on disk, or not at all.
  package func backup(to target: String) throws(StorageError) {
    try FileSystem.checkFree(target)
    let draft = "\(target).copying-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    try FileSystem.makeFolder(draft)
    defer { try? FileSystem.removeFolder(draft) }
    do {
      // Inside a read of ours, so that the map stays where it is while LMDB copies it.
      try read { (_) throws(StorageError) in
        // Safe because the environment is open; LMDB reads under a snapshot of its own.
        try check(unsafe mdb_env_copy2(core.handle, draft, UInt32(MDB_CP_COMPACT)), target)
      }
    } catch {
      throw error.storageError
    }
    try FileSystem.synchronizeFile(draft + "/data.mdb")
    try FileSystem.synchronizeFolder(draft)
    try FileSystem.moveFolder(draft, to: target)
    try FileSystem.synchronizeFolder(FileSystem.parent(of: target))
  }
}
