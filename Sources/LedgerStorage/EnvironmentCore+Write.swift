internal import CLedgerLMDB
internal import Glibc
internal import Synchronization

/// What the writer lock guards.
struct WriterState {
  /// The failure after which nothing is written any more.
  var closedBy: StorageError?
  /// The number of this process's last commit; a gap to the next means that others wrote.
  var lastCommit: UInt64 = 0
  var commitsSinceReaderCheck = 0
  var lastReaderCheck = 0
}

extension EnvironmentCore {
  private static let commitsBetweenReaderChecks = 256
  private static let secondsBetweenReaderChecks = 5

  func write<Result: ~Copyable, Failure: Error>(
    within limit: Duration, _ body: (inout WriteTransaction) throws(Failure) -> Result
  ) throws(TransactionError<Failure>) -> Result {
    do throws(StorageError) { try checkWritable() } catch { throw .storage(error) }
    // The wait for other processes comes first: under `writer` it would hold up reads that have a
    // table to open.
    return try writerTurn.withLock { (_) throws(TransactionError<Failure>) -> Result in
      do throws(StorageError) {
        try writerLock?.acquire(within: limit)
      } catch {
        throw .storage(error)
      }
      defer { writerLock?.release() }
      return try writeAlone(body)
    }
  }

  /// The write, while no other process writes and no other thread of this one.
  private func writeAlone<Result: ~Copyable, Failure: Error>(
    _ body: (inout WriteTransaction) throws(Failure) -> Result
  ) throws(TransactionError<Failure>) -> Result {
    try writer.withLock { (state) throws(TransactionError<Failure>) -> Result in
      writerThread.store(ReaderPool.thisThread, ordering: .relaxed)
      defer { writerThread.store(0, ordering: .relaxed) }
      var transaction: WriteTransaction
      do throws(StorageError) {
        transaction = try begin(&state)
      } catch {
        throw .storage(error)
      }
      let result: Result
      do throws(Failure) {
        result = try body(&transaction)
      } catch {
        giveUp(transaction)
        throw .body(error)
      }
      do throws(StorageError) {
        try commit(transaction, &state)
      } catch {
        throw .storage(error)
      }
      return result
    }
  }

  private func checkWritable() throws(StorageError) {
    guard !isForked else { throw forkedError() }
    guard writerThread.load(ordering: .relaxed) != ReaderPool.thisThread else {
      throw StorageError(
        .nestedWrite, path, "this thread is inside a write already: use its transaction")
    }
  }

  private func begin(_ state: inout WriterState) throws(StorageError) -> WriteTransaction {
    if let cause = state.closedBy {
      throw StorageError(
        .writerClosed, path,
        "closed after a failure (\(cause.message)): close the environment and open it again")
    }
    try Failpoint.pass("storage.before-begin")
    var handle: OpaquePointer?
    // Safe because the environment is open and this thread alone writes.
    var returnCode = unsafe mdb_txn_begin(self.handle, nil, 0, &handle)
    if returnCode == MDB_MAP_RESIZED {
      try followGrownMap()
      returnCode = unsafe mdb_txn_begin(self.handle, nil, 0, &handle)
    }
    if returnCode != MDB_SUCCESS {
      let error = StorageError(returnCode: returnCode, path)
      if error.code == .reopenRequired { state.closedBy = error }
      throw error
    }
    guard let handle = unsafe handle else { preconditionFailure("LMDB began no transaction") }
    let transaction = unsafe WriteTransaction(handle: handle, core: self)
    if transaction.id != state.lastCommit + 1 {
      do throws(StorageError) {
        try closeTablesDroppedByOthers(transaction)
      } catch {
        giveUp(transaction)
        throw error
      }
    }
    return transaction
  }

  private func giveUp(_ transaction: consuming WriteTransaction) {
    // Safe because the transaction is live and not used after.
    unsafe mdb_txn_abort(transaction.reader.handle)
    forgetCreated(transaction)
  }

