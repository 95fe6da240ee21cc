import MembershipModel
import Testing

/// What a fact changes, and at which instant: one millisecond before it all is as it was.
struct Boundary: CustomStringConvertible {
  let fact: String
  let instant: Timestamp
  let before: DecisionReason
  let after: DecisionReason
  let key: EntitlementKey
  let customer: CustomerID
  let scene: Scene

  var description: String { "\(fact): \(before) → \(after)" }

  init(
    _ fact: String, at instant: Double, _ before: DecisionReason, _ after: DecisionReason,
    on key: EntitlementKey = "premium", of customer: CustomerID = "stripe:cus_1",
    _ change: (inout Scene) -> Void
  ) {
    var scene = Scene.usual
    change(&scene)
    (self.fact, self.instant, self.before, self.after) = (fact, day(instant), before, after)
    (self.key, self.customer, self.scene) = (key, customer, scene)
  }

  /// A fact that changes nothing at its instant, on a membership from day 0 to 30.
  static func none(_ body: Fact.Body, _ references: [ReferenceID] = []) -> Boundary {
    Boundary(body.name, at: 10, .granted, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(10), Fact(body, membership: Facts.membership, references: references))
    }
  }
}

@Suite("Law 6: every fact acts from its instant on, to the millisecond")
struct LawsBoundaryTests {
  static let all: [Boundary] =
    buying + stopping + resting + money + changing + belonging + giving + terms + seats + others

  @Test(arguments: all)
  func `before, at and after the instant`(boundary: Boundary) {
    let access = boundary.scene.access(of: boundary.customer)
    let short = AccessStretches(access.dossier, access.terms)[boundary.key]
    for (offset, expected) in [(-1, boundary.before), (0, boundary.after), (1, boundary.after)] {
      let instant = boundary.instant.adding(milliseconds: Int64(offset))
      let decision = access.decision(on: boundary.key, at: instant, askedAs: boundary.customer)
      #expect(decision.reason == expected, "\(offset) ms")
      #expect(short.contains { $0.contains(instant) } == decision.isEntitled, "\(offset) ms")
    }
  }

  @Test func `there is one for each fact`() {
    let covered = Set(Self.all.map(\.fact))
    let missing = Fact.Body.known.map(\.name).filter { !covered.contains($0) }
    #expect(missing == [], "add what these facts change, or that they change nothing")
  }
}

