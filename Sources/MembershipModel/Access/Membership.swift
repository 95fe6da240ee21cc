/// A customer's relationship with one product line, as it stands at an instant.
public struct Membership: Hashable, Sendable {
  /// The membership.
  public let id: MembershipID
  /// Who holds it, or a seat of it; nil where nothing says whose it is.
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
  /// Whether it gives access to the customer at the instant, whatever its status says.
  ///
  /// Whoever has bought seats for others and claims none has no access by it. Where it is listed
  /// for nobody, or compared with what a store says, it is whether it gives anyone access.
  public private(set) var isActive: Bool
  /// Whether the store is going to charge for it again, as far as is known: nothing ends it, and
  /// the store has not given up.
  public let willRenew: Bool
  /// When it began as far as is known: the earliest of when its facts were so, when the store says
  /// that it began, and the starts of what was bought.
  public let createdAt: Timestamp
  /// The end of the period that is, or was last, paid for; nil where there is none.
  public let currentPeriodEnd: Timestamp?
  /// When access ends, or ended, if nothing new is recorded; nil is never, or no access at all.
  public private(set) var expiresAt: Timestamp?
  /// When a requested cancellation takes effect.
  public let cancelAt: Timestamp?
  /// When it ended; nil while it has not.
  public let endedAt: Timestamp?
  /// The plan change that is planned.
  public let pendingChange: PendingChange?
  /// Until when the service has to acknowledge the purchase at the store, which else takes it back;
  /// nil where nothing is to be acknowledged.
  public let acknowledgeBy: Timestamp?
  /// The causes that hold or pause it at the instant; none once it has ended.
  public let holds: [String]
  /// Whether it was bought by its holder, or is shared by a family member who bought it; nil where
  /// nothing was bought.
  public let ownership: Ownership?
  /// The membership in which the customer had used the trial of the same product before it was
  /// used in this one; nil where this one has no trial, or the first.
  public package(set) var repeatsTrialOf: MembershipID?
  /// What the customer is to it.
  public let role: MembershipRole
  /// The seat of it that the customer claims; nil where there is none.
  public private(set) var seat: SeatID?
  /// Its seats; nil where it is not sold by the seat.
  public let seats: SeatUse?
  /// The environment.
  public let environment: Environment
}

extension Membership {
  /// The holder's membership with what a seat of it gives to its holder as well.
  func withSeat(_ seat: Membership) -> Membership {
    if self.seat != nil, !seat.isActive { return self }
    var whole = self
    whole.seat = self.seat ?? seat.seat
    if seat.isActive {
      whole.expiresAt =
        if isActive, let end = expiresAt { seat.expiresAt.map { max($0, end) } } else {
          isActive ? nil : seat.expiresAt
        }
      whole.isActive = true
    } else if !isActive {
      whole.expiresAt = expiresAt ?? seat.expiresAt
    }
    return whole
  }
}

/// What a customer is to a membership.
@nonexhaustive public enum MembershipRole: String, Hashable, Sendable {
  /// The customer holds it.
  case owner
  /// The customer claims a seat of one that may be another's.
  case seat
}

/// How the seats of a membership stand at an instant.
public struct SeatUse: Hashable, Sendable {
  /// How many there are; where several products are sold by the seat, of the most plentiful one.
  public let total: Int64
  /// How many are kept for someone, those that are claimed included.
  public let assigned: Int
  /// How many are claimed.
  public let claimed: Int
  /// Those that find no room, in the order in which they will.
  public let beyond: [Seat]

  /// One seat and whose it is.
  public struct Seat: Hashable, Sendable {
    /// The seat.
    public let seat: SeatID
    /// For whom it is kept, or who has claimed it; nil where that is open.
    public let customer: CustomerID?
  }
}
