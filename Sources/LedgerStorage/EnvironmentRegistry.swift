internal import CLedgerLMDB
internal import Glibc

/// The environments that this process has open, by the identity of their data file.
///
/// LMDB breaks silently when one process opens a file twice: closing either takes the locks and
/// reader slots of both away. So the second opening shares the first, whatever path it names.
enum EnvironmentRegistry {
  private struct Opened {
    let core: EnvironmentCore
    var handles: Int
  }

  private static let opened = Lock<[FileIdentity: Opened]>([:])

  static func open(
    _ path: String, _ options: EnvironmentOptions
  ) throws(StorageError) -> EnvironmentCore {
    ProcessFork.watch()
    // Openings and closings happen one after the other, under the lock.
    return try opened.withLock { (opened) throws(StorageError) -> EnvironmentCore in
      let identity = try EnvironmentFile.identity(path)
      if let shared = opened[identity], !shared.core.isForked {
        try checkShareable(shared.core, options)
        if shared.core.options.toleratesDamagedTables, !options.toleratesDamagedTables {
          try EnvironmentFile.checkContent(path, options)
        }
        opened[identity]?.handles += 1
        return shared.core
      }
      try EnvironmentFile.checkFileSystem(path, options)
      try EnvironmentFile.checkLibrary(options)
      try EnvironmentFile.checkContent(path, options)
      let core = try openCore(path, options)
      do throws(StorageError) {
        try core.checkMarker()
        try core.clearDeadReaders()
      } catch {
        core.close()
        throw error
      }
      opened[identity] = Opened(core: core, handles: 1)
      return core
    }
  }

  static func release(_ core: EnvironmentCore) {
    opened.withLock { (opened) in
      // In a forked child the entry may be gone, or be the child's own opening.
      guard let entry = opened[core.identity], entry.core === core else { return }
      opened[core.identity]?.handles -= 1
      if entry.handles == 1 {
        core.close()
        opened[core.identity] = nil
      }
    }
  }

  /// Makes an environment at `path` that nobody else knows, with marker and first content.
  static func makeDraft<Failure: Error>(
    _ path: String, _ options: EnvironmentOptions,
    _ populate: (inout WriteTransaction) throws(Failure) -> Void
  ) throws(TransactionError<Failure>) {
    ProcessFork.watch()
    var writable = options
    writable.isReadOnly = false
    let core: EnvironmentCore
    do throws(StorageError) {
      try FileSystem.makeFolder(path)
      core = try openCore(path, writable)
    } catch {
      throw .storage(error)
    }
    defer { core.close() }
    try core.write(within: options.busyTimeout) { (transaction) throws(Failure) in
      transaction.putMarker(EnvironmentMarker(options))
      try populate(&transaction)
    }
  }

  private static func checkShareable(
    _ core: EnvironmentCore, _ options: EnvironmentOptions
  ) throws(StorageError) {
    guard options.isReadOnly || !core.options.isReadOnly else {
      throw StorageError(
        .readOnly, core.path, "this process has it open for reading only: close that first")
    }
    try EnvironmentMarker(core.options).check(against: options, core.path)
  }

  private static func openCore(
    _ path: String, _ options: EnvironmentOptions
  ) throws(StorageError) -> EnvironmentCore {
    let handle = try unsafe openHandle(path, options)
    do throws(StorageError) {
      let core = try unsafe EnvironmentCore(
        handle: handle, path: path, identity: EnvironmentFile.identity(path), options: options)
      try core.openMain()
      return core
    } catch {
      // Safe because only the environment that is thrown away knew the handle, and has not read.
      unsafe mdb_env_close(handle)
      throw error
    }
  }

  /// LMDB's environment on the folder.
  ///
  /// Never MDB_NOSYNC, MDB_NOMETASYNC or MDB_WRITEMAP: a commit is durable, a full disk an error.
  private static func openHandle(
    _ path: String, _ options: EnvironmentOptions
  ) throws(StorageError) -> OpaquePointer {
    var handle: OpaquePointer?
    try check(unsafe mdb_env_create(&handle), path)
    guard let handle = unsafe handle else { preconditionFailure("LMDB made no environment") }
    do throws(StorageError) {
      // Safe because the handle is valid and not open yet, as these settings demand.
      try check(unsafe mdb_env_set_mapsize(handle, options.mapSize), path)
      try check(unsafe mdb_env_set_maxreaders(handle, options.maximumReaders), path)
      try check(unsafe mdb_env_set_maxdbs(handle, UInt32(options.maximumTables)), path)
      let flags = UInt32(MDB_NOTLS | (options.isReadOnly ? MDB_RDONLY : 0))
      try check(unsafe mdb_env_open(handle, path, flags, 0o660), path)
    } catch {
      // Safe because LMDB wants a handle closed that failed to open.
      unsafe mdb_env_close(handle)
      throw error
    }
    return unsafe handle
  }
}
