extension Ledger {
  /// The trial of a product that a customer has used.
  ///
  /// A trial is used once and for all: neither a cancellation nor a refund, a new membership or a
  /// transfer gives it back, and customers who are merged have used what either has. Undoing a
  /// merge leaves each with its own.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any of its names.
  ///   - product: The catalog's product.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The first use, or nil where there was none.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func trialUse(
    of customer: CustomerID, product: ProductID, in environment: Environment = .production
  ) throws(LedgerError) -> TrialUse? {
    try withStore { (store, _, _) throws(LedgerError) in
      try Fold(store).dossier(of: customer, environment).trialUse(of: product, store.terms())
    }
  }
}

extension KnownLedger {
  /// The trial of a product that a customer had used, by what was known; see `Ledger.trialUse`.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any name that was the customer's.
  ///   - product: The catalog's product.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The first use, or nil where there was none.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func trialUse(
    of customer: CustomerID, product: ProductID, in environment: Environment = .production
  ) throws(LedgerError) -> TrialUse? {
    let access = try query(customer, environment).access
    return access.dossier.trialUse(of: product, access.terms)
  }
}
