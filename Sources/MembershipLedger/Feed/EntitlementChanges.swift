internal import LedgerStorage

/// The feed of changes from a cursor on, as an asynchronous sequence without an end of its own.
///
/// Each iteration begins at the cursor. It ends when its task is cancelled.
public struct EntitlementChanges: AsyncSequence, Sendable {
  /// One change of what a customer may use.
  public typealias Element = EntitlementChange
  /// What ends the sequence where the ledger cannot be read.
  public typealias Failure = LedgerError

  let ledger: Ledger
  let cursor: UInt64
  let filter: ChangeFilter

  /// Begins an iteration at the cursor.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(ledger: ledger, cursor: cursor, filter: filter)
  }

  /// One reading of the feed.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    private static var pageSize: Int { 100 }
    /// How often LMDB is asked whether there was a commit, which costs nanoseconds.
    private static var pause: Duration { .milliseconds(50) }

    private let ledger: Ledger
    private let filter: ChangeFilter
    private var cursor: UInt64
    private var page: ArraySlice<EntitlementChange> = []
    /// The snapshot in which the feed was read to its end.
    private var snapshot: UInt64?

    init(ledger: Ledger, cursor: UInt64, filter: ChangeFilter) {
      self.ledger = ledger
      self.cursor = cursor
      self.filter = filter
    }

    /// The next change, waited for; nil once the task is cancelled.
    public mutating func next() async throws(LedgerError) -> EntitlementChange? {
      try await next(isolation: nil)
    }

    /// The next change, waited for; nil once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LedgerError) -> EntitlementChange? {
      while !Task.isCancelled {
        if let change = page.popFirst() { return change }
        if ledger.environment.lastTransactionID != snapshot { try read() }
        // LMDB tells of a commit before it can be read, so that reading at once might find nothing
        // many times over.
        if page.isEmpty, snapshot != nil { try? await Task.sleep(for: Self.pause) }
      }
      return nil
    }

    private mutating func read() throws(LedgerError) {
      let found = try ledger.changes(after: cursor, limit: Self.pageSize, matching: filter)
      cursor = found.cursor
      page = found.changes[...]
      snapshot = found.isLast ? found.snapshot : nil
    }
  }
}
