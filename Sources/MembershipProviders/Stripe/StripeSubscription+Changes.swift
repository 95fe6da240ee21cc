import MembershipModel

extension StripeSnapshot {
  /// States what each item was and is, where the document says what it was.
  func statePlanChanges(in facts: inout StripeFacts) {
    guard let before else { return }
    let former = Dictionary(before.items.map { ($0.id, $0) }) { first, _ in first }
    let present = Set(now.items.map(\.id))
    for item in now.items {
      let old = former[item.id]
      guard old?.offer != item.offer || old?.quantity != item.quantity else { continue }
      state(
        PlanChange(
          at: notice.at, from: old?.offer, to: item.offer, item: item.id,
          quantity: item.quantity), in: &facts)
    }
    for item in before.items where !present.contains(item.id) {
      state(
        PlanChange(at: notice.at, from: item.offer, item: item.id, quantity: 0), in: &facts)
    }
  }

  private func state(_ change: PlanChange, in facts: inout StripeFacts) {
    facts.state(.planChanged(change), of: now.membership)
  }

  /// An update that waits for a payment is planned for no known instant: it takes effect by the
  /// payment alone, never by time.
  func statePendingUpdate(in facts: inout StripeFacts) {
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
        quantity: item.quantity)
      facts.state(.planChangeScheduled(change), of: now.membership)
    }
  }

  private var settlesPendingUpdate: Bool {
    notice.type == "customer.subscription.pending_update_applied"
      || notice.type == "customer.subscription.pending_update_expired"
  }
}
