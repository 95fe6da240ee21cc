/// Works out what the transactions of a membership cover.
struct CoverageBuilder {
  let id: MembershipID
  let state: MembershipState
  let terms: TermsState
  let provider: Provider
  /// Everything that ends what began before it, in order.
  let ends: [Cut]
  /// The plan changes in effect, in order.
  let planChanges: [EffectiveChange]
  /// Whether anything at all may have been taken back.
  private let hasTakings: Bool

  init(_ id: MembershipID, _ state: MembershipState, _ terms: TermsState) {
    self.id = id
    self.state = state
    self.terms = terms
    self.provider = id.provider
    self.ends = Self.ends(of: state)
    self.hasTakings =
      !state.payments.isEmpty || state.transactions.values.contains { !$0.revocations.isEmpty }
    self.planChanges = Self.planChanges(of: state)
  }

  /// The coverages in the order of their starts; empty ones stay, since they explain what follows.
  func coverages() -> [Coverage] {
    let trust = StandingTrust(state)
    // The end comes first: what began before it stays over, however it is cut up afterwards.
    let dated = state.transactions.entries.compactMap { base(of: $0.key, $0.value) }
    let undated = UndatedPayments(state, among: dated)
    let bought = (dated + undated.renewals)
      .compactMap { coverage in
        guard coverage.isAssumed else { return coverage }
        return trustsStanding(at: coverage.period.start) ? trust.believed(coverage) : nil
      }
      .map(endingInTime)
      .endingWhereReplaced { state.transactions[$0]?.purchase.value?.transaction.replacesEarlier }
    let coverages = (bought + additions(to: bought)).flatMap { base -> [Coverage] in
      var pieces = pieces(of: base)
      if hasTakings { pieces = pieces.flatMap(withPaidChanges) }
      let payers = [base.transaction] + (undated.payers[base.transaction] ?? [])
      for taken in hasTakings ? payers.flatMap(takenBack) : [] {
        pieces = pieces.flatMap { $0.without(taken.period, taken.reason, taken.evidence) }
      }
      guard let since = base.isAssumed ? .distantPast : undated.paidAt[base.transaction]
      else { return pieces }
      return pieces.flatMap { withoutBadStanding($0, after: since) }
    }
    return coverages.sorted {
      ($0.period.start, $0.period.end, $0.transaction) < (
        $1.period.start, $1.period.end, $1.transaction
      )
    }
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
    if purchase.period == nil, let first = transaction.bought.event { evidence.append(first) }
    if let extended = extensionOf(id, transaction), extended.value.until > period.end {
      period.end = extended.value.until
      evidence.append(extended.stamp.event)
    }
    return Coverage(
      transaction: id, offer: purchase.offer, quantity: purchase.quantity, kind: purchase.kind,
      ownership: purchase.ownership, item: purchase.item, change: nil,
      isAssumed: purchase.isObserved, transactedAt: period.start,
      pinnedRevision: purchase.catalogRevision, period: period, cut: nil, evidence: evidence)
  }

  /// The period bought; only one-time purchases may have none, and then never run out.
  private func period(of purchase: Transaction, _ state: TransactionState) -> Period? {
    if let period = purchase.period { return period }
    guard purchase.kind == .oneTime else { return nil }
    return Period(start: state.bought.at, end: .distantFuture)
  }

  private func extensionOf(
    _ id: TransactionID, _ transaction: TransactionState
  ) -> Stamped<Extension>? {
    if let own = transaction.extension_.winner { return own }
    return state.extensions.stretches.last { latestTransaction(at: $0.period.start) == id }?.entry
  }

  /// The transaction that began last by an instant.
  private func latestTransaction(at instant: Timestamp) -> TransactionID? {
    let begun = state.transactions.entries.compactMap { entry in
      entry.value.purchase.value?.transaction.period.map { (start: $0.start, id: entry.key) }
    }
    return begun.filter { $0.start <= instant }.max { ($0.start, $0.id) < ($1.start, $1.id) }?.id
  }

  /// Only what the store calls active or trialing is had on its word; what it said before a payment
  /// is settled by it.
  private func withoutBadStanding(_ coverage: Coverage, after instant: Timestamp) -> [Coverage] {
    state.standing.stretches.reduce([coverage]) { pieces, stretch in
      if stretch.period.start < instant { return pieces }
      guard let reason = stretch.entry.value.standing.denial else { return pieces }
      return pieces.flatMap { $0.without(stretch.period, reason, [stretch.entry.stamp.event]) }
    }
  }

  private func endingInTime(_ coverage: Coverage) -> Coverage {
    guard let end = ends.first(where: { $0.at > coverage.period.start }) else { return coverage }
    return coverage.ending(by: end)
  }
}

extension [Coverage] {
  /// Each up to the first that began after it and takes the place of what was had.
  fileprivate func endingWhereReplaced(
    by replaces: (TransactionID) -> Bool?
  ) -> [Coverage] {
    let replacing = filter { replaces($0.transaction) == true && !$0.period.isEmpty }
      .sorted { ($0.period.start, $0.transaction) < ($1.period.start, $1.transaction) }
    if replacing.isEmpty { return self }
    return map { coverage in
      guard let next = replacing.first(where: { $0.period.start > coverage.period.start }),
        next.period.start < coverage.period.end
      else { return coverage }
      return coverage.ending(
        by: Cut(at: next.period.start, reason: .expired, evidence: next.evidence))
    }
  }
}

extension Standing {
  /// Why a period that only the standing speaks for is not had; nil where it is.
  fileprivate var denial: DenialReason? {
    switch self {
    case .active, .trialing: nil
    case .incomplete: DenialReason.none
    case .paused: .paused
    case .pastDue, .unpaid, .ended, .unrecognized: .expired
    }
  }
}
