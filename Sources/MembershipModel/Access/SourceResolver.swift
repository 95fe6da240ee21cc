/// Sees coverages through the catalog.
struct SourceResolver {
  private let provider: Provider
  private let terms: TermsState
  /// When the membership was first bought.
  private let bought: Timestamp?
  /// The event of the first purchase, where revisions depend on when it was.
  private let origin: [EventID]
  /// The entitlements that were taken by themselves, and from when on.
  private let taken: [(key: EntitlementKey, from: Timestamp, event: EventID)]
  private var known: [Key: Sold] = [:]

  private struct Key: Hashable {
    let offer: Offer
    let revision: EventID
  }

  private struct Sold {
    let product: Catalog.Product?
    let plan: PlanID?
  }

  init(
    _ id: MembershipID, _ state: MembershipState, _ terms: TermsState, _ coverages: [Coverage]
  ) {
    provider = id.provider
    taken = state.takenEntitlements.entries.compactMap { entry in
      entry.value.stretches.first.map { (entry.key, $0.period.start, $0.entry.stamp.event) }
    }
    self.terms = terms
    bought = coverages.first?.transactedAt
    origin = terms.dependsOnFirstPurchase ? coverages.first.map { [$0.evidence[0]] } ?? [] : []
  }

  /// The product that the catalog knows a coverage by at an instant, with what is left of it.
  mutating func product(of coverage: Coverage, at instant: Timestamp) -> Catalog.Product? {
    guard let revision = revision(for: coverage, at: instant),
      var product = look(up: coverage.offer, under: revision).product
    else { return nil }
    let gone = takenKeys(at: instant)
    if !gone.isEmpty { product.entitlements.removeAll(where: gone.contains) }
    return product
  }

  /// What of a coverage was taken by itself by an instant, and by which events.
  mutating func taken(
    from coverage: Coverage, at instant: Timestamp
  ) -> [(key: EntitlementKey, event: EventID)] {
    if taken.isEmpty { return [] }
    guard let revision = revision(for: coverage, at: instant) else { return [] }
    let given = look(up: coverage.offer, under: revision).product?.entitlements ?? []
    return taken.filter { $0.from <= instant && given.contains($0.key) }.map { ($0.key, $0.event) }
  }

  private func takenKeys(at instant: Timestamp) -> [EntitlementKey] {
    taken.isEmpty ? [] : taken.filter { $0.from <= instant }.map(\.key)
  }

  private func revision(
    for coverage: Coverage, at instant: Timestamp
  ) -> Stamped<CatalogRevision>? {
    terms.revision(
      pinned: coverage.pinnedRevision, bought: bought ?? coverage.transactedAt,
      transacted: coverage.transactedAt, at: instant)
  }

  mutating func source(
    _ coverage: Coverage, at instant: Timestamp, isLive: Bool, isKept: Bool
  ) -> MembershipTimeline.Source {
    let revision = revision(for: coverage, at: instant)
    let sold = revision.map { look(up: coverage.offer, under: $0) }
    let gone = takenKeys(at: instant)
    return MembershipTimeline.Source(
      transaction: coverage.transaction, offer: coverage.offer, quantity: coverage.quantity,
      product: sold?.product?.id, plan: sold?.plan,
      entitlements: (sold?.product?.entitlements ?? []).filter { !gone.contains($0) },
      kind: coverage.kind,
      ownership: coverage.ownership,
      isAssumed: coverage.isAssumed, isLive: isLive, item: coverage.item,
      isPerSeat: sold?.product?.isPerSeat ?? false, isKept: isKept,
      catalog: revision.map { [$0.stamp.event] + origin } ?? [])
  }

  /// What the catalog knows an offer as that is bought at an instant.
  mutating func side(_ offer: Offer, at instant: Timestamp) -> PendingChange.Side {
    let revision = terms.revision(
      pinned: 0, bought: bought ?? instant, transacted: instant, at: instant)
    let sold = revision.map { look(up: offer, under: $0) }
    return PendingChange.Side(product: sold?.product?.id, plan: sold?.plan, offer: offer)
  }

  private mutating func look(
    up offer: Offer, under revision: Stamped<CatalogRevision>
  ) -> Sold {
    let key = Key(offer: offer, revision: revision.stamp.event)
    if let sold = known[key] { return sold }
    let catalog = revision.value.catalog
    let sold = Sold(
      product: catalog.product(for: offer, of: provider),
      plan: catalog.plan(for: offer, of: provider)?.id)
    known[key] = sold
    return sold
  }
}
