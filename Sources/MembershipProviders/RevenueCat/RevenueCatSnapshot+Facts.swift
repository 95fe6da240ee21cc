import MembershipModel

extension RevenueCatSnapshot {
  /// States the purchase and what became of it.
  func state(in facts: inout FactCollector) {
    guard let text = transactionText, let original = originalText, let start,
      let membership = store.membership(original, facts.faults),
      let transaction = store.transaction(text, startingAt: start, facts.faults)
    else {
      facts.note("the purchase shows no transaction with its time")
      return
    }
    guard let kind else { return }
    if let expiresAt, expiresAt < start {
      facts.note("the purchase ends before it starts: it was never valid")
      return
    }
    if renews, expiresAt == nil {
      facts.note("the purchase does not say until when it lasts")
      return
    }
    let references = store.reference(text, facts.faults).map { [$0] } ?? []
    statePurchase(transaction, kind, from: start, of: membership, references, in: &facts)
    if renews, let expiresAt { stateOutlook(to: expiresAt, of: membership, in: &facts) }
    if let refundedAt {
      let given = amount ?? Money(minorUnits: 0, currency: "XXX")
      let refund = Refund(amount: given, revokes: true, at: refundedAt, transaction: transaction)
      facts.state(.refunded(refund), of: membership, references: references)
    }
  }

  private func statePurchase(
    _ id: TransactionID, _ kind: TransactionKind, from start: Timestamp,
    of membership: MembershipID, _ references: [ReferenceID], in facts: inout FactCollector
  ) {
    if store.isStripe, isRenewal, renews, kind == .free {
      facts.note(
        "a renewal at no price may be one that Stripe was not paid for: it gives nothing by itself")
      return
    }
    let bought = Transaction(
      id: id, offer: store.offer(product), period: expiresAt.map { Period(start: start, end: $0) },
      kind: kind, amount: amount, ownership: ownership, isObserved: store.isStripe && renews)
    facts.state(
      isRenewal && renews ? .renewed(bought) : .purchased(bought), of: membership,
      references: references)
    guard renews else { return }
    let shown = Observation(
      status: periodType, standing: kind == .trial ? .trialing : .active, at: start,
      isRenewing: unsubscribedAt == nil, items: [ObservedItem(offer: store.offer(product))])
    facts.state(.observed(shown), of: membership)
  }

  /// States what is to come: a planned end, a payment that failed, or a pause.
  private func stateOutlook(
    to end: Timestamp, of membership: MembershipID, in facts: inout FactCollector
  ) {
    if hasBillingIssue {
      let period = Period(start: end, end: max(graceUntil ?? end, end))
      facts.state(
        .paymentFailed(PaymentFailure(period: period, graceUntil: graceUntil)), of: membership)
    } else if let unsubscribedAt {
      let schedule = CancellationSchedule(effectiveAt: end, requestedAt: unsubscribedAt)
      facts.state(.cancellationScheduled(schedule), of: membership)
    }
    if let resumesAt {
      let pause = Pause(cause: RevenueCatNotice.pauseCause, at: end, resumesAt: resumesAt)
      facts.state(.paused(pause), of: membership)
    }
  }
}
