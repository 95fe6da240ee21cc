/// A stretch in which a customer gains or loses an entitlement, by a revision or by what a store
/// says.
public struct AccessChange: Hashable, Sendable {
  /// The customer.
  public let customer: CustomerID
  /// The entitlement.
  public let entitlement: EntitlementKey
  /// Whether it is gained; else it is lost.
  public let isGained: Bool
  /// The start of the stretch; nil is since ever.
  public let from: Timestamp?
  /// The first instant after it; nil is for ever.
  public let until: Timestamp?
}

extension AccessChange {
  /// What a customer gains and loses, by entitlement; nil is nothing had at any time.
  static func changes(
    of customer: CustomerID, from before: AccessStretches?, to after: AccessStretches?
  ) -> [AccessChange] {
    let keys = Set(before?.entitlements ?? []).union(after?.entitlements ?? [])
    return keys.sorted().flatMap { key in
      let (had, has) = (before?[key] ?? [], after?[key] ?? [])
      return [(has.subtracting(had), true), (had.subtracting(has), false)].flatMap {
        periods, isGained in
        periods.map {
          AccessChange(
            customer: customer, entitlement: key, isGained: isGained, from: $0.start.bounded,
            until: $0.end.bounded)
        }
      }
    }
  }
}
