internal import LedgerStorage

extension Ledger {
  typealias Judgement<Verdict> =
    @Sendable (inout Batch, _ now: Timestamp) throws(LedgerError) -> Verdict

  /// A judgement on documents, whose events come with it.
  typealias Appraisal<Verdict> =
    @Sendable (inout Batch, _ events: [Event], _ now: Timestamp) throws(LedgerError) -> Verdict

  /// Takes a decision in the transaction that appends what follows from it, so that nothing comes
  /// between: of two that exclude each other the second one sees the first.
  func decide<Verdict: Sendable>(
    _ judge: @escaping Judgement<Verdict>
  ) throws(LedgerError) -> Verdict {
    try decide(on: []) { (batch, _, now) throws(LedgerError) in try judge(&batch, now) }
  }

  /// Takes a decision without holding the caller's thread; see the synchronous form.
  func decide<Verdict: Sendable>(
    _ judge: @escaping Judgement<Verdict>
  ) async throws(LedgerError) -> Verdict {
    try await decide(on: []) { (batch, _, now) throws(LedgerError) in try judge(&batch, now) }
  }

  /// Takes a decision on documents, which are kept first.
  func decide<Verdict: Sendable>(
    on documents: [AppendRequest], _ judge: @escaping Appraisal<Verdict>
  ) throws(LedgerError) -> Verdict {
    let desk = Desk(judge)
    return try desk.verdict(after: queue.write([.decide(on: documents, desk.ruling)]))
  }

  /// Takes a decision on documents without holding the caller's thread.
  func decide<Verdict: Sendable>(
    on documents: [AppendRequest], _ judge: @escaping Appraisal<Verdict>
  ) async throws(LedgerError) -> Verdict {
    let desk = Desk(judge)
    return try desk.verdict(after: await queue.write([.decide(on: documents, desk.ruling)]))
  }
}

/// Where the writer lays down the verdict of a decision for whoever asked for it.
private final class Desk<Verdict: Sendable>: Sendable {
  private let judge: Ledger.Appraisal<Verdict>
  private let verdict = Lock<Verdict?>(nil)

  init(_ judge: @escaping Ledger.Appraisal<Verdict>) {
    self.judge = judge
  }

  var ruling: WriteRequest.Ruling {
    { (batch, events, now) throws(LedgerError) in
      let verdict = try self.judge(&batch, events, now)
      self.verdict.withLock { $0 = verdict }
    }
  }

  func verdict(after outcomes: [AppendQueue.Outcome]) throws(LedgerError) -> Verdict {
    for outcome in outcomes { _ = try outcome.get() }
    guard let verdict = verdict.withLock({ $0 }) else {
      preconditionFailure("a decision that did not fail has a verdict")
    }
    return verdict
  }
}
