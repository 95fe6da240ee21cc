import MembershipModel

extension RevenueCatNotice {
  /// States a period of a subscription: bought, in trial or renewed.
  func statePeriod(isRenewal: Bool, in facts: inout FactCollector) {
    guard let membership, let transaction, let start, let expiresAt, start <= expiresAt else {
      facts.note("the event shows no transaction with its period")
      return
    }
    guard let kind = periodKind else { return }
    if store.isStripe, isRenewal, kind == .free {
      facts.note(
        "a renewal at no price may be one that Stripe was not paid for: it gives nothing by itself")
      return
    }
    let bought = purchase(
      transaction, kind, Period(start: start, end: expiresAt), isObserved: store.isStripe)
    facts.state(
      isRenewal ? .renewed(bought) : .purchased(bought), of: membership, references: references)
    // It shows all that the subscription consists of, so that a former product is had no more.
    let shown = Observation(
      status: periodType, standing: kind == .trial ? .trialing : .active, at: start,
      isRenewing: true, items: [ObservedItem(offer: offer)])
    facts.state(.observed(shown), of: membership)
    if isRenewal, store.isGooglePlay {
      facts.state(.resumed(Resumption(cause: Self.pauseCause, at: start)), of: membership)
    }
  }

  /// States what does not renew: bought once, or given by hand.
  func stateSinglePurchase(in facts: inout FactCollector) {
    guard let membership, let transaction, let start else {
      facts.note("the event shows no transaction with its time")
      return
    }
    guard let period = singlePeriod(from: start) else {
      facts.note("the event does not say until when the purchase lasts")
      return
    }
    let kind: TransactionKind = store.isPromotional && period != nil ? .free : .oneTime
    facts.state(
      .purchased(purchase(transaction, kind, period)), of: membership, references: references)
  }

  /// States what is given while the store cannot be asked; it never lasts for ever.
  func stateTemporaryGrant(in facts: inout FactCollector) {
    guard let membership, let transaction, let start, let expiresAt, start <= expiresAt,
      !offer.product.isEmpty
    else {
      facts.note("the event does not say what is given until when")
      return
    }
    let given = purchase(transaction, .free, Period(start: start, end: expiresAt))
    facts.state(.purchased(given), of: membership, references: references)
  }

  private func purchase(
    _ id: TransactionID, _ kind: TransactionKind, _ period: Period?, isObserved: Bool = false
  ) -> Transaction {
    Transaction(
      id: id, offer: offer, period: period, kind: kind, amount: amount, ownership: ownership,
      isObserved: isObserved)
  }

  /// The period of a purchase that does not renew: `.some(nil)` where its end is said to be never,
  /// and nil where nothing is said.
  private func singlePeriod(from start: Timestamp) -> Period?? {
    if let expiresAt { return expiresAt < start ? nil : Period(start: start, end: expiresAt) }
    return object.value["expiration_at_ms"] == .null ? .some(nil) : nil
  }

  private var periodKind: TransactionKind? {
    if let kind = Self.kind(ofPeriod: periodType, costing: amount) { return kind }
    object.faults.note("the period type \"\(periodType)\" is not known")
    return nil
  }

  /// RevenueCat's word for the period, as its subscriber objects write it.
  private var periodType: String { object.text("period_type")?.lowercased() ?? "" }

  /// What was given for a period; nil for words that are not known.
  static func kind(ofPeriod name: String, costing amount: Money?) -> TransactionKind? {
    switch name {
    case "trial": .trial
    case "intro": .intro
    case "normal", "prepaid": amount?.minorUnits == 0 ? .free : .paid
    case "promotional": .free
    default: nil
    }
  }
}
