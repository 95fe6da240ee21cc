import MembershipModel

/// How a subscription stands, and what is to come of it.
extension AppStoreSnapshot {
  /// The transaction, where it is the one that the subscription stands by; a refund or a request is
  /// about any of its transactions.
  private var current: AppStoreTransaction? {
    effect.isAboutAnyTransaction ? nil : transaction
  }

  private var graceEnd: Timestamp? {
    guard let grace = renewal?.graceUntil, grace > current?.expiresAt ?? .distantPast else {
      return nil
    }
    return grace
  }

  private var standing: Standing {
    guard let status, isStatusSigned else { return shownStanding }
    return switch status {
    case 1: goodStanding
    case 2, 5: .ended
    case 3, 4: .pastDue
    default: .unrecognized(0)
    }
  }

  private var goodStanding: Standing {
    current?.transactionKind == .trial ? .trialing : .active
  }

  /// What the signed payloads say where Apple's own word for it is not signed.
  private var shownStanding: Standing {
    if current?.revocation != nil { return .ended }
    if effect == .expiry { return .ended }
    if effect == .retry || effect == .graceOver { return .pastDue }
    if let graceEnd, graceEnd > at { return .pastDue }
    if renewal?.isInRetry == true { return .pastDue }
    return renewal?.expirationIntent == nil ? goodStanding : .ended
  }

  func stateStanding(of subscription: MembershipID, in facts: inout FactCollector) {
    guard renewal != nil || status != nil else { return }
    let standing = standing
    let observation = Observation(
      status: status.map(String.init) ?? "", standing: standing,
      isRenewing: renewal?.renews == true && standing != .ended)
    facts.state(.observed(observation), of: subscription)
    if standing == .unrecognized(0), let status { facts.note("the status \(status) is not known") }
  }

  /// The period that is not paid begins where the last one that was paid ends.
  func stateFailure(of subscription: MembershipID, in facts: inout FactCollector) {
    guard standing == .pastDue, !effect.isAboutAnyTransaction else { return }
    guard let start = current?.expiresAt else {
      facts.note("a payment failed for a period that is not shown")
      return
    }
    let grace = graceEnd ?? (effect == .graceOver && at > start ? at : nil)
    if effect == .retry, subtype == "GRACE_PERIOD", grace == nil {
      facts.note("how long the grace lasts is not shown")
    }
    let failure = PaymentFailure(
      period: Period(start: start, end: grace ?? start), graceUntil: grace, failedAt: start)
    facts.state(.paymentFailed(failure), of: subscription)
  }

  func stateCancellation(of subscription: MembershipID, in facts: inout FactCollector) {
    guard let renewal, standing != .ended else { return }
    if effect == .renewalOn, renewal.renews != false {
      facts.state(.cancellationWithdrawn(Withdrawal()), of: subscription)
    }
    guard renewal.renews == false else { return }
    let grace = graceEnd.flatMap { $0 > at ? $0 : nil }
    guard let end = grace ?? renewal.renewsAt ?? current?.expiresAt else {
      facts.note("an end is planned for an instant that is not shown")
      return
    }
    // What is over already does not end once more.
    guard end > at else { return }
    facts.state(
      .cancellationScheduled(CancellationSchedule(effectiveAt: end)), of: subscription)
  }

  func statePlanChange(of subscription: MembershipID, in facts: inout FactCollector) {
    guard let renewal, let product = renewal.product, let next = renewal.nextProduct,
      standing != .ended
    else { return }
    if product != next, renewal.renews != false {
      let change = PlanChange(
        at: renewal.renewsAt ?? current?.expiresAt ?? .latest, from: Offer(product: product),
        to: Offer(product: next))
      facts.state(.planChangeScheduled(change), of: subscription)
    } else if product == next, effect == .preference || effect == .fetched {
      facts.state(.planChangeWithdrawn(Withdrawal()), of: subscription)
    }
    if effect == .extension, let current, let until = renewal.renewsAt {
      facts.state(
        .extended(Extension(transaction: current.id, until: until)), of: subscription)
    }
  }

  func stateEnd(of subscription: MembershipID, in facts: inout FactCollector) {
    guard standing == .ended, let current, current.revocation == nil, status != 5,
      let expiry = current.expiresAt
    else { return }
    let reason = endReason
    let end: Timestamp
    if let graceEnd {
      end = max(expiry, min(graceEnd, at))
    } else {
      // After a failed payment there may have been grace until then that is not shown any more.
      end = reason == .paymentFailed ? max(expiry, at) : expiry
    }
    facts.state(.ended(End(at: end, reason: reason)), of: subscription)
  }

  private var endReason: EndReason {
    switch (renewal?.expirationIntent, subtype) {
    case (1, _), (nil, "VOLUNTARY"): .cancelled
    case (2, _), (nil, "BILLING_RETRY"): .paymentFailed
    default: .expired
    }
  }
}
