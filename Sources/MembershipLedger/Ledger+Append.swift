extension Ledger {
  /// Appends an event, durably on return.
  ///
  /// Callers queue and share commits; requests are judged in the order of their arrival. An event
  /// that was recorded before with the same content is answered with its first receipt.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - document: The provider's document, to be kept beside the log.
  ///   - condition: What must hold, judged in the transaction that would append the event.
  /// - Returns: Where the event stands.
  /// - Throws: `LedgerError` with `invalidEvent`, `idConflict`, `conditionFailed`, `trialUsed`,
  ///   `readOnly`, `busy` or a failure of the system; then nothing of the event was recorded.
  @discardableResult
  public func append(
    _ event: Event, document: [UInt8]? = nil, if condition: AppendCondition? = nil
  ) throws(LedgerError) -> Receipt {
    try only(append(contentsOf: [AppendRequest(event, document: document, if: condition)]))
  }

  /// Appends an event, durably when it returns, without holding the caller's thread.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - document: The provider's document, to be kept beside the log.
  ///   - condition: What must hold, judged in the transaction that would append the event.
  /// - Returns: Where the event stands.
  /// - Throws: As the synchronous form does.
  @discardableResult
  public func append(
    _ event: Event, document: [UInt8]? = nil, if condition: AppendCondition? = nil
  ) async throws(LedgerError) -> Receipt {
    try only(await append(contentsOf: [AppendRequest(event, document: document, if: condition)]))
  }

  /// Appends events in order, each for itself: a refused one does not keep the others out.
  ///
  /// - Parameter requests: The events with what goes with them.
  /// - Returns: One outcome for each request, in order; durable on return.
  public func append(contentsOf requests: [AppendRequest]) -> [Result<Receipt, LedgerError>] {
    queue.write(requests.map { .append($0) }).map(Self.receipt)
  }

  /// Appends events in order without holding the caller's thread; see the synchronous form.
  ///
  /// - Parameter requests: The events with what goes with them.
  /// - Returns: One outcome for each request, in order; durable when it returns.
  public func append(
    contentsOf requests: [AppendRequest]
  ) async -> [Result<Receipt, LedgerError>] {
    await queue.write(requests.map { .append($0) }).map(Self.receipt)
  }

  private static func receipt(
    _ outcome: AppendQueue.Outcome
  ) -> Result<Receipt, LedgerError> {
    outcome.map { receipt in
      guard let receipt else { preconditionFailure("an event appended has a receipt") }
      return receipt
    }
  }

  private func only(_ outcomes: [Result<Receipt, LedgerError>]) throws(LedgerError) -> Receipt {
    guard let outcome = outcomes.first, outcomes.count == 1 else {
      preconditionFailure("one request has one outcome")
    }
    return try outcome.get()
  }
}
