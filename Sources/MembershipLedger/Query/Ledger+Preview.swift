extension Ledger {
  /// Judges an event by the rules that it would be recorded under now, and records nothing.
  ///
  /// - Parameter event: The event.
  /// - Throws: `LedgerError` with `invalidEvent` where an append would be refused, or where the
  ///   ledger cannot be read.
  public func validate(_ event: Event) throws(LedgerError) {
    try withStore { (store, head, _) throws(LedgerError) in
      let recordedAt = max(clock.reading, head.recordedAt)
      let policy = try store.terms().policy(at: recordedAt)
      try Admission.check(event, under: policy, recordedAt)
      let record = RecordedEvent(
        position: Position(head.last.rawValue + 1), recordedAt: recordedAt, event: event)
      if let fault = Admission.sizeFault(of: record, record.encoded()) { throw fault }
    }
  }

  /// Lists who would gain or lose which entitlement, and when, if a revision were applied.
  ///
  /// - Parameters:
  ///   - revision: The revision; without a start of its own it starts now.
  ///   - environment: Whose customers are looked at.
  /// - Returns: The changes, by customer, entitlement and start; takes time in proportion to the
  ///   number of customers.
  /// - Throws: `LedgerError` where the ledger cannot be read. Whether the revision could be
  ///   recorded `validate` tells.
  public func preview(
    _ revision: CatalogRevision, in environment: Environment = .production
  ) throws(LedgerError) -> [AccessChange] {
    try withStore { (store, head, _) throws(LedgerError) in
      var revision = revision
      revision.from = revision.from ?? clock.now
      let terms = try store.terms()
      let revised = terms.adding(revision, at: Position(head.last.rawValue + 1))
      var changes: [AccessChange] = []
      for customer in try customers(environment, in: store) {
        let dossier = try Fold(store).dossier(of: customer, environment)
        changes += AccessChange.changes(
          of: customer, from: AccessStretches(dossier, terms),
          to: AccessStretches(dossier, revised))
      }
      return changes
    }
  }
}
