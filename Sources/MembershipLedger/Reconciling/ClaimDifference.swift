/// What a provider's own list of a customer's entitlements and the ledger's answers differ in.
///
/// A provider's list says neither why nor until when; it is compared and never decides.
public struct ClaimDifference: Hashable, Sendable {
  /// The event that holds the list.
  public let event: EventID
  /// The customer that the account leads to, or the account's own name where it leads to nobody.
  public let customer: CustomerID
  /// The entitlements that the provider lists and none of its memberships gives by the ledger.
  public let onlyAtProvider: [String]
  /// The entitlements that its memberships give by the ledger and that it does not list.
  ///
  /// None where the list is not whole: what is not on it may follow.
  public let onlyInLedger: [String]
  /// Whether the list is whole.
  public let isComplete: Bool
}

extension Ledger {
  /// Compares the lists of entitlements that documents hold with the answers at their instants.
  func claimDifferences(
    in documents: [AppendRequest], of provider: Provider
  ) throws(LedgerError) -> [ClaimDifference] {
    try withStore { (store, _, _) throws(LedgerError) in
      var differences: [ClaimDifference] = []
      for event in documents.map(\.event) {
        for case .claimed(let claim) in event.facts.map(\.body) {
          let difference = try ClaimDifference(claim, in: event, of: provider, store)
          if let difference, !difference.isEmpty { differences.append(difference) }
        }
      }
      return differences
    }
  }
}

extension ClaimDifference {
  /// The difference, or nil where the event does not say whose list it is.
  fileprivate init?(
    _ claim: EntitlementClaim, in event: Event, of provider: Provider, _ store: OverlayStore
  ) throws(LedgerError) {
    let account = event.account.map { CustomerID(unchecked: $0.rawValue) }
    guard let name = event.customer ?? account else { return nil }
    let dossier = try Fold(store).dossier(of: name, event.environment)
    let access = CustomerAccess(dossier, try store.terms(), event.environment)
    let given = access.holdings(at: event.effectiveAt)
      .filter { $0.membership?.provider == provider }
    let (ours, theirs) = (Set(given.map(\.entitlement.rawValue)), Set(claim.entitlements))
    self.event = event.id
    customer = dossier.customer
    onlyAtProvider = theirs.subtracting(ours).sorted()
    onlyInLedger = claim.isComplete ? ours.subtracting(theirs).sorted() : []
    isComplete = claim.isComplete
  }

  fileprivate var isEmpty: Bool { onlyAtProvider.isEmpty && onlyInLedger.isEmpty }
}