extension LawsBoundaryTests {
  private static let buying: [Boundary] = [
    Boundary("purchased", at: 0, .notStarted, .granted) { $0.stripe(day(0), Facts.paid(0, 30)) },
    Boundary("purchased", at: 30, .granted, .expired) { $0.stripe(day(0), Facts.paid(0, 30)) },
    Boundary("purchased", at: 7, .granted, .expired) { $0.stripe(day(0), Facts.trial(0, 7)) },
    Boundary("purchased", at: 0, .notStarted, .granted) { $0.stripe(day(0), Facts.oneTime()) },
    Boundary("purchased", at: 9, .granted, .expired) {
      $0.stripe(day(0), Facts.oneTime(from: 0, until: 9))
    },
    Boundary("purchased", at: 5, .granted, .expired) {
      $0.stripe(day(0), Facts.paid(0, 5, kind: .intro))
    },
    Boundary("purchased", at: 5, .none, .expired) { $0.stripe(day(0), Facts.paid(5, 5)) },
    Boundary("renewed", at: 40, .expired, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(40), Facts.paid(40, 70, invoice: "in_2", isRenewal: true))
    },
    Boundary("renewed", at: 30, .granted, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    },
    Boundary("extended", at: 35, .granted, .expired) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(9), Fact(.extended(Extension(until: day(35))), membership: Facts.membership))
    },
  ]

  private static let stopping: [Boundary] = [
    Boundary("cancellationScheduled", at: 20, .granted, .cancelled) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(10), Facts.cancel(at: 20))
    },
    Boundary("cancellationWithdrawn", at: 20, .granted, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(10), Facts.cancel(at: 20))
      $0.stripe(day(15), Facts.withdrawCancel())
    },
    Boundary("ended", at: 12, .granted, .cancelled) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(12), Facts.ended(at: 12))
    },
    Boundary("ended", at: 12, .granted, .cancelled) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(12), Fact(.ended(End(at: day(12), reason: .accountDeleted))))
    },
    Boundary("paymentFailed", at: 30, .granted, .grace) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(30), Facts.failed(30, 60, graceUntil: 33))
    },
    Boundary("paymentFailed", at: 33, .grace, .expired) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(32), Facts.failed(30, 60, graceUntil: 33))
    },
    Boundary("accessRevoked", at: 8, .granted, .revoked) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(8), Fact(.accessRevoked(AccessRevocation()), membership: Facts.membership))
    },
    Boundary("accessRevoked", at: 8, .granted, .revoked) {
      $0.stripe(day(0), Facts.paid(0, 30))
      let taken = AccessRevocation(transaction: "stripe:in_1/", at: day(8))
      $0.stripe(day(9), Fact(.accessRevoked(taken), membership: Facts.membership))
    },
    Boundary("accessRevoked", at: 8, .granted, .revoked) {
      $0.stripe(day(0), Facts.paid(0, 30))
      let taken = AccessRevocation(entitlements: ["premium"])
      $0.manual(day(8), .accessRevoked(taken), membership: Facts.membership)
    },
  ]

  private static let resting: [Boundary] = [
    Boundary("paused", at: 5, .granted, .paused) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(5), Facts.pause())
    },
    Boundary("paused", at: 9, .paused, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(5), Facts.pause(resumesAt: 9))
    },
    Boundary("resumed", at: 7, .paused, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(5), Facts.pause())
      $0.stripe(day(7), Facts.resume())
    },
    Boundary("holdPlaced", at: 5, .granted, .held) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(5), Fact(.holdPlaced(Hold(cause: "x")), membership: Facts.membership))
    },
    Boundary("holdPlaced", at: 5, .granted, .held, of: "ann") {
      $0.stripe(day(0), customer: "ann", Facts.paid(0, 30))
      $0.manual(day(5), customer: "ann", .holdPlaced(Hold(cause: "abuse")))
    },
    Boundary("holdPlaced", at: 5, .granted, .held) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(5), Fact(.holdPlaced(Hold(cause: "account"))))
    },
    Boundary("holdReleased", at: 7, .held, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(5), Fact(.holdPlaced(Hold(cause: "x")), membership: Facts.membership))
      $0.stripe(day(7), Fact(.holdReleased(HoldRelease(cause: "x")), membership: Facts.membership))
    },
    Boundary("observed", at: 10, .granted, .expired) {
      $0.stripe(day(0), Facts.seen(0, 30), Facts.standing(.active))
      $0.stripe(day(10), Facts.standing(.unpaid))
    },
  ]

  private static let money: [Boundary] = [
    Boundary("refunded", at: 9, .granted, .refunded) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(9), Facts.refunded(1000, ["stripe:in_1"]))
    },
    Boundary("refunded", at: 12, .granted, .refunded) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(9), Facts.refunded(400, ["stripe:in_1"]))
      $0.stripe(day(12), Facts.refunded(1000, ["stripe:in_1"]))
    },
    Boundary("refunded", at: 9, .granted, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(9), Facts.refunded(999, ["stripe:in_1"]))
    },
    Boundary("refundReversed", at: 12, .refunded, .granted) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(9), Facts.refund("re_1", 1000, ["stripe:in_1"]))
      $0.stripe(day(12), Facts.reversal("re_1", 1000, ["stripe:in_1"]))
    },
    Boundary("paymentLinked", at: 9, .granted, .refunded) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(9), Facts.refunded(1000))
      $0.stripe(day(20), Facts.linked("stripe:in_1", "stripe:ch_1"))
    },
    Boundary("disputeOpened", at: 5, .granted, .held) { $0.dispute() },
    Boundary("disputeClosed", at: 8, .held, .granted) { $0.dispute(closed: .won) },
    Boundary("disputeClosed", at: 8, .held, .granted) { $0.dispute(closed: .withdrawn) },
    Boundary("disputeClosed", at: 8, .held, .revoked) { $0.dispute(closed: .lost) },
    .none(.invoiced(Invoice(id: "stripe:in_1", state: .paid)), ["stripe:in_1"]),
  ]

  private static let changing: [Boundary] = [
    Boundary("planChanged", at: 10, .granted, .expired) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(10), Facts.change(at: 10, from: .pro, to: .extra))
    },
    Boundary("planChanged", at: 10, .notStarted, .granted, on: "export") {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.stripe(day(10), Facts.change(at: 10, from: .pro, to: .extra))
    },
    .none(.planChangeScheduled(PlanChange(at: day(20), from: .pro, to: .extra))),
    .none(.planChangeWithdrawn(Withdrawal())),
  ]

  private static let belonging: [Boundary] = [
    Boundary("transferred", at: 10, .granted, .none) { $0.transfer() },
    Boundary("transferred", at: 10, .none, .granted, of: "bob") { $0.transfer() },
    // Who an account always was: no instant of its own.
    Boundary("accountLinked", at: 10, .granted, .granted, of: "ann") { $0.link() },
    Boundary("accountUnlinked", at: 12, .none, .none, of: "ann") {
      $0.link()
      $0.manual(
        day(12), .accountUnlinked(AccountLink(account: "stripe:cus_1", customer: "ann")))
    },
    Boundary("customersMerged", at: 12, .granted, .granted, of: "bob") {
      $0.link()
      $0.manual(day(12), .customersMerged(CustomerMerge(from: "ann", into: "bob")))
    },
    Boundary("mergeUndone", at: 14, .none, .none, of: "bob") {
      $0.link()
      $0.manual(day(12), .customersMerged(CustomerMerge(from: "ann", into: "bob")))
      $0.manual(day(14), .mergeUndone(CustomerMerge(from: "ann", into: "bob")))
    },
    Boundary("customerErased", at: 10, .granted, .granted, of: "ann") {
      $0.link()
      $0.manual(day(10), .customerErased(CustomerErasure(customer: "ann")))
    },
    .none(.restored(Restoration(transactions: [RestoredTransaction(outcome: .nothingFound)]))),
  ]

  private static let giving: [Boundary] = [
    Boundary("granted", at: 5, .notStarted, .granted, of: "ann") { $0.give() },
    Boundary("granted", at: 20, .granted, .expired, of: "ann") { $0.give(until: 20) },
    Boundary("granted", at: 30, .granted, .expired, of: "ann") {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.give(follows: Facts.membership)
    },
    Boundary("grantRevoked", at: 12, .granted, .revoked, of: "ann") {
      $0.give()
      $0.manual(day(12), .grantRevoked(ManualGrantRevocation(id: "gift")))
    },
  ]

  private static let terms: [Boundary] = [
    Boundary("catalogRevised", at: 10, .granted, .none) {
      $0.stripe(day(0), Facts.paid(0, 30))
      $0.manual(
        day(10),
        .catalogRevised(
          CatalogRevision(
            catalog: Catalog(entitlements: [], products: []), appliesTo: .everyone)))
    },
    Boundary("policyRevised", at: 33, .grace, .expired) {
      $0.stripe(day(0), Facts.paid(0, 30))
      let rules = Policy.ProviderRules(provider: .stripe, graceMilliseconds: 3 * 86_400_000)
      $0.manual(day(-50), .policyRevised(PolicyRevision(policy: Policy(providers: [rules]))))
      $0.stripe(day(30), Facts.failed(30, 60))
    },
  ]

  private static let seats: [Boundary] = [
    Boundary("seatAssigned", at: 3, .none, .none, of: "ann") {
      $0.stripe(day(0), Facts.seats(1, 0, 30))
      $0.seat(3, .seatAssigned(SeatAssignment(seat: "s1", customer: "ann")))
    },
    Boundary("seatClaimed", at: 3, .notStarted, .granted, of: "ann") {
      $0.stripe(day(0), Facts.seats(1, 0, 30))
      $0.seat(3, .seatClaimed(SeatClaim(seat: "s1", customer: "ann")))
    },
    Boundary("seatReleased", at: 8, .granted, .revoked, of: "ann") {
      $0.stripe(day(0), Facts.seats(1, 0, 30))
      $0.seat(3, .seatClaimed(SeatClaim(seat: "s1", customer: "ann")))
      $0.seat(8, .seatReleased(SeatRelease(seat: "s1")))
    },
  ]

  private static let others: [Boundary] = [
    .none(.checkoutOpened(CheckoutOpening(id: "stripe:cs_1"))),
    .none(.checkoutClosed(CheckoutClosure(id: "stripe:cs_1", outcome: .declined))),
    .none(.noted(Note(type: "x"))),
    .none(.settled(Settlement(upTo: day(10)))),
    .none(.corrected(Correction(event: "stripe:evt_1", position: 1))),
    .none(.claimed(EntitlementClaim(entitlements: ["export"], isComplete: true))),
  ]
}

extension Scene {
  fileprivate mutating func dispute(closed outcome: DisputeOutcome? = nil) {
    stripe(day(0), Facts.paid(0, 30))
    stripe(day(1), Facts.linked("stripe:in_1", "stripe:ch_1"))
    stripe(day(5), Facts.dispute())
    if let outcome { stripe(day(8), Facts.disputeClosed(outcome)) }
  }

  fileprivate mutating func transfer() {
    stripe(day(0), Facts.paid(0, 30))
    manual(day(10), .transferred(Transfer(to: "bob")), membership: Facts.membership)
  }

  fileprivate mutating func link() {
    stripe(day(0), Facts.paid(0, 30))
    manual(day(10), .accountLinked(AccountLink(account: "stripe:cus_1", customer: "ann")))
  }

  fileprivate mutating func give(until: Double? = nil, follows: MembershipID? = nil) {
    manual(
      day(5), customer: "ann",
      .granted(
        ManualGrant(
          id: "gift", entitlement: "premium", until: until.map(day), follows: follows)))
  }

  fileprivate mutating func seat(_ instant: Double, _ body: Fact.Body) {
    manual(day(instant), body, membership: Facts.membership)
  }
}
