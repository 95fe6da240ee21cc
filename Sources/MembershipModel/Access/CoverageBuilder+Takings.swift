/// A stretch in which something that was paid for is taken back.
struct Taking {
  var period: Period
  let reason: DenialReason
  let evidence: [EventID]
  /// When the source wrote that it is.
  let writtenAt: Timestamp
}

extension CoverageBuilder {
  /// The stretches in which a transaction's worth was taken back: by the store, by a refund, or by
  /// a dispute that was lost.
  func takenBack(_ id: TransactionID) -> [Taking] {
    guard let transaction = state.transactions[id] else { return [] }
    var taken: [Taking] = []
    let marks = transaction.revocations.moments.entries.compactMap { moment in
      moment.value.winner.map { (at: moment.key, mark: $0) }
    }
    for (at, mark) in marks where mark.value.isRevoked {
      let undone = marks.first { $0.at > at && !$0.mark.value.isRevoked }
      taken.append(
        Taking(
          period: Period(start: at, end: undone?.at ?? .distantFuture), reason: .revoked,
          evidence: [mark.stamp.event], writtenAt: mark.stamp.time))
    }
    let amount = transaction.purchase.value?.transaction.amount
    for payment in state.payments.values where concerns(payment, id, transaction) {
      taken += takings(by: payment.money, of: amount)
    }
    return taken.compactMap { $0.until(shownIntact: transaction.intact) }
  }

  private func concerns(
    _ payment: LinkedPayment, _ id: TransactionID, _ transaction: TransactionState
  ) -> Bool {
    payment.references.elements.contains { reference in
      transaction.references.elements.contains(reference)
        || reference.rawValue == id.rawValue || isWhole(reference)
    }
  }

  /// Whether a reference names the membership as a whole: some stores give it the id of its first
  /// transaction, and mean that one.
  private func isWhole(_ reference: ReferenceID) -> Bool {
    reference.rawValue == id.rawValue
      && state.transactions[TransactionID(unchecked: id.rawValue)] == nil
  }

  /// What is left of a change whose price was given back: what was had before it is had again.
  func withPaidChanges(_ coverage: Coverage) -> [Coverage] {
    guard let change = coverage.change?.change else { return [coverage] }
    let settling = state.invoices.values.compactMap(\.value).filter { invoice in
      invoice.prorations.contains { firstChange(from: $0) == change }
    }
    let taken = settling.flatMap { invoice in
      state.payments.values.filter { $0.references.elements.contains(invoice.id) }
        .flatMap { takings(by: $0.money, of: invoice.prorations.total) }
    }
    return taken.reduce([coverage]) { pieces, taking in
      pieces.flatMap { $0.withoutChange(in: taking) }
    }
  }

  /// The change that a proration settles: stores charge from the instant of the change on, and
  /// report it then or a little later.
  private func firstChange(from proration: Proration) -> PlanChange? {
    planChanges.lazy.map(\.change).first { change in
      change.at >= proration.at
        && (change.item.isEmpty || proration.item.isEmpty || change.item == proration.item)
    }
  }

  private func takings(by money: MoneyState, of amount: Money?) -> [Taking] {
    refunds(money, of: amount) + lostDisputes(money)
  }

  private func refunds(_ money: MoneyState, of amount: Money?) -> [Taking] {
    RefundTimeline(money, paidAtMost: amount).stretches.compactMap { stretch in
      let policy = terms.policy(at: stretch.period.start)
      let rule = stretch.isFull ? policy.fullRefund : policy.partialRefund
      guard stretch.revokes ?? (rule != .keep) else { return nil }
      let judged = stretch.revokes == nil ? terms.policyEvidence(at: stretch.period.start) : []
      return Taking(
        period: stretch.period, reason: .refunded, evidence: stretch.evidence + judged,
        writtenAt: stretch.writtenAt)
    }
  }

  private func lostDisputes(_ money: MoneyState) -> [Taking] {
    money.disputes.values.compactMap { dispute in
      guard let closure = dispute.closure.winner, let at = closure.value.at else { return nil }
      switch closure.value.outcome {
      case .won, .withdrawn: return nil
      case .lost, .unrecognized: break
      }
      if terms.policy(at: at).lostDispute == .keep { return nil }
      return Taking(
        period: Period(start: at, end: .distantFuture), reason: .revoked,
        evidence: [closure.stamp.event] + terms.policyEvidence(at: at),
        writtenAt: closure.stamp.time)
    }
  }
}

extension Taking {
  /// The stretch up to when the source first wrote afterwards that nothing is taken back; nil where
  /// nothing is left of it.
  ///
  /// What it wrote before knew nothing of the taking, even if that counts from an earlier instant.
  fileprivate func until(shownIntact instants: SortedSet<Timestamp>) -> Taking? {
    guard let restored = instants.elements.first(where: { $0 > writtenAt }) else { return self }
    var copy = self
    copy.period.end = min(period.end, restored)
    return copy.period.isEmpty ? nil : copy
  }
}

extension [Proration] {
  /// What they come to; nil where that is not known of one.
  fileprivate var total: Money? {
    guard var total = first?.amount else { return nil }
    for proration in dropFirst() {
      guard let next = proration.amount, next.currency == total.currency else { return nil }
      let (sum, overflows) = total.minorUnits.addingReportingOverflow(next.minorUnits)
      if overflows { return nil }
      total.minorUnits = sum
    }
    return total
  }
}
