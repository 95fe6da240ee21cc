internal import LedgerStorage

// The feed follows from the access rows alone. Whenever a record rewrites one, what time alone had
// changed by the old row until then comes first, then what the record itself changed. So a name's
// changes are the same whether they were settled often, once or never.

/// The access row in whose place a record has put another.
struct FormerRow {
  let named: CustomerName
  let row: [UInt8]?
}

extension Projector {
  /// Writes into the feed what a record has changed, by the rows that it has rewritten.
  mutating func announce(
    _ rewritten: [[UInt8]: FormerRow], by record: RecordedEvent
  ) throws(LedgerError) {
    let ordered = rewritten.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (key, former) in ordered {
      var feed = NameFeed(former.named, key, former.row, try feedState(key))
      while let flip = feed.state.next, flip <= record.recordedAt {
        try announce(flip, .time, &feed, record)
      }
      feed.flips = AccessFlips(try store.row(key, in: .access))
      try announce(record.recordedAt, .event(record.event.id), &feed, record)
      save(feed)
    }
  }

  /// Writes into the feed what time alone has changed by an instant, in the order of time.
  mutating func settle(
    _ settlement: Settlement, by record: RecordedEvent
  ) throws(LedgerError) {
    // What is after the record is not known yet.
    let end = min(settlement.upTo, record.recordedAt)
    var feeds: [[UInt8]: NameFeed] = [:]
    var open = KeyQueue()
    for deadline in try fold.store.takeDeadlines(upTo: end) {
      let key = StoredKey.access(ofDeadline: deadline.key)
      let named = try CustomerName(stored: deadline.name)
      feeds[key] = NameFeed(named, key, try store.row(key, in: .access), try feedState(key))
      open.insert(deadline.key)
    }
    while let deadline = open.removeFirst() {
      let key = StoredKey.access(ofDeadline: deadline)
      guard var feed = feeds[key] else { preconditionFailure("a deadline of no name") }
      try announce(StoredKey.instant(ofDeadline: deadline), .time, &feed, record)
      if let flip = feed.state.next, flip <= end { open.insert(StoredKey.deadline(flip, key)) }
      feeds[key] = feed
    }
    for feed in feeds.values { save(feed) }
  }

  private mutating func announce(
    _ instant: Timestamp, _ cause: EntitlementChange.Cause, _ feed: inout NameFeed,
    _ record: RecordedEvent
  ) throws(LedgerError) {
    guard let step = feed.step(to: instant) else { return }
    let change = EntitlementChange(
      sequence: try nextSequence(), customer: feed.named.name, environment: feed.named.environment,
      customerSequence: step.place, at: instant,
      gained: try keys(of: step.after.subtracting(step.before)),
      lost: try keys(of: step.before.subtracting(step.after)),
      entitlements: try keys(of: step.after), cause: cause, position: record.position,
      recordedAt: record.recordedAt, leadsTo: feed.flips.leadsTo)
    fold.store.setRow(StoredKey.feed(change.sequence), in: .feed, to: change.encoded())
    fold.store.setRow(
      StoredKey.customerFeed(feed.key, change.sequence), in: .customerFeeds, to: [])
  }

  /// The next number of the feed, taken.
  private mutating func nextSequence() throws(LedgerError) -> UInt64 {
    let length = if let feedLength { feedLength } else { try store.storedFeedLength() }
    feedLength = length + 1
    return length + 1
  }

  private func feedState(_ key: [UInt8]) throws(LedgerError) -> FeedState {
    let row = try store.row(StoredKey.customerFeed(key), in: .customerFeeds)
    return try row.map { (bytes) throws(LedgerError) in try FeedState(decoding: bytes) }
      ?? FeedState()
  }

  private mutating func save(_ feed: NameFeed) {
    if feed.state == feed.former { return }
    if let former = feed.former.next, former != feed.state.next {
      fold.store.removeRow(StoredKey.deadline(former, feed.key), in: .deadlines)
    }
    if let next = feed.state.next, next != feed.former.next {
      fold.store.setRow(
        StoredKey.deadline(next, feed.key), in: .deadlines, to: feed.named.encoded())
    }
    fold.store.setRow(
      StoredKey.customerFeed(feed.key), in: .customerFeeds, to: feed.state.encoded)
  }

  /// The entitlements with these numbers, sorted.
  private mutating func keys(of numbers: Set<UInt32>) throws(LedgerError) -> [EntitlementKey] {
    if numbers.isEmpty { return [] }
    let known = if let entitlements { entitlements } else { try numberedEntitlements() }
    entitlements = known
    return numbers.compactMap { known[$0] }.sorted()
  }

  private func numberedEntitlements() throws(LedgerError) -> [UInt32: EntitlementKey] {
    var keys: [UInt32: EntitlementKey] = [:]
    try store.forEachRow(in: .entitlements) { (key, value) throws(LedgerError) in
      guard let number = EntitlementNumber.decode(value) else {
        throw LedgerError(
          .damaged, "the number of an entitlement cannot be read; run ledger rebuild")
      }
      keys[number] = EntitlementKey(unchecked: String(decoding: key, as: UTF8.self))
    }
    return keys
  }
}
