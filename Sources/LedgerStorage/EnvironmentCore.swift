internal import CLedgerLMDB
internal import Glibc
internal import Synchronization

/// One open LMDB environment of the process, shared by all `StorageEnvironment`s on its file.
@safe final class EnvironmentCore: @unchecked Sendable {
  // Sendable is safe because `handle` may be used by all threads under LMDB's rules, which the
  // extensions of this class keep: one write at a time under `writer`, each read transaction by
  // the thread that holds its slot, and the map moved or a table closed only when no read is
  // under way. All other properties are constants or synchronize themselves.
  let handle: OpaquePointer
  let path: String
  let identity: FileIdentity
  let options: EnvironmentOptions
  let forkCount: Int
  let readers: ReaderPool
  let tables: TableDirectory
  /// Held while the right to write is waited for and for the length of the write after.
  let writerTurn = Lock(())
  /// The right to write, among all processes; nil in an environment opened for reading.
  let writerLock: WriterLock?
  let writer = Lock(WriterState())
  /// The thread inside `write`, 0 if none.
  let writerThread = Atomic<UInt>(0)
  /// Not 0 while reads must not begin.
  let drain = Atomic<Int>(0)
  /// Held for the length of a drain, so that reads can wait for its end.
  let drainLock = Lock(())
  /// Dead readers of other processes whose slots were cleared so far.
  let clearedReaders = Atomic<Int>(0)
  /// LMDB's number for the tree that holds the names of tables.
  static let mainHandle: UInt32 = 1

  init(
    handle: OpaquePointer, path: String, identity: FileIdentity, options: EnvironmentOptions
  ) throws(StorageError) {
    unsafe self.handle = handle
    self.path = path
    self.identity = identity
    self.options = options
    writerLock = options.isReadOnly ? nil : try WriterLock(path)
    forkCount = ProcessFork.count.load(ordering: .relaxed)
    var slots: UInt32 = 0
    // Safe because the environment is open and `slots` a valid place.
    try check(unsafe mdb_env_get_maxreaders(handle, &slots), path)
    readers = ReaderPool(count: Int(slots))
    tables = TableDirectory(capacity: options.maximumTables)
  }

  /// Closes the files.
  ///
  /// No read or write is under way, as none outlives the handle it came from.
  ///
  /// In a forked child nothing is closed: the parent's reader slots are not ours to clear.
  func close() {
    guard !isForked else { return }
    readers.endAll()
    // Safe because the environment is open and this is its last use.
    unsafe mdb_env_close(handle)
  }

  /// Whether the process was forked since the environment was opened.
  @inline(__always)
  var isForked: Bool { ProcessFork.count.load(ordering: .relaxed) != forkCount }

  func forkedError() -> StorageError {
    StorageError(
      .usedAfterFork, path, "opened before the process was forked: open it anew in the child")
  }

  /// LMDB's number of the last commit, of whatever process.
  ///
  /// It may run ahead of what a new snapshot sees while a commit is on its way to the disk. In a
  /// forked child, which must not use the environment, it is 0, the number of no commit.
  @inline(__always)
  var lastTransactionID: UInt64 {
    if isForked { return 0 }
    var info = unsafe MDB_envinfo()
    // Safe because the environment is open and `info` a valid place.
    _ = unsafe mdb_env_info(handle, &info)
    return unsafe UInt64(info.me_last_txnid)
  }

  /// Runs `body` while no read of this process is under way and none begins.
  ///
  /// Fails if this thread itself reads, or if others still do after the time allowed.
  func withoutReads<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try drainLock.withLock { (_) throws(StorageError) -> Result in
      guard unsafe !readers.isReading(besides: nil) else {
        throw StorageError(
          .readsInTheWay, path,
          "the map has to move, or a table to close, and this thread is inside a read")
      }
      drain.store(1, ordering: .sequentiallyConsistent)
      defer { drain.store(0, ordering: .sequentiallyConsistent) }
      var waited = 0
      while !readers.isIdle() {
        guard waited < options.readsLimit * 10 else {
          throw StorageError(
            .readsInTheWay, path, "reads of this process last over \(options.readsLimit) ms")
        }
        usleep(100)
        waited += 1
      }
      return try body()
    }
  }

  /// Follows the map size that another process has written down.
  ///
  /// The caller holds the writer lock, or is alone, and no transaction.
  func followGrownMap() throws(StorageError) {
    try withoutReads { () throws(StorageError) in
      // Safe because no transaction of this process is live, so nothing points into the old map.
      try check(unsafe mdb_env_set_mapsize(handle, 0), path)
    }
  }

  /// Clears the reader slots of processes that died.
  func clearDeadReaders() throws(StorageError) {
    var dead: Int32 = 0
    // Safe because the environment is open and `dead` a valid place.
    try check(unsafe mdb_reader_check(handle, &dead), path)
    if dead > 0 { clearedReaders.wrappingAdd(Int(dead), ordering: .relaxed) }
  }
}
