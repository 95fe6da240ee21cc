import MembershipModel
import Testing

@Suite("Access: whether the store charges again")
struct AccessRenewalTests {
  /// A paid period of a subscription that the store calls active.
  private var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30), Facts.standing(.active))
    return scene
  }

  private func expect(
    _ scene: Scene, at instant: Timestamp, _ status: MembershipStatus, willRenew: Bool,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let membership = try #require(scene.membership(at: instant), sourceLocation: location)
    #expect(membership.status == status, sourceLocation: location)
    #expect(membership.willRenew == willRenew, sourceLocation: location)
  }

  @Test func `STRIPE-31 a period that has begun and is not paid is past due, not over`() throws {
    var scene = bought
    scene.stripe(day(30), Facts.seen(30, 60), Facts.standing(.active))
    try expect(scene, at: day(30), .pastDue, willRenew: true)
    #expect(scene.membership(at: day(30))?.isActive == false)
    #expect(scene.reason(at: day(30)) == .expired)
    scene.stripe(day(30.1), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    try expect(scene, at: day(30), .active, willRenew: true)
  }

  @Test(arguments: [
    (InvoiceState.draft, MembershipStatus.pastDue), (.open, .pastDue), (.void, .expired),
    (.uncollectible, .expired),
  ])
  func `an invoice says whether a period is still to be paid`(
    state: InvoiceState, status: MembershipStatus
  ) throws {
    var scene = bought
    scene.stripe(
      day(30), Facts.seen(30, 60), Facts.standing(.active),
      Facts.invoiced(state, invoice: "in_2", period: Period(30, 60)))
    try expect(scene, at: day(31), status, willRenew: true)
    // Nothing is known of what comes after that.
    try expect(scene, at: day(61), .expired, willRenew: true)
  }

  @Test func `a time that ran out does not say that the store gave up`() throws {
    try expect(bought, at: day(31), .expired, willRenew: true)
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    try expect(scene, at: day(29), .active, willRenew: true)
    try expect(scene, at: day(31), .expired, willRenew: false)
  }

  @Test func `money given back does not end the membership at the store`() throws {
    var scene = bought
    scene.stripe(day(5), Facts.linked("stripe:in_1", "stripe:ch_1"))
    scene.stripe(day(10), Facts.refunded(1000))
    try expect(scene, at: day(10), .refunded, willRenew: true)
    scene.stripe(day(12), Facts.cancel(at: 30), Facts.standing(.active, isRenewing: false))
    try expect(scene, at: day(11), .refunded, willRenew: true)
    try expect(scene, at: day(12), .refunded, willRenew: false)
  }

  @Test func `a lost dispute does not end the membership at the store`() throws {
    var scene = bought
    scene.stripe(day(5), Facts.linked("stripe:in_1", "stripe:ch_1"))
    scene.stripe(day(10), Facts.dispute())
    scene.stripe(day(12), Facts.disputeClosed(.lost))
    try expect(scene, at: day(12), .revoked, willRenew: true)
  }

  @Test(arguments: [
    (Standing.pastDue, true), (.unpaid, false), (.active, true), (.trialing, true),
    (.unrecognized(9), false), (.incomplete, false),
  ])
  func `the standing says whether payment is tried again`(
    standing: Standing, willRenew: Bool
  ) throws {
    var scene = bought
    scene.stripe(day(31), Facts.standing(standing))
    #expect(scene.membership(at: day(32))?.willRenew == willRenew)
  }

  @Test func `nothing that has ended is renewed`() throws {
    var scene = bought
    scene.stripe(day(12), Facts.ended(at: 12))
    try expect(scene, at: day(11), .active, willRenew: true)
    try expect(scene, at: day(12), .canceled, willRenew: false)
  }
}
