internal import LedgerStorage
internal import Synchronization

extension AccessIndex {
  /// A check takes up no more changes than these; after more the index is made anew beside checks.
  private static let mostChanges = 10_000

  /// Takes up what changed since, unless another thread is doing so: nobody waits.
  ///
  /// - Returns: The commit that the index is as of then; nil where it is as of none.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  func catchUp(_ tables: LogTables, _ clock: LedgerClock) throws(LedgerError) -> UInt64? {
    let reached = try upkeep.withLockIfFree { (upkeep) throws(LedgerError) -> UInt64? in
      guard upkeep.phase == .filled else { return nil }
      return try advance(&upkeep, tables, clock, limit: Self.mostChanges)
    }
    return reached ?? nil
  }

  /// Brings the slots to the newest commit; without success there is no index any more.
  func advance(
    _ upkeep: inout Upkeep, _ tables: LogTables, _ clock: LedgerClock, limit: Int
  ) throws(LedgerError) -> UInt64? {
    let former = upkeep
    upkeep.phase = .idle
    let reached = try tables.withProjections {
      (snapshot, head, projections) throws(LedgerError) -> (commit: UInt64, last: Position)? in
      let number = snapshot.read { $0.id }
      let current = commit.load(ordering: .relaxed)
      // Another process's commit that is on its way to the disk is not in a new snapshot yet.
      if former.phase == .filled, number == current { return (number, former.position) }
      guard head.generation == former.generation,
        let rows = try rows(changedAfter: former.position, limit, projections, snapshot)
      else {
        commit.store(0, ordering: .releasing)
        return nil
      }
      let instant = max(clock.now.milliseconds, 0)
      commit.store(0, ordering: .relaxed)
      // What is stored from here on is seen by nobody who has not seen the 0.
      atomicMemoryFence(ordering: .releasing)
      from.store(instant, ordering: .relaxed)
      for row in rows where !put(row.value.span, under: row.key.span, from: instant) { return nil }
      return (number, head.last)
    }
    guard let reached else { return nil }
    upkeep = former
    upkeep.phase = .filled
    upkeep.position = reached.last
    commit.store(reached.commit, ordering: .releasing)
    return reached.commit
  }

  /// The rows that changed after a position, as they are in a snapshot; nil where they are too many.
  private func rows(
    changedAfter position: Position, _ limit: Int, _ tables: ProjectionTables, _ snapshot: Snapshot
  ) throws(LedgerError) -> [(key: [UInt8], value: [UInt8])]? {
    var keys: Set<[UInt8]> = []
    let isWhole = try snapshot.read { (transaction) throws(LedgerError) -> Bool in
      var isWhole = true
      try forEachEntry(
        of: tables.changes, from: StoredKey.change(Position(position.rawValue + 1), 0),
        in: transaction
      ) { (_, value) throws(LedgerError) in
        let named = try CustomerName(stored: value)
        keys.insert(StoredKey.access(named.name, named.environment))
        isWhole = keys.count <= limit
        return isWhole
      }
      return isWhole
    }
    guard isWhole else { return nil }
    return try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        var rows: [(key: [UInt8], value: [UInt8])] = []
        for key in keys {
          if let value = try transaction.row(key, in: tables.access) { rows.append((key, value)) }
        }
        return rows
      }
    }
  }

  /// Puts a stored row into its slot; false where there is no room.
  func put(_ row: Span<UInt8>, under key: Span<UInt8>, from instant: Int64) -> Bool {
    // Names that are too long stand there as hashes; whoever asks for one reads the stored row.
    guard key.count > 2, key[1] == StoredKey.plain,
      let slot = self.key(of: key.extracting(2..<key.count), in: key[0])
    else { return true }
    let environment = key[0]
    let value = AccessSlot.encode(row, from: instant) { name in
      self.key(of: name.utf8Span.span, in: environment)
    }
    return slots.set(slot, to: value)
  }
}
