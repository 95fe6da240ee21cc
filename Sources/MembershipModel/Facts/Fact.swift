/// What happened, in terms that no provider owns.
public struct Fact: Hashable, Sendable {
  /// The membership that the fact is about, where it is about one.
  public var membership: MembershipID?
  /// The payments, invoices and orders that the fact is about; facts about money are matched to
  /// transactions by them.
  public var references: [ReferenceID]
  /// When the source wrote what states it, where that is a part of the document with a time of its
  /// own; nil for the document's.
  public var writtenAt: Timestamp?
  /// What happened.
  public var body: Body
  /// Fields of newer schema versions; an unrecognized fact lies here whole.
  public var unknownFields = UnknownFields()

  /// Makes a fact.
  ///
  /// - Parameters:
  ///   - body: What happened.
  ///   - membership: The membership it is about, where it is about one.
  ///   - references: The payments, invoices and orders it is about.
  ///   - writtenAt: When the source wrote what states it; nil for the time of the document.
  public init(
    _ body: Body, membership: MembershipID? = nil, references: [ReferenceID] = [],
    writtenAt: Timestamp? = nil
  ) {
    self.membership = membership
    self.references = references
    self.writtenAt = writtenAt
    self.body = body
  }

  /// The facts, named so that *requested* and *in effect* never look alike.
  @nonexhaustive public enum Body: Hashable, Sendable {
    /// A first purchase.
    case purchased(Transaction)
    /// A purchase of a further period.
    case renewed(Transaction)
    /// Free days.
    case extended(Extension)
    /// An end is asked for and planned.
    case cancellationScheduled(CancellationSchedule)
    /// A planned end is not to happen.
    case cancellationWithdrawn(Withdrawal)
    /// The end, in effect.
    case ended(End)
    /// A payment failed or is overdue.
    case paymentFailed(PaymentFailure)
    /// A pause, in effect.
    case paused(Pause)
    /// The end of a pause, in effect.
    case resumed(Resumption)
    /// The store took access back.
    case accessRevoked(AccessRevocation)
    /// A hold, in effect.
    case holdPlaced(Hold)
    /// The end of a hold, in effect.
    case holdReleased(HoldRelease)
    /// What the store's snapshot says holds.
    case observed(Observation)
    /// A plan change is planned.
    case planChangeScheduled(PlanChange)
    /// A planned plan change is not to happen.
    case planChangeWithdrawn(Withdrawal)
    /// A plan change, in effect.
    case planChanged(PlanChange)
    /// Money was given back.
    case refunded(Refund)
    /// A refund was undone.
    case refundReversed(RefundReversal)
    /// A payment is disputed.
    case disputeOpened(Dispute)
    /// A dispute is over.
    case disputeClosed(DisputeClosure)
    /// References name one payment.
    case paymentLinked(PaymentLink)
    /// An invoice and its state.
    case invoiced(Invoice)
    /// What a restore found.
    case restored(Restoration)
    /// A membership moved to another customer.
    case transferred(Transfer)
    /// An account is a customer's.
    case accountLinked(AccountLink)
    /// An account is not a customer's.
    case accountUnlinked(AccountLink)
    /// Two customers are one.
    case customersMerged(CustomerMerge)
    /// A merge is undone.
    case mergeUndone(CustomerMerge)
    /// A customer's documents are to be destroyed.
    case customerErased(CustomerErasure)
    /// An entitlement given by hand.
    case granted(ManualGrant)
    /// A grant given by hand taken back.
    case grantRevoked(ManualGrantRevocation)
    /// A revision of the catalog.
    case catalogRevised(CatalogRevision)
    /// A revision of the policy.
    case policyRevised(PolicyRevision)
    /// The changes that time alone had made by an instant are in the feed.
    case settled(Settlement)
    /// A customer was sent to pay.
    case checkoutOpened(CheckoutOpening)
    /// A checkout came to an outcome.
    case checkoutClosed(CheckoutClosure)
    /// A seat of a membership is kept for someone.
    case seatAssigned(SeatAssignment)
    /// A customer took a seat.
    case seatClaimed(SeatClaim)
    /// A seat is free again.
    case seatReleased(SeatRelease)
    /// Kept without effect.
    case noted(Note)
    /// The provider's own list of entitlements.
    case claimed(EntitlementClaim)
    /// An event of a provider counts for nothing any more.
    case corrected(Correction)
    /// A fact of a newer version: kept, without effect.
    case unrecognized
  }
}

extension Fact: Message {
  package static var messageName: String { "Fact" }

  package static var blank: Fact { Fact(.unrecognized) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "membership", &membership)
    try visitor.field(2, "references", &references)
    try visitor.field(3, "writtenAt", &writtenAt)
    try visitor.body(&body)
  }

  package func validate() throws(WireError) {
    if let writtenAt, writtenAt < .earliest || writtenAt > .latest {
      throw .invalid(field: "writtenAt", rule: "a time lies in the years 1 to 9999")
    }
  }
}
