internal import LedgerStorage

extension Ledger {
  /// Reads a page of the feed of changes: who gained and lost which entitlement, and why.
  ///
  /// An event's changes enter the feed with it; those that time alone makes enter it with the next
  /// event about the customer, or by `settle`, whichever comes first, and in the order of time. An
  /// extension of what is had anyway makes none. A name that is linked or merged loses what it had
  /// to the name that it leads to.
  ///
  /// - Parameters:
  ///   - cursor: The `sequence` of the last change that is known; 0 before the first.
  ///   - limit: The most changes to read.
  ///   - customer: Only changes about this name; nil is any.
  ///   - environment: Only changes in this environment; nil is any.
  /// - Returns: The changes in the order of the feed; fewer than `limit` where it has no more.
  /// - Throws: `LedgerError` with `unknownReference` for a cursor beyond the last change, of which
  ///   another ledger, such as one of which this is an older copy, must have told; else where the
  ///   ledger cannot be read.
  public func entitlementChanges(
    after cursor: UInt64 = 0, limit: Int, of customer: CustomerID? = nil,
    in environment: Environment? = .production
  ) throws(LedgerError) -> [EntitlementChange] {
    let filter = ChangeFilter(customer: customer, environment: environment)
    var found: [EntitlementChange] = []
    var cursor = cursor
    while found.count < limit {
      let page = try changes(after: cursor, limit: limit - found.count, matching: filter)
      found += page.changes
      cursor = page.cursor
      if page.isLast { break }
    }
    return found
  }

  /// Follows the feed of changes from a cursor on, for as long as the task runs.
  ///
  /// What is in the feed comes at once, then each change soon after its commit, whichever process
  /// made it. Whoever stores the `sequence` of each change that was dealt with, and begins after it
  /// the next time, sees every change, none twice. Nothing of the ledger is held between changes.
  ///
  /// - Parameters:
  ///   - cursor: The `sequence` of the last change that is known; 0 before the first.
  ///   - customer: Only changes about this name; nil is any.
  ///   - environment: Only changes in this environment; nil is any.
  /// - Returns: The changes in the order of the feed; the sequence ends when its task is cancelled,
  ///   and throws `unknownReference` where the cursor lies beyond the last change.
  public func entitlementChanges(
    after cursor: UInt64 = 0, of customer: CustomerID? = nil,
    in environment: Environment? = .production
  ) -> EntitlementChanges {
    EntitlementChanges(
      ledger: self, cursor: cursor,
      filter: ChangeFilter(customer: customer, environment: environment))
  }
}

/// Which changes to read.
struct ChangeFilter: Sendable {
  let customer: CustomerID?
  let environment: Environment?

  func lets(_ change: EntitlementChange) -> Bool {
    change.environment == environment ?? change.environment
      && change.customer == customer ?? change.customer
  }
}

/// A part of the feed, read from one snapshot.
struct ChangePage {
  var changes: [EntitlementChange] = []
  /// Up to where the feed was looked through.
  var cursor: UInt64
  /// Whether the snapshot had no more.
  var isLast = true
  /// LMDB's number of the snapshot.
  var snapshot: UInt64
}

extension Ledger {
  /// How many changes are looked through under one snapshot.
  private static var largestPage: Int { 1000 }

  func changes(
    after cursor: UInt64, limit: Int, matching filter: ChangeFilter
  ) throws(LedgerError) -> ChangePage {
    try tables.withProjections { (snapshot, _, projections) throws(LedgerError) in
      try snapshot.read { (transaction) throws(LedgerError) in
        try transaction.check(cursor, projections)
        var page = ChangePage(cursor: cursor, snapshot: transaction.id)
        var steps = 0
        let visit = { (change: EntitlementChange) in
          page.cursor = change.sequence
          if filter.lets(change) { page.changes.append(change) }
          steps += 1
          page.isLast = page.changes.count < limit && steps < Self.largestPage
          return page.isLast
        }
        if let customer = filter.customer, let environment = filter.environment {
          let key = StoredKey.access(customer, environment)
          try transaction.forEachChange(of: key, after: cursor, projections, visit)
        } else {
          try transaction.forEachChange(after: cursor, projections, visit)
        }
        return page
      }
    }
  }

  /// How many changes the event at a position, one of the last, has written.
  func changes(writtenAt position: Position) throws(LedgerError) -> UInt64 {
    try tables.withProjections { (snapshot, _, projections) throws(LedgerError) in
      try snapshot.read { (transaction) throws(LedgerError) in
        var count: UInt64 = 0
        try translating { () throws(StorageError) in
          var entries = try transaction.entries(in: projections.feed, order: .descending)
          while let entry = try entries.next(),
            let change = try? EntitlementChange(decoding: entry.value.copied()),
            change.position >= position
          {
            if change.position == position { count += 1 }
          }
        }
        return count
      }
    }
  }
}

extension ReadTransaction {
  /// Refuses a cursor that no change of this ledger ever had: whoever holds it saw changes that
  /// this one does not know, and would miss as many of those to come.
  fileprivate borrowing func check(
    _ cursor: UInt64, _ tables: ProjectionTables
  ) throws(LedgerError) {
    if cursor == 0 { return }
    let key = try translating { () throws(StorageError) in try lastKey(in: tables.feed) }
    let last = key.map(StoredKey.sequence(ofFeed:)) ?? 0
    if cursor <= last { return }
    throw LedgerError(
      .unknownReference,
      "the feed ends with change \(last); there is no change \(cursor) to go on after. If the "
        + "ledger was restored from a backup, what changes \(last + 1) to \(cursor) said is no "
        + "longer so: go on after \(last), once it is undone where it was passed on")
  }

  /// Runs `body` with each change after a cursor while it says to go on.
  fileprivate borrowing func forEachChange(
    after cursor: UInt64, _ tables: ProjectionTables, _ body: (EntitlementChange) -> Bool
  ) throws(LedgerError) {
    var failure: LedgerError?
    try translating { () throws(StorageError) in
      let start = StoredKey.feed(cursor)
      var entries = try entries(in: tables.feed, after: start.span)
      while failure == nil, let entry = try entries.next() {
        do throws(LedgerError) {
          if !body(try EntitlementChange(stored: entry.value.copied())) { break }
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }

  /// Runs `body` with each change of a name after a cursor while it says to go on.
  fileprivate borrowing func forEachChange(
    of access: [UInt8], after cursor: UInt64, _ tables: ProjectionTables,
    _ body: (EntitlementChange) -> Bool
  ) throws(LedgerError) {
    var failure: LedgerError?
    try translating { () throws(StorageError) in
      let prefix = StoredKey.customerFeed(access)
      let start = StoredKey.customerFeed(access, cursor)
      var entries = try entries(
        in: tables.customerFeeds, prefix: prefix.span, after: start.span)
      while failure == nil, let key = try entries.next()?.key.copied() {
        let sequence = StoredKey.sequence(ofCustomerFeed: key)
        let row = try row(StoredKey.feed(sequence), in: tables.feed)
        do throws(LedgerError) {
          if !body(try EntitlementChange(stored: row ?? [])) { break }
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }
}

extension EntitlementChange {
  fileprivate init(stored bytes: [UInt8]) throws(LedgerError) {
    do throws(WireError) {
      try self.init(decoding: bytes)
    } catch {
      throw LedgerError(
        .damaged, "a change in the feed cannot be read: \(error); run ledger rebuild")
    }
  }
}
