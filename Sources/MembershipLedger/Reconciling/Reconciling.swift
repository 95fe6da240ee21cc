/// Compares documents of a provider's present state with a batch's, and appends what differs.
enum Reconciling {
  /// What comparing one document came to.
  enum Finding: Sendable {
    case agreement
    case drift(Drift)
    case refusal(EventID, LedgerError)
  }

  /// Folds each event on top of the batch, and leaves it there only if some answer differs.
  static func compare(
    _ events: [Event], in batch: inout Batch, now: Timestamp
  ) throws(LedgerError) -> [Finding] {
    var findings: [Finding] = []
    for event in events { findings.append(try compare(event, in: &batch, now: now)) }
    return findings
  }

  /// The same in the transaction that writes.
  static let record: Ledger.Appraisal<[Finding]> = { (batch, events, now) throws(LedgerError) in
    try compare(events, in: &batch, now: now)
  }

  static func compare(
    _ event: Event, in batch: inout Batch, now: Timestamp
  ) throws(LedgerError) -> Finding {
    var attempt = batch
    switch try attempt.evaluate(AppendRequest(event), now: now) {
    case .failure(let error):
      return .refusal(event.id, error)
    case .success(let receipt):
      if receipt.isDuplicate { return .agreement }
      let names = attempt.touched
      let before = try Outlook(of: names, in: batch.fold, event.environment, at: now)
      let after = try Outlook(of: names, in: attempt.fold, event.environment, at: now)
      if before == after { return .agreement }
      batch = attempt
      return .drift(Drift(of: event.id, receipt, from: before, to: after))
    }
  }
}
