/// A customer's relationship with one product line, as it stands at an instant.
public struct Membership: Hashable, Sendable {
  /// The membership.
  public let id: MembershipID
  /// Who holds it; nil where nothing says whose it is.
  public let customer: CustomerID?
  /// The store.
  public let provider: Provider
  /// The catalog's product; nil where the catalog does not know what the store sold.
  public let product: ProductID?
  /// The catalog's plan; nil where the catalog does not know it.
  public let plan: PlanID?
  /// The store's product; nil where it gave none.
  public let storeProduct: String?
  /// The store's plan or price; nil where it gave none.
  public let storePlan: String?
  /// How it stands.
  public let status: MembershipStatus
  /// The store's own word for its status, as of the instant; nil where it gave none.
  public let storeStatus: String?
  /// Whether it gives access at the instant, whatever its status says.
  public let isActive: Bool
  /// Whether it is to be renewed, as far as is known.
  public let willRenew: Bool
  /// The earliest time that any of its facts speaks of.
  public let createdAt: Timestamp
  /// The end of the period that is, or was last, paid for; nil where there is none.
  public let currentPeriodEnd: Timestamp?
  /// When access ends, or ended, if nothing new is recorded; nil is never, or no access at all.
  public let expiresAt: Timestamp?
  /// When a requested cancellation takes effect.
  public let cancelAt: Timestamp?
  /// When it ended; nil while it has not.
  public let endedAt: Timestamp?
  /// The plan change that is planned.
  public let pendingChange: PlanChange?
  /// The causes that hold or pause it at the instant.
  public let holds: [String]
  /// The environment.
  public let environment: Environment
}
