extension Ledger {
  /// What the ledger takes for now, wherever a question names no instant.
  ///
  /// That is what the clock shows, unless it has shown a later instant, or one is recorded: then
  /// the latest of these. A clock that goes back gives nobody access again.
  public var now: Timestamp { clock.now }

  /// How far the clock is behind the newest recorded time.
  ///
  /// - Returns: The difference; zero where the clock is not behind.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func clockLag() throws(LedgerError) -> Duration {
    try tables.withHead { (_, head) in clock.lag(behind: head.recordedAt) }
  }
}
