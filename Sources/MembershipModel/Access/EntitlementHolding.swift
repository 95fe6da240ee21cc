/// One source that gives a customer an entitlement at an instant.
public struct EntitlementHolding: Hashable, Sendable {
  /// The entitlement.
  public let entitlement: EntitlementKey
  /// The start of the stretch in which this source gives it; nil is since ever.
  public let from: Timestamp?
  /// The first instant after that stretch; nil is for ever.
  public let until: Timestamp?
  /// What kind of source it is.
  public let source: Source
  /// The membership that gives it.
  public let membership: MembershipID?
  /// The grant by hand that gives it.
  public let grant: GrantID?
  /// The catalog's product through which a membership gives it.
  public let product: ProductID?

  /// What may give an entitlement.
  @nonexhaustive public enum Source: String, Hashable, Sendable {
    /// A membership.
    case membership
    /// A grant by hand.
    case grant
  }
}
