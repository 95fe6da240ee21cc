internal import CLedgerLMDB

/// An open LMDB environment: a folder of `data.mdb` and `lock.mdb`.
///
/// All threads may use it. Reads see one snapshot each, are never blocked by the writer and never
/// block it; writes are serial, within the process and across processes, and durable when `write`
/// returns. A second opening of the same files in the process shares the environment, which closes
/// when the last `StorageEnvironment` on it goes.
///
/// ## LMDB limits
///
/// - A transaction is bound to its thread and must not be held over an `await`: it exists only
///   inside a synchronous body.
/// - A long read keeps the file from reusing pages, here and in all processes.
/// - Whoever truncates or overwrites the data file while it is mapped ends the process: the
///   operating system raises SIGBUS, which no error handling sees. Opening finds a file that is
///   too short or whose roots are damaged; pages below them carry no checksum.
/// - After a fork the child must not use the parent's environment, which is refused, but may open
///   its own.
package final class StorageEnvironment: Sendable {
  let core: EnvironmentCore
  /// Whether writes are refused.
  package let isReadOnly: Bool
  private let busyTimeout: Duration

  init(core: EnvironmentCore, _ options: EnvironmentOptions) {
    self.core = core
    isReadOnly = options.isReadOnly
    busyTimeout = options.busyTimeout
  }

  deinit {
    EnvironmentRegistry.release(core)
  }

  /// The folder, as it was named at the first opening.
  package var path: String { core.path }

  /// LMDB's number of the last commit, of whatever process; costs a few nanoseconds.
  ///
  /// It may run ahead of what a new snapshot sees while a commit is on its way to the disk: then
  /// there is nothing new yet. It is 0, the number of no commit, in a forked child.
  package var lastTransactionID: UInt64 { core.lastTransactionID }

  /// Runs `body` with a snapshot of the newest commit.
  ///
  /// The slot and the transaction of a thread are used again, so a read costs neither a lock nor
  /// an allocation. Reads may nest.
  package func read<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing ReadTransaction) throws(Failure) -> Result
  ) throws(TransactionError<Failure>) -> Result {
    let slot: UnsafeMutablePointer<ReaderSlot>
    do throws(StorageError) {
      unsafe slot = try core.beginRead()
    } catch {
      throw .storage(error)
    }
    // Safe because the slot is this thread's and its transaction live until endRead.
    defer { unsafe core.endRead(slot) }
    guard let handle = unsafe slot.pointee.transaction else {
      preconditionFailure("a read began without a transaction")
    }
    do throws(Failure) {
      return try unsafe body(ReadTransaction(handle: handle, core: core, isWriting: false))
    } catch {
      throw .body(error)
    }
  }

  /// Runs `body` with the value stored under `key` in the newest commit, in place, or nil.
  ///
  /// The shortest way to one value: take the slot of this thread, renew its snapshot, look up,
  /// reset, give the slot back. No lock, no allocation; the renewal costs about 10 ns, and nothing
  /// is pinned between calls.
  package func lookup<Result>(
    _ key: Span<UInt8>, in table: Table, _ body: (Span<UInt8>?) -> Result
  ) throws(StorageError) -> Result {
    try lookup(key, in: table) { (value, _) in body(value) }
  }

  /// Runs `body` with the value, as above, and LMDB's number of the snapshot.
  private func lookup<Result>(
    _ key: Span<UInt8>, in table: Table, _ body: (Span<UInt8>?, UInt64) -> Result
  ) throws(StorageError) -> Result {
    try checkKey(key, in: table)
    let slot = try unsafe core.beginRead()
    // Safe because the slot is this thread's and its transaction live until endRead.
    defer { unsafe core.endRead(slot) }
    guard let handle = unsafe slot.pointee.transaction else {
      preconditionFailure("a read began without a transaction")
    }
    // As `ReadTransaction.bytes` does it, without the transaction, which would be made on the heap.
    let tableHandle = try core.tables.handle(of: table)
    var value = unsafe MDB_val()
    // Safe because LMDB neither keeps the key nor writes to it.
    let returnCode = unsafe key.withUnsafeBufferPointer { (buffer) -> Int32 in
      var key = unsafe MDB_val(buffer)
      return unsafe mdb_get(handle, tableHandle, &key, &value)
    }
    // Safe because the bytes stay until the snapshot ends, after the body.
    let snapshot = UInt64(unsafe mdb_txn_id(handle))
    if returnCode == MDB_SUCCESS { return unsafe body(value.span, snapshot) }
    let transaction = unsafe ReadTransaction(handle: handle, core: core, isWriting: false)
    try transaction.checkNotFound(returnCode, in: table)
    return body(nil, snapshot)
  }

  /// Runs `body` with the value stored under a key of two bytes and a text, as `lookup` does.
  ///
  /// The key is built here, on the stack, and `body` gives no result: a key that is handed over in
  /// parts, or a result of any type, would cost more than the look-up. Gives LMDB's number of the
  /// snapshot, by which a commit since an earlier one is known.
  package func lookup(
    _ first: UInt8, _ second: UInt8, _ text: String, in table: Table,
    _ body: (Span<UInt8>?) -> Void
  ) throws(StorageError) -> UInt64 {
    let length = 2 + text.utf8.count
    guard length <= maximumKeyLength else {
      throw StorageError(
        .invalidKey, table.name, "a key has 1 to \(maximumKeyLength) bytes, this one \(length)")
    }
    var failure: StorageError?
    var snapshot: UInt64 = 0
    let bytes = text.utf8Span.span
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumKeyLength) { buffer in
      // Safe because the length was checked against the capacity, all bytes up to it are written
      // before they are read, and the span does not leave the body.
      unsafe buffer[0] = first
      unsafe buffer[1] = second
      let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[2..<length])
      unsafe bytes.withUnsafeBufferPointer { _ = unsafe rest.initialize(fromContentsOf: $0) }
      let key = unsafe Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer[..<length]))
      do throws(StorageError) {
        try lookup(key, in: table) { (value, number) in
          snapshot = number
          body(value)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return snapshot
  }

  /// Runs `body` with the one write transaction and commits what it did.
  ///
  /// When it returns, all of it is on disk; when it throws, none of it is. A body that throws
  /// gives up. Begins and ends on the calling thread, after all writes before it; fails with `busy`
  /// where another process has been writing for longer than the time allowed.
  @available(*, noasync, message: "a write blocks its thread: call it from synchronous code")
  package func write<Result: ~Copyable, Failure: Error>(
    _ body: (inout WriteTransaction) throws(Failure) -> Result
  ) throws(TransactionError<Failure>) -> Result {
    guard !isReadOnly else {
      throw .storage(
        StorageError(.readOnly, path, "opened for reading only: open it for writing"))
    }
    return try core.write(within: busyTimeout, body)
  }

  /// The table of that name, or nil if the newest snapshot has none.
  package func table(named name: String) throws(StorageError) -> Table? {
    try core.existingTable(named: name)
  }

  /// The table of that name, whether or not there is one, and without opening it.
  ///
  /// Until `table(named:)` has found it, operations on it fail with `tableMissing`.
  package func place(forTable name: String) throws(StorageError) -> Table {
    try core.checkedTable(named: name)
  }
}
