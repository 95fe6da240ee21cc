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
    var rebuilt: LogHead?
    do {
      try environment.write { (transaction) throws(LedgerError) in
        rebuilt = try self.rebuild(in: &transaction, progress)
      }
    } catch {
      throw LedgerError(error)
    }
    guard let rebuilt else { preconditionFailure("a rebuild ends with a head") }
    generation.store(rebuilt.generation, ordering: .releasing)
    return rebuilt.last
  }

  /// Rebuilds projections that another version has made.
  func migrate() throws(LedgerError) {
    if configuration.isReadOnly {
      throw LedgerError(
        .readOnly,
        "the projections were made by another version; run ledger rebuild, which may write")
    }
    try rebuild()
  }

  private func rebuild(
    in transaction: inout WriteTransaction, _ progress: (UInt64, UInt64) -> Void
  ) throws(LedgerError) -> LogHead {
    try withSnapshot { (snapshot) throws(LedgerError) in
      var head = try tables.head(in: snapshot)
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
