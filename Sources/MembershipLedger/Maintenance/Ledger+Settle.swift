internal import LedgerStorage

/// What settling the feed of changes came to.
public struct SettlementReport: Hashable, Sendable {
  /// The instant up to which the feed has what time alone has changed.
  public internal(set) var upTo: Timestamp
  /// How many changes entered the feed.
  public internal(set) var changes: UInt64 = 0
  /// How many events that took; none where there was nothing to settle.
  public internal(set) var events: UInt64 = 0
}

extension Ledger {
  /// Brings what time alone has changed into the feed of changes, in the order of time.
  ///
  /// Checks need no settling: it is for those who follow `entitlementChanges`. It works in steps,
  /// each an event `settled` and a commit of its own; one that ends in between is taken up by the
  /// next. Several callers and processes may settle at once: each change enters the feed once.
  ///
  /// - Parameter instant: The instant up to which to settle; nil is now.
  /// - Returns: What entered the feed; nothing is recorded where there was nothing to settle.
  /// - Throws: `LedgerError` with `invalidEvent` for an instant that is still to come, by the clock
  ///   and the newest recorded time, or as `append` does.
  @discardableResult
  public func settle(upTo instant: Timestamp? = nil) throws(LedgerError) -> SettlementReport {
    try settle(upTo: instant, stepSize: Self.settlementSize)
  }

  /// Brings what time alone has changed into the feed, without holding the caller's thread; see the
  /// synchronous form.
  ///
  /// - Parameter instant: The instant up to which to settle; nil is now.
  /// - Returns: What entered the feed.
  /// - Throws: As the synchronous form does.
  @discardableResult
  public func settle(
    upTo instant: Timestamp? = nil
  ) async throws(LedgerError) -> SettlementReport {
    var report = SettlementReport(upTo: try settleable(instant))
    while let step = try settlement(upTo: report.upTo, Self.settlementSize) {
      try note(await append(contentsOf: [step]), in: &report)
    }
    return report
  }

  /// How many names' next changes one step takes together, those at its last instant aside.
  private static var settlementSize: Int { 1000 }

  /// Settles in steps of another size.
  package func settle(
    upTo instant: Timestamp?, stepSize: Int
  ) throws(LedgerError) -> SettlementReport {
    var report = SettlementReport(upTo: try settleable(instant))
    while let step = try settlement(upTo: report.upTo, stepSize) {
      try note(append(contentsOf: [step]), in: &report)
    }
    return report
  }

  /// The instant, or now, where that is no instant to come.
  ///
  /// A reading that the clock has since taken back does not count here: what is in the log is there
  /// for ever.
  private func settleable(_ instant: Timestamp?) throws(LedgerError) -> Timestamp {
    let now = max(clock.reading, try tables.withHead { (_, head) in head.recordedAt })
    guard let instant else { return now }
    if instant <= now { return instant }
    throw LedgerError(
      .invalidEvent,
      "the ledger's clock is at \(now), what is to come by \(instant) is not settled; "
        + "name an instant that has passed")
  }

  /// The next step; nil where nothing is left to settle.
  private func settlement(
    upTo end: Timestamp, _ size: Int
  ) throws(LedgerError) -> AppendRequest? {
    let due = try withStore { (store, _, _) throws(LedgerError) in
      try store.storedDeadlines(upTo: end, limit: size)
    }
    guard let last = due.last else { return nil }
    let instant = due.count < size ? end : StoredKey.instant(ofDeadline: last.key)
    let event = Event(
      id: configuration.makeID(instant), provider: .manual, effectiveAt: instant,
      facts: [Fact(.settled(Settlement(upTo: instant)))])
    return AppendRequest(event, if: .due(by: instant))
  }

  private func note(
    _ outcomes: [Result<Receipt, LedgerError>], in report: inout SettlementReport
  ) throws(LedgerError) {
    for outcome in outcomes {
      do throws(LedgerError) {
        report.changes += try changes(writtenAt: try outcome.get().position)
        report.events += 1
      } catch  where error.code == .conditionFailed {
        // Another one has settled it meanwhile.
        continue
      }
      try translating { () throws(StorageError) in try Failpoint.pass("ledger.settled") }
    }
  }
}
