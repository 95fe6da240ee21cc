/// A plan change that is planned for a membership.
public struct PendingChange: Hashable, Sendable {
  /// When it takes effect; nil where it waits for something else, such as its payment.
  public let at: Timestamp?
  /// What it replaces; nil where something is added.
  public let from: Side?
  /// What replaces it; nil where something is dropped.
  public let to: Side?
  /// The store's line of the subscription that changes; empty where that is not known.
  public let item: String
  /// How many are had after the change.
  public let quantity: Int64

  /// What is had before or after a change, by the catalog's names and the store's.
  public struct Side: Hashable, Sendable {
    /// The catalog's product; nil where the catalog does not know what the store sells.
    public let product: ProductID?
    /// The catalog's plan; nil where the catalog does not know it.
    public let plan: PlanID?
    /// What the store sells.
    public let offer: Offer
  }
}

extension PendingChange {
  /// The change with what the membership knows of its offers: a plan is of one product, and what is
  /// replaced is of the line that it is had in.
  init(
    _ change: PlanChange, knowing lines: [ObservedItem], _ resolver: SourceResolver,
    at instant: Timestamp
  ) {
    var resolver = resolver
    func whole(_ offer: Offer?) -> Offer? {
      let known = lines.first { line in offer.map { line.offer.matches($0) } ?? false }
      return offer.map { $0.product.isEmpty ? known?.offer ?? $0 : $0 }
    }
    let line = lines.first { line in
      !line.item.isEmpty && change.from.map { line.offer.matches($0) } ?? false
    }
    at = change.at < .latest ? change.at : nil
    from = whole(change.from).map { resolver.side($0, at: instant) }
    to = whole(change.to).map { resolver.side($0, at: change.at < .latest ? change.at : instant) }
    item = change.item.isEmpty ? line?.item ?? "" : change.item
    quantity = change.quantity
  }
}

extension MembershipTimeline {
  /// The change that is planned next; one of no known instant is the last.
  func pendingChange(of state: MembershipState, at instant: Timestamp) -> PendingChange? {
    let withdrawn = state.withdrawals.entry(at: instant)
    let planned = state.planned.values.compactMap { history -> PlanChange? in
      guard let entry = history.entry(at: instant), entry.value.at > instant,
        entry.value.lapsesAt ?? .distantFuture > instant
      else { return nil }
      if let withdrawn, withdrawn.stamp.undoes(entry.stamp, knowing: state, history) { return nil }
      return entry.value
    }
    let next = planned.min { ($0.at, $0.item) < ($1.at, $1.item) }
    return next.map {
      PendingChange($0, knowing: lines(of: state, at: instant), resolver, at: instant)
    }
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
  /// An event that states both withdraws an older plan and makes a new one. Where each says that it
  /// came right after the other, the state before both tells which one came last.
  fileprivate func undoes(
    _ plan: Stamp, knowing membership: MembershipState, _ plans: History<PlanChange>
  ) -> Bool {
    if time != plan.time { return time > plan.time }
    if event == plan.event { return false }
    guard plan.follows(self) else { return true }
    guard follows(plan) else { return false }
    let known =
      plans.stretches.map(\.entry.stamp) + membership.withdrawals.stretches.map(\.entry.stamp)
      + membership.standing.stretches.map(\.entry.stamp)
    let before = known.filter { $0.time < time && ($0.state == state || $0.state == plan.state) }
      .max { ($0.time, $0.event) < ($1.time, $1.event) }
    return before?.state == state
  }
}
