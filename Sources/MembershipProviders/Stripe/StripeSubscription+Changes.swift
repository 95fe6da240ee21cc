import MembershipModel

extension StripeSnapshot {
  /// States what each item was and is, where the document says what it was.
  ///
  /// An item that takes the place of another, as when one is deleted and one added in one update,
  /// replaces it: what was paid for the old one is had as the new one.
  func statePlanChanges(in facts: inout FactCollector) {
    guard let before else { return }
    let former = Dictionary(before.items.map { ($0.id, $0) }) { first, _ in first }
    let present = Set(now.items.map(\.id))
    for item in now.items {
      guard let old = former[item.id] else { continue }
      if old.offer != item.offer || old.quantity != item.quantity {
        state(from: old, to: item, in: &facts)
      }
    }
    let dropped = before.items.filter { !present.contains($0.id) }
    let added = now.items.filter { former[$0.id] == nil }
    for index in 0..<max(dropped.count, added.count) {
      state(
        from: index < dropped.count ? dropped[index] : nil,
        to: index < added.count ? added[index] : nil, in: &facts)
    }
  }

  private func state(
    from old: StripeSubscriptionItem?, to new: StripeSubscriptionItem?,
    in facts: inout FactCollector
  ) {
    let change = PlanChange(
      at: notice.at, from: old?.offer, to: new?.offer, item: old?.id ?? new?.id ?? "",
      quantity: new?.quantity ?? 0)
    facts.state(.planChanged(change), of: now.membership)
  }

  /// An update that waits for a payment is planned for no known instant: it takes effect by the
  /// payment alone, never by time, and lapses where that does not come.
  func statePendingUpdate(in facts: inout FactCollector) {
    guard !isOver else { return }
    guard let pending = now.pendingItems else {
      if before?.pendingItems != nil || settlesPendingUpdate {
        facts.state(.planChangeWithdrawn(Withdrawal()), of: now.membership)
      }
      return
    }
    let present = Dictionary(now.items.map { ($0.id, $0) }) { first, _ in first }
    for item in pending {
      let change = PlanChange(
        at: .latest, from: present[item.id]?.offer, to: item.offer, item: item.id,
        quantity: item.quantity, lapsesAt: now.pendingExpiry)
      facts.state(.planChangeScheduled(change), of: now.membership)
    }
  }

  private var settlesPendingUpdate: Bool {
    notice.type == "customer.subscription.pending_update_applied"
      || notice.type == "customer.subscription.pending_update_expired"
  }
}
