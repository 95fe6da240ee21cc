internal import LedgerStorage
internal import Synchronization

extension Ledger {
  /// Makes the index beside the checks.
  func fill(_ index: AccessIndex) {
    guard let begun = IndexFilling(index) else { return }
    Task.detached(priority: .utility) { [weak self] in
      var filling = begun
      // Held for a page at a time, so that a ledger that nobody uses any more closes.
      while let ledger = self, filling.step(ledger.tables, ledger.clock) { await Task.yield() }
    }
  }

  /// Makes the index now, for who will not wait for the thousandth check; does nothing where it is
  /// made, or is being made.
  package func fillIndex() {
    guard let index, var filling = IndexFilling(index) else { return }
    while filling.step(tables, clock) {}
  }

  /// What the index holds; nil where there is none as of any commit.
  package var indexExtent: (commit: UInt64, names: Int, bytes: Int)? {
    guard let index, case let commit = index.commit.load(ordering: .acquiring), commit != 0 else {
      return nil
    }
    return (commit, index.slots.count, index.slots.memory)
  }

  /// What the index says as of its own commit, however many there have been since; for tests that
  /// show what a check without a look at the last commit would answer.
  package func isGivenByIndex(
    _ customer: String, _ entitlement: Entitlement, at instant: Timestamp,
    in environment: Environment = .production
  ) -> Bool? {
    index.flatMap { index in
      index.gives(
        entitlement.number, to: customer.utf8Span.span, at: instant.milliseconds,
        in: StoredKey.byte(of: environment), asOf: index.commit.load(ordering: .acquiring))
    }
  }
}