  private func forgetCreated(_ transaction: borrowing WriteTransaction) {
    // LMDB closes the handles of tables that were made in a transaction that fails.
    for table in transaction.created {
      tables.setHandle(TableDirectory.closed, of: table)
    }
  }

  private func commit(
    _ transaction: consuming WriteTransaction, _ state: inout WriterState
  ) throws(StorageError) {
    if let failure = transaction.failure {
      giveUp(transaction)
      throw failure
    }
    do throws(StorageError) {
      try Failpoint.pass("storage.before-commit")
    } catch {
      giveUp(transaction)
      throw error
    }
    let id = transaction.id
    let returnCode: Int32
    if transaction.dropped.isEmpty {
      returnCode = end(transaction)
      if returnCode != MDB_SUCCESS { forgetCreated(transaction) }
    } else {
      returnCode = try commitDropping(transaction)
    }
    guard returnCode == MDB_SUCCESS else { throw failedCommit(returnCode, &state) }
    state.lastCommit = id
    try Failpoint.pass("storage.after-commit")
    clearDeadReadersNowAndThen(&state)
  }

  /// LMDB's commit, or what an armed failpoint puts in its place.
  private func end(_ transaction: borrowing WriteTransaction) -> Int32 {
    #if DEBUG
      for name in ["storage.commit", "storage.meta-write"] as [StaticString] {
        if let code = Failpoint.injectedCode(at: name) {
          unsafe mdb_txn_abort(transaction.reader.handle)
          return code
        }
      }
    #endif
    // Safe because the transaction is live; it is freed whatever the outcome.
    return unsafe mdb_txn_commit(transaction.reader.handle)
  }

  /// Removes the dropped tables and commits while no read of this process can use their handles.
  private func commitDropping(
    _ transaction: borrowing WriteTransaction
  ) throws(StorageError) -> Int32 {
    var isOver = false
    do throws(StorageError) {
      return try withoutReads { () throws(StorageError) -> Int32 in
        var returnCode = MDB_SUCCESS
        for table in transaction.dropped where returnCode == MDB_SUCCESS {
          // Safe because the handle is open and no reader holds it; LMDB closes it.
          returnCode = unsafe mdb_drop(
            transaction.reader.handle, try tables.handle(of: table), 1)
          tables.setHandle(TableDirectory.closed, of: table)
        }
        isOver = true
        if returnCode == MDB_SUCCESS {
          returnCode = end(transaction)
        } else {
          unsafe mdb_txn_abort(transaction.reader.handle)
        }
        if returnCode != MDB_SUCCESS {
          forgetCreated(transaction)
          for table in transaction.dropped { _ = try open(table) }
        }
        return returnCode
      }
    } catch {
      if !isOver {
        unsafe mdb_txn_abort(transaction.reader.handle)
        forgetCreated(transaction)
      }
      throw error
    }
  }

  /// Decides what a failed commit means for the writes after it.
  ///
  /// A full disk changes nothing, and LMDB goes on once there is space. After any other failure
  /// only a new look at the file tells what it holds, so the writer is closed.
  private func failedCommit(_ returnCode: Int32, _ state: inout WriterState) -> StorageError {
    if returnCode == EIO, let free = FileSystem.freeSpace(beside: path), free < 1 << 16 {
      // Some file systems write short on a full disk, which LMDB reports as EIO.
      return StorageError(returnCode: ENOSPC, path)
    }
    let error = StorageError(returnCode: returnCode, path)
    if error.code != .diskFull && error.code != .mapFull && error.code != .transactionFailed {
      state.closedBy = error
    }
    return error
  }

  private func clearDeadReadersNowAndThen(_ state: inout WriterState) {
    let now = options.probes.secondsSinceBoot()
    state.commitsSinceReaderCheck += 1
    guard
      state.commitsSinceReaderCheck >= EnvironmentCore.commitsBetweenReaderChecks
        || now - state.lastReaderCheck >= EnvironmentCore.secondsBetweenReaderChecks
    else { return }
    state.commitsSinceReaderCheck = 0
    state.lastReaderCheck = now
    // The commit stands whether or not this works; the next time is soon.
    try? clearDeadReaders()
  }
}
