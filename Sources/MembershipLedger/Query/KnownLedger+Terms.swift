internal import LedgerStorage

extension KnownLedger {
  /// The catalog's newest revision that was known; see `Ledger.catalog`.
  ///
  /// - Parameter instant: The instant of a first purchase; nil is for the newest revision.
  /// - Returns: The revision with its start, or nil where there was none.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func catalog(at instant: Timestamp? = nil) throws(LedgerError) -> CatalogRevision? {
    let terms = try terms()
    return (instant.map(terms.catalog) ?? terms.latestCatalog)?.value
  }

  /// The policy in force at an instant, by what was known.
  ///
  /// - Parameter instant: The instant; nil is now.
  /// - Returns: The policy; the default one where none was set.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func policy(at instant: Timestamp? = nil) throws(LedgerError) -> Policy {
    try terms().policy(at: instant ?? ledger.clock.now)
  }

  private func terms() throws(LedgerError) -> TermsState {
    try ledger.withStore { (store, _, snapshot) throws(LedgerError) in
      try ledger.refold([.terms], until: position, store, snapshot).terms()
    }
  }
}
