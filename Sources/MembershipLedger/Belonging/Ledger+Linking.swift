extension Ledger {
  /// Says that an account at a provider is a customer's, and always was.
  ///
  /// It is known from its position on and acts on the whole past: what the account bought before is
  /// the customer's. An account has one customer: the last link says who, and the outcome names
  /// whose it was until then.
  ///
  /// - Parameters:
  ///   - account: The account, `PROVIDER:ACCOUNT`.
  ///   - customer: The customer.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Where it is recorded; no receipt where the account is the customer's already.
  /// - Throws: `LedgerError` with `invalidEvent` where it is no account at a provider, or as
  ///   `append` does.
  @discardableResult
  public func link(
    _ account: AccountID, to customer: CustomerID, by attribution: Attribution = Attribution(),
    in environment: Environment = .production
  ) throws(LedgerError) -> BelongingChange {
    try decide { (batch, now) throws(LedgerError) in
      try Linking(account: account, attribution: attribution, environment: environment)
        .link(to: customer, in: &batch, now: now)
    }
  }

  /// Says that an account at a provider is a customer's, and always was, without holding the
  /// caller's thread.
  ///
  /// - Parameters:
  ///   - account: The account, `PROVIDER:ACCOUNT`.
  ///   - customer: The customer.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Where it is recorded; no receipt where the account is the customer's already.
  /// - Throws: As the synchronous form does.
  @discardableResult
  public func link(
    _ account: AccountID, to customer: CustomerID, by attribution: Attribution = Attribution(),
    in environment: Environment = .production
  ) async throws(LedgerError) -> BelongingChange {
    try await decide { (batch, now) throws(LedgerError) in
      try Linking(account: account, attribution: attribution, environment: environment)
        .link(to: customer, in: &batch, now: now)
    }
  }

  /// Says that an account at a provider is not the customer's that it is said to be.
  ///
  /// It stands for itself again, over the whole past; what the customer has from other sources
  /// stays.
  ///
  /// - Parameters:
  ///   - account: The account, `PROVIDER:ACCOUNT`.
  ///   - customer: The customer whose it is believed to be; nil for whoever it is.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Whose it was; no receipt where it was nobody's.
  /// - Throws: `LedgerError` with `belongsToAnother` where it is another customer's, or as `append`
  ///   does.
  @discardableResult
  public func unlink(
    _ account: AccountID, from customer: CustomerID? = nil,
    by attribution: Attribution = Attribution(), in environment: Environment = .production
  ) throws(LedgerError) -> BelongingChange {
    try decide { (batch, now) throws(LedgerError) in
      try Linking(account: account, attribution: attribution, environment: environment)
        .unlink(from: customer, in: &batch, now: now)
    }
  }

  /// Says that an account at a provider is not the customer's that it is said to be, without
  /// holding the caller's thread.
  ///
  /// - Parameters:
  ///   - account: The account, `PROVIDER:ACCOUNT`.
  ///   - customer: The customer whose it is believed to be; nil for whoever it is.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Whose it was; no receipt where it was nobody's.
  /// - Throws: As the synchronous form does.
  @discardableResult
  public func unlink(
    _ account: AccountID, from customer: CustomerID? = nil,
    by attribution: Attribution = Attribution(), in environment: Environment = .production
  ) async throws(LedgerError) -> BelongingChange {
    try await decide { (batch, now) throws(LedgerError) in
      try Linking(account: account, attribution: attribution, environment: environment)
        .unlink(from: customer, in: &batch, now: now)
    }
  }
}
