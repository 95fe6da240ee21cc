extension CoverageBuilder {
  /// Ends in effect: stated ones, what the store took back as a whole, and planned ones that came
  /// about because nothing had withdrawn them by then.
  static func ends(of state: MembershipState) -> [Cut] {
    var ends: [Cut] = []
    for registers in [state.ends, state.inherited.ends] {
      for winner in registers.values.compactMap(\.winner) {
        ends.append(
          Cut(
            at: winner.value.at, reason: winner.value.reason.denial,
            evidence: [winner.stamp.event]))
      }
    }
    for entry in state.revocations.entries {
      guard let winner = entry.value.winner else { continue }
      ends.append(Cut(at: entry.key, reason: .revoked, evidence: [winner.stamp.event]))
    }
    for (period, entry) in state.intent.stretches {
      guard let planned = entry.value.endsAt, planned < period.end else { continue }
      ends.append(Cut(at: planned, reason: .cancelled, evidence: [entry.stamp.event]))
    }
    return ends.sorted { ($0.at, $0.reason.severity) < ($1.at, $1.reason.severity) }
  }

  /// The stretches in which a transaction's worth was taken back: by the store, by a refund, or by
  /// a dispute that was lost.
  func takenBack(
    _ id: TransactionID
  ) -> [(period: Period, reason: DenialReason, evidence: [EventID])] {
    guard let transaction = state.transactions[id] else { return [] }
    var taken: [(period: Period, reason: DenialReason, evidence: [EventID])] = []
    for (period, entry) in transaction.revocations.stretches where entry.value.isRevoked {
      taken.append((period, .revoked, [entry.stamp.event]))
    }
    let amount = transaction.purchase.value?.transaction.amount
    for payment in state.payments.values where concerns(payment, id, transaction) {
      taken += refunds(payment.money, of: amount)
      taken += lostDisputes(payment.money)
    }
    return taken
  }

  private func concerns(
    _ payment: LinkedPayment, _ id: TransactionID, _ transaction: TransactionState
  ) -> Bool {
    payment.references.elements.contains { reference in
      transaction.references.elements.contains(reference)
        || reference.rawValue == id.rawValue
        || reference.rawValue == self.id.rawValue
    }
  }

  private func refunds(
    _ money: MoneyState, of amount: Money?
  ) -> [(period: Period, reason: DenialReason, evidence: [EventID])] {
    RefundTimeline(money, paidAtMost: amount).stretches.compactMap { stretch in
      let policy = terms.policy(at: stretch.period.start)
      let rule = stretch.isFull ? policy.fullRefund : policy.partialRefund
      let revokes = stretch.revokes ?? (rule != .keep)
      let judged = stretch.revokes == nil ? terms.policyEvidence(at: stretch.period.start) : []
      return revokes ? (stretch.period, .refunded, stretch.evidence + judged) : nil
    }
  }

  private func lostDisputes(
    _ money: MoneyState
  ) -> [(period: Period, reason: DenialReason, evidence: [EventID])] {
    money.disputes.values.compactMap { dispute in
      guard let closure = dispute.closure.winner, let at = closure.value.at else { return nil }
      switch closure.value.outcome {
      case .won, .withdrawn: return nil
      case .lost, .unrecognized: break
      }
      if terms.policy(at: at).lostDispute == .keep { return nil }
      return (
        Period(start: at, end: .distantFuture), .revoked,
        [closure.stamp.event] + terms.policyEvidence(at: at)
      )
    }
  }
}

extension [Cut] {
  /// The first end since the membership last began, if it is in effect by an instant: what follows
  /// an end ends nothing any more, and only a later period brings the membership back.
  func inEffect(at instant: Timestamp, _ coverages: [Coverage]) -> Cut? {
    let begun = coverages.filter { $0.period.start <= instant && !$0.period.isEmpty }
    let latest = begun.map(\.period.start).max() ?? .distantPast
    return first { $0.at > latest && $0.at <= instant }
  }
}

extension EndReason {
  /// What the end means for whoever asks afterwards.
  var denial: DenialReason {
    switch self {
    case .cancelled, .accountDeleted, .replaced: .cancelled
    case .expired, .paymentFailed, .neverStarted: .expired
    case .refunded: .refunded
    case .unrecognized: .cancelled
    }
  }
}
