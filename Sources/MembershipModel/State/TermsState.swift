/// The catalog and the policy with all their revisions, by position.
package struct TermsState: Hashable, Sendable {
  package var catalogs = SortedMap<Position, Stamped<CatalogRevision>>()
  package var policies = SortedMap<Position, Stamped<PolicyRevision>>()
  package var unknownFields = UnknownFields()

  package init() {}

  /// The policy in force at an instant: the last one written that had begun by then.
  package func policy(at instant: Timestamp) -> Policy {
    revisionOfPolicy(at: instant)?.value.policy ?? Self.defaultPolicy
  }

  /// The event that set the policy in force at an instant; none where it is the default one.
  func policyEvidence(at instant: Timestamp) -> [EventID] {
    revisionOfPolicy(at: instant).map { [$0.stamp.event] } ?? []
  }

  private func revisionOfPolicy(at instant: Timestamp) -> Stamped<PolicyRevision>? {
    policies.entries.last { ($0.value.value.from ?? .distantPast) <= instant }?.value
  }

  private static let defaultPolicy = Policy()

  /// The revision under which a transaction is read at an instant.
  ///
  /// A pinned revision gives way only to later ones that touch everyone. Before the first revision
  /// began, the first holds.
  ///
  /// - Parameters:
  ///   - pinned: The position of the revision that the transaction pins; 0 for none.
  ///   - bought: When the membership was first bought.
  ///   - transacted: When the transaction began.
  ///   - instant: The instant at which access is asked for.
  /// - Returns: The revision, or nil where there is no catalog at all.
  package func revision(
    pinned: UInt64, bought: Timestamp, transacted: Timestamp, at instant: Timestamp
  ) -> Stamped<CatalogRevision>? {
    let pin = catalogs[Position(pinned)]
    let applicable = catalogs.entries.last { entry in
      let from = entry.value.value.from ?? .distantPast
      return switch entry.value.value.appliesTo {
      case .newPurchases: pin == nil && bought >= from
      case .nextRenewal: pin == nil && transacted >= from
      case .everyone: instant >= from && entry.key.rawValue > (pin == nil ? 0 : pinned)
      case .unrecognized: false
      }
    }
    return applicable?.value ?? pin ?? firstCatalog
  }

  /// The first revision that touches anybody.
  private var firstCatalog: Stamped<CatalogRevision>? {
    catalogs.values.first { revision in
      if case .unrecognized = revision.value.appliesTo { false } else { true }
    }
  }

  /// The revision under which a first purchase at an instant is read.
  package func catalog(at instant: Timestamp) -> Stamped<CatalogRevision>? {
    revision(pinned: 0, bought: instant, transacted: instant, at: instant)
  }

  /// The newest revision of the catalog.
  package var latestCatalog: Stamped<CatalogRevision>? { catalogs.entries.last?.value }

  /// Whether the revision for a transaction depends on when its membership was first bought.
  var dependsOnFirstPurchase: Bool {
    catalogs.entries.dropFirst().contains { $0.value.value.appliesTo == .newPurchases }
  }

  /// The instants at which a revision touches everyone.
  package var turningPoints: [Timestamp] {
    catalogs.entries.compactMap { entry in
      entry.value.value.appliesTo == .everyone ? entry.value.value.from : nil
    }
  }

  /// Whether any revision of the catalog gives the entitlement for what a store sold.
  func everGives(
    _ entitlement: EntitlementKey, for offer: Offer, of provider: Provider
  ) -> Bool {
    catalogs.values.contains { revision in
      revision.value.catalog.product(for: offer, of: provider)?.entitlements.contains(entitlement)
        ?? false
    }
  }

  /// Whether any revision of the catalog has the entitlement.
  package func knows(_ entitlement: EntitlementKey) -> Bool {
    catalogs.values.contains { revision in
      revision.value.catalog.entitlements.contains { $0.key == entitlement }
    }
  }
}

extension TermsState: EntityState {
  package static var kind: EntityKind { .terms }
  package static var messageName: String { "TermsState" }
  package static var blank: TermsState { TermsState() }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "catalogs", &catalogs)
    try visitor.field(2, "policies", &policies)
  }
}

extension TermsState {
  /// The terms with one more revision of the catalog, as a preview needs them.
  package func adding(_ revision: CatalogRevision, at position: Position) -> TermsState {
    var terms = self
    let stamped = Stamped(revision, .blank)
    terms.catalogs[position, default: stamped] = stamped
    return terms
  }
}
