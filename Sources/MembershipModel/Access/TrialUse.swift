/// A trial that a customer has used: once and for all, whatever became of it.
///
/// Whoever begins it has used it. A checkout that is merely open has not: it may be left for
/// another one. Where two that were open at once are both paid for, the trial that began later is
/// seen to repeat the first: `Membership.repeatsTrialOf`.
public struct TrialUse: Hashable, Sendable {
  /// The product that was tried.
  public let product: ProductID
  /// The membership in which it was tried.
  public let membership: MembershipID
  /// The trial's transaction.
  public let transaction: TransactionID
  /// When the trial began.
  public let at: Timestamp
  /// The event that says so.
  public let event: EventID
}

extension Dossier {
  /// The first trial of a product in any membership that the customer held at the trial's begin or
  /// later.
  ///
  /// Neither an end nor a refund, a transfer or a new membership makes a trial unused. One that was
  /// shared by a family member is that member's use of it.
  package func trialUse(of product: ProductID, _ terms: TermsState) -> TrialUse? {
    trialUses(terms).first { $0.product == product }
  }

  /// All trials in memberships that the customer held at the trial's begin or later, the first one
  /// first.
  private func trialUses(_ terms: TermsState) -> [TrialUse] {
    memberships.filter { $0.seat == nil }.flatMap { membership in
      Self.trials(in: membership.state.withPeriodStarts, membership.id, terms).filter { trial in
        membership.held.contains { $0.end > trial.at }
      }
    }
    .sorted { ($0.at, $0.membership, $0.transaction) < ($1.at, $1.membership, $1.transaction) }
  }

  /// The memberships with a trial by an instant whose product had been tried in another one before,
  /// and that one.
  func repeatedTrials(by instant: Timestamp, _ terms: TermsState) -> [MembershipID: MembershipID] {
    let uses = trialUses(terms).filter { $0.at <= instant }
    var repeated: [MembershipID: MembershipID] = [:]
    for use in uses where repeated[use.membership] == nil {
      guard let first = uses.first(where: { $0.product == use.product }) else { continue }
      if first.membership != use.membership { repeated[use.membership] = first.membership }
    }
    return repeated
  }

  private static func trials(
    in state: MembershipState, _ id: MembershipID, _ terms: TermsState
  ) -> [TrialUse] {
    let bought = state.transactions.values.compactMap(\.beginning).min() ?? .distantFuture
    return state.transactions.entries.compactMap { entry in
      guard let winner = entry.value.trial.winner,
        winner.value.transaction.ownership == .purchased
      else { return nil }
      let at = winner.value.transaction.period?.start ?? entry.value.bought.at
      guard
        let revision = terms.revision(
          pinned: winner.value.transaction.catalogRevision, bought: bought, transacted: at, at: at),
        let product = revision.value.catalog.product(
          for: winner.value.transaction.offer, of: id.provider)
      else { return nil }
      return TrialUse(
        product: product.id, membership: id, transaction: entry.key, at: at,
        event: winner.stamp.event)
    }
  }
}

extension TransactionState {
  /// When what was bought begins; nil where no purchase is known.
  fileprivate var beginning: Timestamp? {
    purchase.value.map { $0.transaction.period?.start ?? bought.at }
  }
}
