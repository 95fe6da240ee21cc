extension Ledger {
  /// Moves a membership to another customer from an instant on.
  ///
  /// Before that instant the former holder held it. What is planned for it, such as a
  /// cancellation, goes with it. An account that is nobody's takes nothing from a customer.
  ///
  /// - Parameters:
  ///   - membership: The membership.
  ///   - customer: Who holds it from then on, by any of its names.
  ///   - instant: From when on; nil is now.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: What it came to; no receipt where the customer holds it already.
  /// - Throws: `LedgerError` with `unknownMembership`, `anonymousCustomer`, or as `append` does.
  @discardableResult
  public func transfer(
    _ membership: MembershipID, to customer: CustomerID, at instant: Timestamp? = nil,
    by attribution: Attribution = Attribution(), in environment: Environment = .production
  ) throws(LedgerError) -> TransferOutcome {
    try decide { (batch, now) throws(LedgerError) in
      try Transferring(
        membership: membership, at: instant, attribution: attribution, environment: environment
      ).move(to: customer, in: &batch, now: now)
    }
  }

  /// Moves a membership to another customer from an instant on, without holding the caller's
  /// thread.
  ///
  /// - Parameters:
  ///   - membership: The membership.
  ///   - customer: Who holds it from then on, by any of its names.
  ///   - instant: From when on; nil is now.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: What it came to; no receipt where the customer holds it already.
  /// - Throws: As the synchronous form does.
  @discardableResult
  public func transfer(
    _ membership: MembershipID, to customer: CustomerID, at instant: Timestamp? = nil,
    by attribution: Attribution = Attribution(), in environment: Environment = .production
  ) async throws(LedgerError) -> TransferOutcome {
    try await decide { (batch, now) throws(LedgerError) in
      try Transferring(
        membership: membership, at: instant, attribution: attribution, environment: environment
      ).move(to: customer, in: &batch, now: now)
    }
  }

  /// Undoes the transfer of a membership that was decided last, of those not undone.
  ///
  /// The membership goes back to whom it was taken from, by an event that names the one it undoes.
  /// An undoing is not undone itself: transfer the membership again.
  ///
  /// - Parameters:
  ///   - membership: The membership.
  ///   - instant: From when on, not before the transfer itself; nil is now, or the transfer's
  ///     instant where that is yet to come.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: What it came to.
  /// - Throws: `LedgerError` with `unknownMembership`, `nothingToUndo`, or as `append` does.
  @discardableResult
  public func undoTransfer(
    of membership: MembershipID, at instant: Timestamp? = nil,
    by attribution: Attribution = Attribution(), in environment: Environment = .production
  ) throws(LedgerError) -> TransferOutcome {
    try decide { (batch, now) throws(LedgerError) in
      try Transferring(
        membership: membership, at: instant, attribution: attribution, environment: environment
      ).undo(in: &batch, now: now)
    }
  }

  /// Undoes a membership's last transfer without holding the caller's thread; see the synchronous
  /// form.
  ///
  /// - Parameters:
  ///   - membership: The membership.
  ///   - instant: From when on, not before the transfer itself; nil is now, or the transfer's
  ///     instant where that is yet to come.
  ///   - attribution: Who decides, and why.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: What it came to.
  /// - Throws: As the synchronous form does.
  @discardableResult
  public func undoTransfer(
    of membership: MembershipID, at instant: Timestamp? = nil,
    by attribution: Attribution = Attribution(), in environment: Environment = .production
  ) async throws(LedgerError) -> TransferOutcome {
    try await decide { (batch, now) throws(LedgerError) in
      try Transferring(
        membership: membership, at: instant, attribution: attribution, environment: environment
      ).undo(in: &batch, now: now)
    }
  }

  /// Who held a membership, and by which events it came to whom.
  ///
  /// - Parameters:
  ///   - membership: The membership.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Its holders in the order of time, or nil for an unknown membership.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func lineage(
    of membership: MembershipID, in environment: Environment = .production
  ) throws(LedgerError) -> Lineage? {
    try withStore { (store, _, _) throws(LedgerError) in
      try Fold(store).lineage(of: membership, environment)
    }
  }
}
