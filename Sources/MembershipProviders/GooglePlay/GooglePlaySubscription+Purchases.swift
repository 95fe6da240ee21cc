import MembershipModel

extension GooglePlaySubscription {
  /// What was had of each item: by its order where that is known to be paid, else as the store's
  /// word alone.
  func statePurchases(_ evidence: GooglePlayState.Evidence, in facts: inout FactCollector) {
    guard let startsAt else {
      facts.note("the subscription does not show when it began")
      return
    }
    if ownedItems.isEmpty { facts.note("the subscription shows no item with an end") }
    let orders = Dictionary(grouping: ownedItems.compactMap(\.order)) { $0 }
    for item in ownedItems {
      guard let end = timeHad(of: item) else { continue }
      guard startsAt <= end else {
        facts.note("an item is over before the subscription began")
        continue
      }
      if item.offer.product.isEmpty { facts.note("an item does not name its product") }
      let isPaid = evidence == .payment && item.order != nil
      let sharesOrder = item.order.map { orders[$0, default: []].count > 1 } ?? false
      let parts =
        isPaid
        ? [item.order, sharesOrder ? item.offer.product : nil]
        : [
          notice.token, item.offer.product,
        ]
      let name = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "/")
      guard let id: TransactionID = DocumentObject.identifier(name, facts.faults) else { continue }
      let transaction = Transaction(
        id: id, offer: item.offer, period: Period(start: startsAt, end: end), kind: item.kind,
        amount: isPaid ? item.price : nil, item: line(of: item),
        isObserved: evidence == .time && item.kind != .trial, hasUnknownStart: true)
      let order: ReferenceID? = item.order.flatMap { DocumentObject.identifier($0, facts.faults) }
      facts.state(
        isPaid && item.isRenewal ? .renewed(transaction) : .purchased(transaction),
        of: notice.membership, references: isPaid ? [order].compactMap { $0 } : [])
    }
  }

  /// Until when an item was had beyond doubt: the expiry of a grace period is that of the grace.
  private func timeHad(of item: GooglePlayItem) -> Timestamp? {
    guard let end = item.expiresAt else { return nil }
    guard status == "SUBSCRIPTION_STATE_IN_GRACE_PERIOD" else { return end }
    return min(end, notice.triggered(by: 6) ?? notice.at)
  }
}
