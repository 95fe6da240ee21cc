internal import LedgerStorage

extension OverlayStore {
  /// A name's next change by time alone: its key in the order of time, and the name.
  typealias Deadline = (key: [UInt8], name: [UInt8])

  /// Takes out every deadline at or before an instant.
  mutating func takeDeadlines(upTo instant: Timestamp) throws(LedgerError) -> [Deadline] {
    var due = try storedDeadlines(upTo: instant)
    while let key = deadlines.first, StoredKey.instant(ofDeadline: key) <= instant {
      deadlines.removeFirst()
      // One that was taken out, or was set twice, is in the queue all the same.
      guard let name = overlaidRow(key, in: .deadlines) else { continue }
      removeRow(key, in: .deadlines)
      due.append((key, name))
    }
    for deadline in due { removeRow(deadline.key, in: .deadlines) }
    return due
  }

  /// Whether there is a deadline at or before an instant.
  func hasDeadline(upTo instant: Timestamp) throws(LedgerError) -> Bool {
    // Those on top are few: the ones of the appends in one transaction.
    for key in overlaidKeys(in: .deadlines) where StoredKey.instant(ofDeadline: key) <= instant {
      return true
    }
    return try !storedDeadlines(upTo: instant, limit: 1).isEmpty
  }

  /// The first deadlines of the base, at or before an instant, that still hold.
  func storedDeadlines(
    upTo instant: Timestamp, limit: Int = .max
  ) throws(LedgerError) -> [Deadline] {
    guard let base else { return [] }
    return try translating { () throws(StorageError) in
      try base.snapshot.read { (transaction) throws(StorageError) in
        var found: [Deadline] = []
        var entries = try transaction.entries(in: base.tables.deadlines)
        while found.count < limit, let entry = try entries.next() {
          let key = entry.key.copied()
          if StoredKey.instant(ofDeadline: key) > instant { break }
          if !isOverlaid(key, in: .deadlines) { found.append((key, entry.value.copied())) }
        }
        return found
      }
    }
  }

  /// How many changes the feed of the base has.
  func storedFeedLength() throws(LedgerError) -> UInt64 {
    guard let base else { return 0 }
    let last = try translating { () throws(StorageError) in
      try base.snapshot.read { (transaction) throws(StorageError) in
        try transaction.lastKey(in: base.tables.feed)
      }
    }
    return last.map(StoredKey.sequence(ofFeed:)) ?? 0
  }
}
