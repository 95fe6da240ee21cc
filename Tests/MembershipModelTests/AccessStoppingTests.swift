import MembershipModel
import Testing

@Suite("Access: stopping")
struct AccessStoppingTests {
  private var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30), Facts.standing(.active))
    return scene
  }

  @Test func `a scheduled cancellation keeps access until it takes effect`() throws {
    var scene = bought
    scene.stripe(day(10), Facts.cancel(at: 30), Facts.standing(.active, isRenewing: false))
    #expect(scene.status(at: day(10).before) == .active)
    let membership = try #require(scene.membership(at: day(10)))
    #expect(membership.status == .canceling && membership.isActive && !membership.willRenew)
    #expect(membership.cancelAt == day(30) && membership.endedAt == nil)
    #expect(scene.reason(at: day(30).before) == .granted)
    #expect(scene.reason(at: day(30)) == .cancelled)
    let ended = try #require(scene.membership(at: day(30)))
    #expect(ended.status == .canceled && ended.endedAt == day(30) && ended.cancelAt == nil)
  }

  @Test func `STRIPE-17 an immediate end stands before the one that was planned`() throws {
    var scene = bought
    scene.stripe(day(5), Facts.cancel(at: 30))
    scene.stripe(day(7), Facts.cancel(at: 30), Facts.ended(at: 7))
    for instant in [day(7), day(8), day(30), day(40)] {
      let membership = try #require(scene.membership(at: instant))
      #expect(membership.status == .canceled && membership.endedAt == day(7))
      #expect(membership.cancelAt == nil)
    }
    #expect(scene.membership(at: day(7).before)?.cancelAt == day(30))
  }

  @Test func `a withdrawn cancellation never takes effect`() {
    var scene = bought
    scene.stripe(day(10), Facts.cancel(at: 20))
    scene.stripe(day(15), Facts.withdrawCancel())
    #expect(scene.status(at: day(12)) == .canceling)
    #expect(scene.status(at: day(15)) == .active)
    #expect(scene.membership(at: day(16))?.willRenew == true)
    #expect(scene.reason(at: day(25)) == .granted)
  }

  @Test func `a snapshot that renews heals a lost withdrawal`() {
    var scene = bought
    scene.stripe(day(10), Facts.cancel(at: 20))
    scene.stripe(day(15), Facts.standing(.active, isRenewing: true))
    #expect(scene.status(at: day(16)) == .active)
  }

  @Test func `a withdrawal after the effect changes nothing`() {
    var scene = bought
    scene.stripe(day(10), Facts.cancel(at: 20))
    scene.stripe(day(21), Facts.withdrawCancel())
    #expect(scene.reason(at: day(25)) == .cancelled)
  }

  @Test func `a cancellation asked for again under the first request's time holds`() {
    var scene = bought
    scene.stripe(day(5), Facts.cancel(at: 30, requestedAt: 5))
    scene.stripe(day(8), Facts.withdrawCancel())
    scene.stripe(day(12), Facts.cancel(at: 30, requestedAt: 5))
    #expect(scene.status(at: day(9)) == .active)
    #expect(scene.status(at: day(13)) == .canceling)
  }

  @Test func `STRIPE-17 an immediate end beats a scheduled one`() {
    var scene = bought
    scene.stripe(day(10), Facts.cancel(at: 30))
    scene.stripe(day(12), Facts.ended(at: 12))
    #expect(scene.reason(at: day(12).before) == .granted)
    #expect(scene.reason(at: day(12)) == .cancelled)
    #expect(scene.membership(at: day(13))?.endedAt == day(12))
    #expect(scene.decision(at: day(13)).validFrom == day(12))
  }

  @Test func `STRIPE-20 an end during the trial beats the trial's date`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.trial(0, 14))
    scene.stripe(day(3), Facts.ended(at: 3))
    #expect(scene.reason(at: day(3)) == .cancelled)
    #expect(scene.status(at: day(3)) == .canceled)
  }

  @Test func `an end cuts what plan changes and refunds had split before`() {
    var scene = bought
    scene.stripe(day(20), Facts.change(at: 20, from: .pro, to: .team))
    scene.stripe(day(10), Facts.ended(at: 10))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 10)])
  }

  @Test func `PEER-8 nothing scheduled after an end comes about`() {
    var scene = bought
    scene.stripe(day(5), Facts.linked("stripe:in_1", "stripe:ch_1"))
    scene.stripe(day(8), Facts.refunded(1000))
    scene.stripe(day(10), Facts.ended(at: 10))
    scene.stripe(day(12), Facts.reversal(nil))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 8)])
  }

  @Test func `STRIPE-10 a late snapshot of the ended period revives nothing`() {
    var scene = bought
    scene.stripe(day(12), Facts.ended(at: 12))
    scene.stripe(day(13), Facts.paid(0, 30), Facts.standing(.active))
    #expect(scene.reason(at: day(13)) == .cancelled)
  }

  @Test func `STRIPE-16 a period that starts at or after the end brings the membership back`() {
    var scene = bought
    scene.stripe(day(12), Facts.ended(at: 12))
    scene.stripe(day(12), Facts.paid(12, 42, invoice: "in_2"))
    #expect(scene.reason(at: day(12)) == .granted)
    #expect(scene.status(at: day(13)) == .active)
    #expect(scene.membership(at: day(13))?.endedAt == nil)
    #expect(scene.membership(at: day(13))?.willRenew == true)
  }

  @Test func `a membership that came back past its planned end is not canceling`() {
    var scene = bought
    scene.stripe(day(5), Facts.cancel(at: 30))
    scene.stripe(day(31), Facts.paid(31, 61, invoice: "in_2"))
    let membership = scene.membership(at: day(32))
    #expect(membership?.status == .active && membership?.cancelAt == nil)
    #expect(membership?.willRenew == true)
  }

  @Test func `an end planned by a schedule is withdrawn by it alone, and the first end counts`() {
    var scene = bought
    let plan = CancellationSchedule(effectiveAt: day(20), cause: "schedule")
    scene.stripe(day(2), Fact(.cancellationScheduled(plan), membership: Facts.membership))
    // What a later snapshot shows is the subscription's own intent.
    scene.stripe(day(4), Facts.standing(.active))
    #expect(scene.membership(at: day(5))?.cancelAt == day(20))
    #expect(scene.status(at: day(5)) == .canceling)
    #expect(scene.membership(at: day(5))?.willRenew == false)
    scene.stripe(day(6), Facts.cancel(at: 25))
    #expect(scene.membership(at: day(7))?.cancelAt == day(20))
    #expect(scene.reason(at: day(20)) == .cancelled)
    scene.stripe(
      day(8),
      Fact(.cancellationWithdrawn(Withdrawal(cause: "schedule")), membership: Facts.membership))
    #expect(scene.membership(at: day(9))?.cancelAt == day(25))
    #expect(scene.reason(at: day(20)) == .granted)
    scene.stripe(day(10), Facts.withdrawCancel())
    #expect(scene.membership(at: day(11))?.cancelAt == nil)
    #expect(scene.status(at: day(11)) == .active)
  }

  @Test func `STRIPE-44 the deletion of an account ends all its memberships`() {
    var scene = bought
    scene.stripe(day(9), Facts.ended(at: 9, .accountDeleted, membership: nil))
    #expect(scene.reason(at: day(9).before) == .granted)
    #expect(scene.reason(at: day(9)) == .cancelled)
    scene.stripe(day(1), Facts.paid(1, 31, invoice: "in_9", membership: "stripe:sub_2"))
    #expect(scene.reason(at: day(9)) == .cancelled)
  }

  @Test func `STRIPE-26 an incomplete membership is pending and gives nothing`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.standing(.incomplete), Facts.seen(0, 30))
    #expect(scene.status(at: day(0)) == .pending)
    scene.stripe(day(1), Facts.ended(at: 1, .neverStarted))
    #expect(scene.status(at: day(1)) == .expired)
    #expect(scene.access().stretchesOfAccess(to: "premium").isEmpty)
  }

  @Test func `a store's revocation of a transaction takes that one alone`() {
    var scene = bought
    scene.stripe(day(5), Facts.paid(5, 25, invoice: "in_2", offer: .extra, item: "x"))
    scene.stripe(
      day(10),
      Fact(
        .accessRevoked(AccessRevocation(transaction: "stripe:in_1/")),
        membership: Facts.membership))
    #expect(scene.reason(at: day(10)) == .revoked)
    #expect(scene.reason(at: day(10), on: "export") == .granted)
    scene.stripe(day(12), Fact(.accessRevoked(AccessRevocation()), membership: Facts.membership))
    #expect(scene.reason(at: day(12), on: "export") == .revoked)
    #expect(scene.status(at: day(12)) == .revoked)
  }
}
