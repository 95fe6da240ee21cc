/// Works out what the transactions of a membership cover.
struct CoverageBuilder {
  let id: MembershipID
  let state: MembershipState
  let terms: TermsState
  let provider: Provider
  /// Everything that ends what began before it, in order.
  let ends: [Cut]

  init(_ id: MembershipID, _ state: MembershipState, _ terms: TermsState) {
    self.id = id
    self.state = state
    self.terms = terms
    self.provider = id.provider
    self.ends = Self.ends(of: state)
  }

  /// The coverages in the order of their starts; empty ones stay, since they explain what follows.
  func coverages() -> [Coverage] {
    var coverages: [Coverage] = []
    let trusted = !hasInvoiceEvidence
    for entry in state.transactions.entries {
      guard let base = base(of: entry.key, entry.value) else { continue }
      if base.isAssumed && !(trusted && trustsStanding(at: base.period.start)) { continue }
      var pieces = [base]
      for change in planChanges { pieces = pieces.flatMap { apply(change, to: $0) } }
      for taken in takenBack(entry.key, entry.value, base.period) {
        pieces = pieces.flatMap { $0.without(taken.period, taken.reason, taken.evidence) }
      }
      if base.isAssumed { pieces = pieces.flatMap(withoutBadStanding) }
      coverages += pieces.map(endingInTime)
    }
    coverages += additions(to: coverages)
    return coverages.sorted {
      ($0.period.start, $0.period.end, $0.transaction) < (
        $1.period.start, $1.period.end, $1.transaction
      )
    }
  }

  /// Whether documents about money exist, so that the store's standing alone proves nothing.
  private var hasInvoiceEvidence: Bool {
    if !state.invoices.isEmpty { return true }
    let isPaidFor = state.transactions.values.contains { transaction in
      guard let purchase = transaction.purchase.value?.transaction else { return false }
      return !purchase.isObserved && purchase.kind != .trial
    }
    let isUnpaid = state.checkouts.values.contains { checkout in
      checkout.value.map { $0.outcome != .paid } ?? false
    }
    return isPaidFor || isUnpaid || state.failures.values.contains { $0.value?.invoice != nil }
  }

  private func trustsStanding(at instant: Timestamp) -> Bool {
    !terms.policy(at: instant).rules(for: provider).distrustsStanding
  }

  private func base(of id: TransactionID, _ transaction: TransactionState) -> Coverage? {
    guard let winner = transaction.purchase.winner else { return nil }
    let purchase = winner.value.transaction
    if case .unrecognized = purchase.kind { return nil }
    if case .unrecognized = purchase.ownership { return nil }
    guard var period = period(of: purchase, transaction) else { return nil }
    var evidence = [winner.stamp.event]
    if let extended = extensionOf(id, transaction), extended.value.until > period.end {
      period.end = extended.value.until
      evidence.append(extended.stamp.event)
    }
    return Coverage(
      transaction: id, offer: purchase.offer, quantity: purchase.quantity, kind: purchase.kind,
      item: purchase.item, isAssumed: purchase.isObserved, transactedAt: period.start,
      pinnedRevision: purchase.catalogRevision, period: period, cut: nil, evidence: evidence)
  }

  /// The period bought; only one-time purchases may have none, and then never run out.
  private func period(of purchase: Transaction, _ state: TransactionState) -> Period? {
    if let period = purchase.period { return period }
    guard purchase.kind == .oneTime else { return nil }
    return Period(start: state.boughtAt, end: .distantFuture)
  }

  private func extensionOf(
    _ id: TransactionID, _ transaction: TransactionState
  ) -> Stamped<Extension>? {
    if let own = transaction.extension_.winner { return own }
    guard let general = state.extension_.winner else { return nil }
    let latest = state.transactions.entries.max { left, right in
      let starts = [left, right].map {
        $0.value.purchase.value?.transaction.period?.start ?? .distantPast
      }
      return (starts[0], left.key) < (starts[1], right.key)
    }
    return latest?.key == id ? general : nil
  }

  /// Only what the store calls active or trialing is had on its word.
  private func withoutBadStanding(_ coverage: Coverage) -> [Coverage] {
    state.standing.stretches.reduce([coverage]) { pieces, stretch in
      switch stretch.entry.value.standing {
      case .active, .trialing: pieces
      default:
        pieces.flatMap {
          $0.without(stretch.period, .expired, [stretch.entry.stamp.event])
        }
      }
    }
  }

  private func endingInTime(_ coverage: Coverage) -> Coverage {
    guard let end = ends.first(where: { $0.at > coverage.period.start }) else { return coverage }
    return coverage.ending(by: end)
  }
}
