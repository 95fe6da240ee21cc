internal import CLedgerLMDB
internal import Glibc
internal import Synchronization

extension EnvironmentCore {
  /// A slot of this thread with a live snapshot of the newest commit.
  @inline(__always)
  func beginRead() throws(StorageError) -> UnsafeMutablePointer<ReaderSlot> {
    // Safe because a taken slot and what it holds are this thread's alone.
    guard let slot = unsafe readers.take() else { return try unsafe beginReadSlowly() }
    if drain.load(ordering: .sequentiallyConsistent) == 0, !isForked,
      let transaction = unsafe slot.pointee.transaction,
      unsafe mdb_txn_renew(transaction) == MDB_SUCCESS
    {
      return unsafe slot
    }
    unsafe ReaderPool.giveBack(slot)
    return try unsafe beginReadSlowly()
  }

  /// Ends the snapshot and keeps its transaction for the next read.
  @inline(__always)
  func endRead(_ slot: UnsafeMutablePointer<ReaderSlot>) {
    // Safe because the slot is this thread's and holds the live transaction of the read.
    unsafe mdb_txn_reset(slot.pointee.transaction)
    unsafe ReaderPool.giveBack(slot)
  }

  @inline(never)
  private func beginReadSlowly() throws(StorageError) -> UnsafeMutablePointer<ReaderSlot> {
    var hasClearedReaders = false
    while true {
      guard !isForked else { throw forkedError() }
      guard let slot = unsafe readers.take() else {
        throw StorageError(returnCode: MDB_READERS_FULL, path)
      }
      if drain.load(ordering: .sequentiallyConsistent) != 0,
        unsafe !readers.isReading(besides: slot)
      {
        // The drain goes before; a nested read must not wait, as the drain waits for its thread.
        unsafe ReaderPool.giveBack(slot)
        drainLock.withLock { _ in }
        continue
      }
      let returnCode = unsafe start(slot)
      if returnCode == MDB_SUCCESS { return unsafe slot }
      unsafe ReaderPool.giveBack(slot)
      switch returnCode {
      case MDB_MAP_RESIZED:
        try followGrownMapAsReader()
      case MDB_READERS_FULL where !hasClearedReaders:
        hasClearedReaders = true
        try clearDeadReaders()
      default:
        throw StorageError(returnCode: returnCode, path)
      }
    }
  }

  /// Renews the slot's transaction, or makes one.
  private func start(_ slot: UnsafeMutablePointer<ReaderSlot>) -> Int32 {
    // Safe because the slot is this thread's and the environment is open; MDB_NOTLS binds the
    // transaction to no thread.
    if let transaction = unsafe slot.pointee.transaction {
      return unsafe mdb_txn_renew(transaction)
    }
    return unsafe mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &slot.pointee.transaction)
  }

  private func followGrownMapAsReader() throws(StorageError) {
    let thread = ReaderPool.thisThread
    guard writerThread.load(ordering: .relaxed) != thread, unsafe !readers.isReading(besides: nil)
    else {
      throw StorageError(returnCode: MDB_MAP_RESIZED, path)
    }
    try writer.withLock { (_) throws(StorageError) in try followGrownMap() }
  }
}
