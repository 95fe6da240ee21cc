internal import LedgerStorage

extension Ledger {
  /// What appending events would answer, found without writing: a ledger open for reading will do.
  ///
  /// The requests are judged in order on top of what is recorded, as `append(contentsOf:)` judges
  /// them; an event that is already there, or twice among the requests, is a duplicate.
  ///
  /// - Parameter requests: The events with what goes with them.
  /// - Returns: One outcome for each request, in order; the positions are those that would follow.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func rehearse(
    _ requests: [AppendRequest]
  ) throws(LedgerError) -> [Result<Receipt, LedgerError>] {
    try tables.withProjections { (snapshot, head, projections) throws(LedgerError) in
      var batch = Batch(snapshot, tables, projections, head, terms: nil)
      var outcomes: [Result<Receipt, LedgerError>] = []
      for request in requests {
        outcomes.append(try batch.evaluate(request, now: clock.now))
      }
      return outcomes
    }
  }
}
