internal import LedgerStorage
internal import Synchronization

extension Ledger {
  /// Folds the log anew beside the stored projections and swaps the two in one commit.
  ///
  /// Checks go on with the old projections until the swap; appends wait.
  ///
  /// - Parameter progress: Called now and then with the events read and the events to read.
  /// - Returns: The position up to which the new projections reach.
  /// - Throws: `LedgerError` with `readOnly`, or where the log cannot be read; then the old
  ///   projections stay.
  @discardableResult
  public func rebuild(
    progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(LedgerError) -> Position {
    try rebuild(where: { _ in true }, progress).last
  }

  /// Rebuilds projections that another version has made, unless another process does so first.
  func migrate() throws(LedgerError) {
    if configuration.isReadOnly {
      throw LedgerError(
        .readOnly,
        "the projections were made by another version; run ledger rebuild, which may write")
    }
    _ = try rebuild(where: { $0.projectionVersion != LogFormat.projectionVersion }) { _, _ in }
  }

  private func rebuild(
    where isNeeded: (LogHead) -> Bool, _ progress: (UInt64, UInt64) -> Void
  ) throws(LedgerError) -> LogHead {
    let rebuilt: LogHead
    do {
      rebuilt = try environment.write { (transaction) throws(LedgerError) in
        try self.rebuild(in: &transaction, where: isNeeded, progress)
      }
    } catch {
      throw LedgerError(error)
    }
    tables.generation.store(rebuilt.generation, ordering: .releasing)
    return rebuilt
  }

  private func rebuild(
    in transaction: inout WriteTransaction, where isNeeded: (LogHead) -> Bool,
    _ progress: (UInt64, UInt64) -> Void
  ) throws(LedgerError) -> LogHead {
    try tables.withHead { (snapshot, head) throws(LedgerError) in
      var head = head
      guard isNeeded(head) else { return head }
      let projector = try project(until: head.last, snapshot) { progress($0, head.last.rawValue) }
      let old = head.generation
      head.generation = 1 - old
      head.projectionVersion = LogFormat.projectionVersion
      try translating { () throws(StorageError) in
        let oldTables = try tables.projections(old, in: &transaction)
        let newTables = try tables.projections(head.generation, in: &transaction)
        for table in ProjectionTable.allCases { try transaction.clear(newTables[table]) }
        try projector.write(into: &transaction, newTables)
        try Failpoint.pass("ledger.rebuild")
        for table in ProjectionTable.allCases { try transaction.dropTable(oldTables[table]) }
        let bytes = head.encoded
        try transaction.putRow(LogFormat.headKey, bytes, in: tables.head)
      }
      return head
    }
  }
}
