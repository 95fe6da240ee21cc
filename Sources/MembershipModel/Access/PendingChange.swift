/// A plan change that is planned for a membership.
public struct PendingChange: Hashable, Sendable {
  /// When it takes effect; nil where it waits for something else, such as its payment.
  public let at: Timestamp?
  /// What it replaces; nil where something is added.
  public let from: Offer?
  /// What replaces it; nil where something is dropped.
  public let to: Offer?
  /// The store's line of the subscription that changes; empty where that is not known.
  public let item: String
  /// How many are had after the change.
  public let quantity: Int64
}

extension PendingChange {
  /// The change with what the membership knows of its offers: a plan is of one product, and what is
  /// replaced is of the line that it is had in.
  init(_ change: PlanChange, knowing lines: [ObservedItem]) {
    func whole(_ offer: Offer?) -> Offer? {
      let known = lines.first { line in offer.map { line.offer.matches($0) } ?? false }
      return offer.map { $0.product.isEmpty ? known?.offer ?? $0 : $0 }
    }
    let line = lines.first { line in
      !line.item.isEmpty && change.from.map { line.offer.matches($0) } ?? false
    }
    at = change.at < .latest ? change.at : nil
    from = whole(change.from)
    to = whole(change.to)
    item = change.item.isEmpty ? line?.item ?? "" : change.item
    quantity = change.quantity
  }
}

extension MembershipTimeline {
  /// The change that is planned next; one of no known instant is the last.
  func pendingChange(of state: MembershipState, at instant: Timestamp) -> PendingChange? {
    let withdrawn = state.withdrawals.entry(at: instant)
    let planned = state.planned.values.compactMap { history -> PlanChange? in
      guard let entry = history.entry(at: instant), entry.value.at > instant else { return nil }
      if let withdrawn, withdrawn.stamp.undoes(entry.stamp) { return nil }
      return entry.value
    }
    let next = planned.min { ($0.at, $0.item) < ($1.at, $1.item) }
    return next.map { PendingChange($0, knowing: lines(of: state, at: instant)) }
  }

  /// What is had or was ever sold, what is had first.
  private func lines(of state: MembershipState, at instant: Timestamp) -> [ObservedItem] {
    let had = coverages.filter { $0.period.contains(instant) }
      .map { ObservedItem(item: $0.item, offer: $0.offer) }
    let shown = state.standing.value(at: instant)?.items ?? []
    let sold = state.transactions.values.compactMap(\.purchase.value?.transaction)
      .map { ObservedItem(item: $0.item, offer: $0.offer) }
    return shown + had + sold
  }
}

extension Stamp {
  /// Whether a withdrawal with this stamp came after the plan with the other one.
  ///
  /// An event that states both withdraws an older plan and makes a new one.
  fileprivate func undoes(_ plan: Stamp) -> Bool {
    if time != plan.time { return time > plan.time }
    return event != plan.event && !plan.follows(self)
  }
}
