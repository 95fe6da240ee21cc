extension Ledger {
  /// Says that two customers are one: what the first has is the second's.
  ///
  /// It acts on the whole past and is known from its position on. Both names answer alike
  /// afterwards.
  ///
  /// - Parameters:
  ///   - customer: The customer that is taken in.
  ///   - other: The customer that stays.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Where it is recorded; no receipt where the two are one already.
  /// - Throws: `LedgerError` with `sameCustomer`, `anonymousCustomer` where one is an account,
  ///   `belongsToAnother` where the first is merged into a third, or as `append` does.
  @discardableResult
  public func merge(
    _ customer: CustomerID, into other: CustomerID, by attribution: Attribution = Attribution(),
    in environment: Environment = .production
  ) throws(LedgerError) -> BelongingChange {
    try decide { (batch, now) throws(LedgerError) in
      try Merging(
        merge: CustomerMerge(from: customer, into: other), attribution: attribution,
        environment: environment
      ).join(in: &batch, now: now)
    }
  }

  /// Says that two customers are one, what the first has is the second's, without holding the
  /// caller's thread.
  ///
  /// - Parameters:
  ///   - customer: The customer that is taken in.
  ///   - other: The customer that stays.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Where it is recorded; no receipt where the two are one already.
  /// - Throws: As the synchronous form does.
  @discardableResult
  public func merge(
    _ customer: CustomerID, into other: CustomerID, by attribution: Attribution = Attribution(),
    in environment: Environment = .production
  ) async throws(LedgerError) -> BelongingChange {
    try await decide { (batch, now) throws(LedgerError) in
      try Merging(
        merge: CustomerMerge(from: customer, into: other), attribution: attribution,
        environment: environment
      ).join(in: &batch, now: now)
    }
  }

  /// Undoes the merge of a customer into another: each has again what is its own.
  ///
  /// - Parameters:
  ///   - customer: The customer that was taken in.
  ///   - other: The customer that took it in.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Where it is recorded.
  /// - Throws: `LedgerError` with `nothingToUndo` where that merge is not in force, or as `append`
  ///   does.
  @discardableResult
  public func unmerge(
    _ customer: CustomerID, from other: CustomerID, by attribution: Attribution = Attribution(),
    in environment: Environment = .production
  ) throws(LedgerError) -> BelongingChange {
    try decide { (batch, now) throws(LedgerError) in
      try Merging(
        merge: CustomerMerge(from: customer, into: other), attribution: attribution,
        environment: environment
      ).undo(in: &batch, now: now)
    }
  }

  /// Undoes the merge of a customer into another, each has again what is its own, without holding
  /// the caller's thread.
  ///
  /// - Parameters:
  ///   - customer: The customer that was taken in.
  ///   - other: The customer that took it in.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Where it is recorded.
  /// - Throws: As the synchronous form does.
  @discardableResult
  public func unmerge(
    _ customer: CustomerID, from other: CustomerID, by attribution: Attribution = Attribution(),
    in environment: Environment = .production
  ) async throws(LedgerError) -> BelongingChange {
    try await decide { (batch, now) throws(LedgerError) in
      try Merging(
        merge: CustomerMerge(from: customer, into: other), attribution: attribution,
        environment: environment
      ).undo(in: &batch, now: now)
    }
  }
}
