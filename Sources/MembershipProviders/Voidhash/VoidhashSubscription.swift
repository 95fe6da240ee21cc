import MembershipModel

/// What happens to a subscription, whether a webhook or an action tells it.
enum VoidhashSubscription {
  typealias Read = VoidhashEventKind.Read

  static let readStart: Read = { statePeriod($0, isRenewal: false, in: &$1) }
  static let readRenewal: Read = { statePeriod($0, isRenewal: true, in: &$1) }

  private static func statePeriod(
    _ notice: VoidhashNotice, isRenewal: Bool, in facts: inout FactCollector
  ) {
    guard let membership = membership(notice, facts) else { return }
    let object = notice.object
    facts.state(observation(notice, .active, isRenewing: true), of: membership)
    guard let start = object.time("startsAt"), let end = object.time("expiresAt"), start <= end
    else {
      facts.note("the subscription shows no usable period")
      return
    }
    let name = "\(membership.rawValue)/\(start.milliseconds / 1000)"
    guard let id = notice.transaction ?? (try? Identifier(name)) else {
      facts.note("the transaction has no usable id")
      return
    }
    let amount = notice.amount
    let kind: TransactionKind =
      object.flag("isTrial") == true ? .trial : amount?.minorUnits == 0 ? .free : .paid
    let transaction = Transaction(
      id: id, offer: notice.offer, period: Period(start: start, end: end), kind: kind,
      amount: amount, isObserved: notice.isObserver)
    facts.state(
      isRenewal ? .renewed(transaction) : .purchased(transaction), of: membership,
      references: notice.references)
  }

  static let readCancellation: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    let at = notice.object.time("canceledAt") ?? notice.at
    if notice.object.flag("cancelAtPeriodEnd") == false {
      facts.state(observation(notice, .ended, isRenewing: false), of: membership)
      facts.state(.ended(End(at: at, reason: .cancelled)), of: membership)
      return
    }
    facts.state(observation(notice, .active, isRenewing: false), of: membership)
    guard let end = notice.object.time("expiresAt") else {
      facts.note("an end is planned for an instant that is not shown")
      return
    }
    let schedule = CancellationSchedule(
      effectiveAt: end, requestedAt: at, reason: notice.object.text("cancellationReason") ?? "")
    facts.state(.cancellationScheduled(schedule), of: membership)
  }

  static let readExpiry: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    let at = notice.object.time("expiredAt") ?? notice.at
    facts.state(observation(notice, .ended, isRenewing: false), of: membership)
    facts.state(.ended(End(at: at, reason: .expired)), of: membership)
  }

  /// Taken back by the store, as when a family is left: all of it, from then on.
  static let readRevocation: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    let revocation = AccessRevocation(
      at: notice.object.time("revokedAt"), reason: notice.object.text("revocationReason") ?? "")
    facts.state(.accessRevoked(revocation), of: membership)
  }

  static let readResumption: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    facts.state(
      .cancellationWithdrawn(Withdrawal(at: notice.object.time("resumedAt"))), of: membership)
  }

  static let readBillingRetry: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    let start = notice.object.time("billingRetryAt") ?? notice.at
    let grace = notice.object.time("gracePeriodExpiresAt")
    let failure = PaymentFailure(
      period: Period(start: start, end: max(start, grace ?? start)), graceUntil: grace)
    facts.state(.paymentFailed(failure), of: membership)
  }

  static let readExtension: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    guard let until = notice.object.time("extendedTo") else {
      facts.note("the extension shows no usable end")
      return
    }
    facts.state(.extended(Extension(until: until)), of: membership)
  }

  /// It takes effect with the next renewal, whenever that is: no instant is known.
  static let readPreference: Read = { notice, facts in
    guard let membership = membership(notice, facts) else { return }
    guard let plan = notice.object.text("newProviderProductKey") else {
      facts.note("the change does not show the new product")
      return
    }
    let change = PlanChange(at: .latest, from: notice.offer, to: Offer(plan: plan))
    facts.state(.planChangeScheduled(change), of: membership)
  }

  private static func membership(
    _ notice: VoidhashNotice, _ facts: FactCollector
  ) -> MembershipID? {
    guard let membership = notice.membership else {
      facts.note("it names no subscription")
      return nil
    }
    return membership
  }

  private static func observation(
    _ notice: VoidhashNotice, _ standing: Standing, isRenewing: Bool
  ) -> Fact.Body {
    .observed(
      Observation(
        status: notice.object.text("status") ?? standing.name, standing: standing,
        isRenewing: isRenewing))
  }
}
