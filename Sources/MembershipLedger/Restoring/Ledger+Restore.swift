extension Ledger {
  /// Gives a customer what a store still reports as bought, under the policy in force.
  ///
  /// It runs only when it is asked for and makes no purchase. What the documents say is recorded
  /// where it is news; then each transaction they report gets one result, and one event states them
  /// all, with the transfers that follow: all in one transaction, so that the next check sees what
  /// the report says.
  ///
  /// Who wins what another customer holds, the policy says: `transfer`, `keepWithOwner` or
  /// `transferIfInactive`, which looks at the membership in question: whether it gives access now,
  /// with all that the store reports. What is over or was taken back is never given anew; under
  /// `transferIfInactive` the membership that has run out moves all the same, so that a later
  /// period of it is the new customer's. What an account of nobody's bought is the customer's who
  /// restores it, under each policy; such an account takes nothing from a customer.
  ///
  /// - Parameters:
  ///   - documents: The events of what the store reports, each with its document; none for an empty
  ///     report.
  ///   - customer: The customer who asks.
  ///   - attribution: Who asks for the customer, and why.
  ///   - environment: Whether real or test purchases are meant; documents of another one are
  ///     refused.
  /// - Returns: One result for each transaction.
  /// - Throws: `LedgerError` where nothing could be recorded at all.
  public func restore(
    _ documents: [AppendRequest], to customer: CustomerID,
    by attribution: Attribution = Attribution(), in environment: Environment = .production
  ) throws(LedgerError) -> RestoreReport {
    try decide(
      on: documents,
      Restoring(customer: customer, attribution: attribution, environment: environment).judge)
  }

  /// Gives a customer what a store still reports as bought, without holding the caller's thread;
  /// see the synchronous form.
  ///
  /// - Parameters:
  ///   - documents: The events of what the store reports, each with its document; none for an empty
  ///     report.
  ///   - customer: The customer who asks.
  ///   - attribution: Who asks for the customer, and why.
  ///   - environment: Whether real or test purchases are meant; documents of another one are
  ///     refused.
  /// - Returns: One result for each transaction.
  /// - Throws: As the synchronous form does.
  public func restore(
    _ documents: [AppendRequest], to customer: CustomerID,
    by attribution: Attribution = Attribution(), in environment: Environment = .production
  ) async throws(LedgerError) -> RestoreReport {
    try await decide(
      on: documents,
      Restoring(customer: customer, attribution: attribution, environment: environment).judge)
  }
}
