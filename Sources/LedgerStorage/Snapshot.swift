/// A snapshot that code outside this module can hand on while it lasts.
///
/// Unlike `ReadTransaction` it is a reference, for generic code that keeps its source in a property.
/// It belongs to the body of `StorageEnvironment.withSnapshot`; using it afterwards traps.
@safe package final class Snapshot {
  private let core: EnvironmentCore
  private var handle: OpaquePointer?

  fileprivate init(handle: OpaquePointer, core: EnvironmentCore) {
    unsafe self.handle = handle
    self.core = core
  }

  fileprivate func close() {
    unsafe handle = nil
  }

  /// Runs `body` with the snapshot as a transaction.
  package func read<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing ReadTransaction) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let handle = unsafe handle else {
      preconditionFailure("a snapshot was used after the body it belongs to")
    }
    // Safe because the handle is live until `close`, which ends the snapshot.
    return try unsafe body(ReadTransaction(handle: handle, core: core, isWriting: false))
  }
}

extension StorageEnvironment {
  /// Runs `body` with a snapshot of the newest commit, to be used on this thread.
  package func withSnapshot<Result: ~Copyable, Failure: Error>(
    _ body: (Snapshot) throws(Failure) -> Result
  ) throws(TransactionError<Failure>) -> Result {
    try read { (transaction) throws(Failure) in
      // Safe because the snapshot is closed before the transaction ends.
      let snapshot = unsafe Snapshot(handle: transaction.handle, core: transaction.core)
      defer { snapshot.close() }
      return try body(snapshot)
    }
  }
}
