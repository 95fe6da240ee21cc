import MembershipModel

/// A subscription or a purchase as one document shows it: a transaction, what is to come, or both.
struct AppStoreSnapshot {
  let effect: AppStoreEffect
  let subtype: String?
  let transaction: AppStoreTransaction?
  let renewal: AppStoreRenewal?
  /// Apple's number for the standing, where the document gives it.
  let status: Int64?
  /// Whether Apple signed the standing.
  let isStatusSigned: Bool
  /// When it was signed that is the newest to come, else the transaction, else the document.
  let at: Timestamp
  let settings: AppStoreSettings

  var account: AccountID? { transaction?.account ?? renewal?.account }

  var customer: CustomerID? { transaction?.customer ?? renewal?.customer }

  /// When it happened: a purchase shown by itself when it was made, all else when it was signed.
  var effectiveAt: Timestamp {
    guard let transaction, renewal == nil, let purchasedAt = transaction.purchasedAt,
      takenBackAt(transaction) == nil, effect.isPurchase
    else { return at }
    return min(purchasedAt, at)
  }

  func state(in facts: inout FactCollector) {
    if let transaction {
      statePurchase(transaction, in: &facts)
      stateTaking(transaction, in: &facts)
    }
    if let transaction, let renewal, transaction.membership != renewal.membership {
      facts.note("the transaction and the renewal info are of different subscriptions")
      return
    }
    guard let subscription else { return }
    stateStanding(of: subscription, in: &facts)
    stateFailure(of: subscription, in: &facts)
    stateCancellation(of: subscription, in: &facts)
    statePlanChange(of: subscription, in: &facts)
    stateEnd(of: subscription, in: &facts)
  }

  private var subscription: MembershipID? {
    guard let transaction else { return renewal?.membership }
    return transaction.type == .autoRenewable ? transaction.membership : nil
  }

  /// When a transaction's facts were written, where that is not when the document's were.
  func writtenAt(_ transaction: AppStoreTransaction) -> Timestamp? {
    transaction.signedAt == at ? nil : transaction.signedAt
  }

  // MARK: - The transaction

  private func statePurchase(_ shown: AppStoreTransaction, in facts: inout FactCollector) {
    if let former = shown.formerOriginal {
      facts.note("it goes on from the original transaction \(former)")
    }
    guard shown.quantity > 0 else {
      facts.note("a quantity of \(shown.quantity) gives nothing")
      return
    }
    let period: Period?
    switch extent(of: shown, in: &facts) {
    case .unknown: return
    case .forever: period = nil
    case .period(let span): period = span
    }
    let bought = Transaction(
      id: shown.id, offer: Offer(product: shown.product), period: period,
      kind: shown.transactionKind, quantity: shown.quantity, amount: shown.price,
      ownership: shown.ownership,
      isIntact: takenBackAt(shown) == nil && !shown.isUpgraded,
      // One product of a subscription at a time is had: an upgrade ends what was had before it.
      replacesEarlier: shown.type == .autoRenewable)
    facts.state(
      shown.isRenewal ? .renewed(bought) : .purchased(bought), of: shown.membership,
      references: shown.references, writtenAt: writtenAt(shown))
  }

  /// How long what was bought lasts.
  private enum Extent {
    case forever
    case period(Period)
    case unknown
  }

  private func extent(
    of shown: AppStoreTransaction, in facts: inout FactCollector
  ) -> Extent {
    switch shown.type {
    case .unknown(let type):
      facts.note("the type of product \"\(type)\" is not known")
      return .unknown
    case .oneTime:
      return .forever
    case .autoRenewable, .nonRenewing:
      guard let start = shown.purchasedAt else {
        facts.note("the transaction shows no usable time of purchase")
        return .unknown
      }
      guard let end = end(of: shown, since: start, in: &facts), start <= end else {
        facts.note("the transaction shows no usable time of expiry")
        return .unknown
      }
      return .period(Period(start: start, end: end))
    }
  }

  /// Non-renewing subscriptions run out at a time that the service alone knows; without it, at once.
  private func end(
    of shown: AppStoreTransaction, since start: Timestamp, in facts: inout FactCollector
  ) -> Timestamp? {
    if shown.expiresAt != nil || shown.type == .autoRenewable { return shown.expiresAt }
    if let duration = settings.nonRenewingDurations[shown.product] {
      return start.adding(duration)
    }
    facts.note("how long the non-renewing product \(shown.product) lasts is not known")
    return start
  }

  private func takenBackAt(_ shown: AppStoreTransaction) -> Timestamp? {
    shown.revocation?.at ?? (effect == .refund || effect == .revoke ? shown.signedAt : nil)
  }

  private func stateTaking(_ shown: AppStoreTransaction, in facts: inout FactCollector) {
    if let at = takenBackAt(shown) {
      facts.state(
        taking(shown, at: at, in: &facts), of: shown.membership, references: shown.references,
        writtenAt: writtenAt(shown))
    } else if effect == .reversal {
      facts.state(
        .refundReversed(RefundReversal(transaction: shown.id)), of: shown.membership,
        references: shown.references, writtenAt: writtenAt(shown))
    }
    if shown.isUpgraded {
      let revocation = AccessRevocation(
        transaction: shown.id, at: shown.signedAt, reason: "upgraded")
      facts.state(
        .accessRevoked(revocation), of: shown.membership, writtenAt: writtenAt(shown))
    }
  }

  /// A refund says how much money went back; what was had without payment is only taken back.
  private func taking(
    _ shown: AppStoreTransaction, at instant: Timestamp, in facts: inout FactCollector
  ) -> Fact.Body {
    let isOfFamily = effect == .revoke || shown.revocation?.isOfFamily == true
    guard !isOfFamily, let price = shown.price, price.minorUnits > 0,
      let amount = amount(refundedOf: price, shown.revocation?.percentage, in: &facts)
    else {
      return .accessRevoked(
        AccessRevocation(
          transaction: shown.id, at: instant, reason: isOfFamily ? "family sharing" : "refunded"))
    }
    return .refunded(
      Refund(amount: amount, paid: price, revokes: true, at: instant, transaction: shown.id))
  }

  /// The part of a price, given in thousandths of a percent.
  private func amount(
    refundedOf price: Money, _ percentage: Int64?, in facts: inout FactCollector
  ) -> Money? {
    guard let percentage else { return price }
    let whole: Int64 = 100_000
    guard (1...whole).contains(percentage) else {
      facts.note("a refund of \(percentage) thousandths of a percent")
      return price
    }
    let (product, overflows) = price.minorUnits.multipliedReportingOverflow(by: percentage)
    guard !overflows, product.isMultiple(of: whole) else {
      facts.note("the refund is not shown to the minor unit: it is rounded down")
      let share = price.minorUnits.multipliedFullWidth(by: percentage)
      return Money(
        minorUnits: max(1, whole.dividingFullWidth(share).quotient), currency: price.currency)
    }
    return Money(minorUnits: product / whole, currency: price.currency)
  }
}
