import MembershipModel
import Testing

@Suite("Access: buying")
struct AccessBuyingTests {
  @Test func `a paid period gives access from its start on and not at its end`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    #expect(scene.reason(at: day(0).before) == .notStarted)
    #expect(scene.reason(at: day(0)) == .granted)
    #expect(scene.reason(at: day(30).before) == .granted)
    #expect(scene.reason(at: day(30)) == .expired)
    let decision = scene.decision(at: day(10))
    #expect(decision.isEntitled && !decision.isAssumed)
    #expect(decision.from == day(0) && decision.until == day(30))
    #expect(decision.validFrom == day(0) && decision.validUntil == day(30))
    #expect(decision.memberships == ["stripe:sub_1"])
    #expect(decision.evidence == ["manual-1", "stripe:evt_2"])
  }

  @Test func `after the end the answer is valid from the end on, without a stretch of access`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    let decision = scene.decision(at: day(31))
    #expect(!decision.isEntitled)
    #expect(decision.from == nil && decision.until == nil)
    #expect(decision.validFrom == day(30) && decision.validUntil == nil)
  }

  @Test func `a membership shows its store's names and the catalog's`() throws {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30), Facts.standing(.active))
    let membership = try #require(scene.membership(at: day(1)))
    #expect(membership.product == "pro" && membership.plan == "plan_pro")
    #expect(membership.storeProduct == "prod_pro" && membership.storePlan == "price_pro")
    #expect(membership.status == .active && membership.isActive && membership.willRenew)
    #expect(membership.storeStatus == "active" && membership.customer == "stripe:cus_1")
    #expect(membership.createdAt == day(0) && membership.currentPeriodEnd == day(30))
    #expect(membership.expiresAt == day(30) && membership.endedAt == nil)
  }

  @Test func `a trial goes over into a paid period without a gap`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.trial(0, 7))
    scene.stripe(day(7), Facts.paid(7, 37, isRenewal: true))
    #expect(scene.status(at: day(0)) == .trialing)
    #expect(scene.status(at: day(7).before) == .trialing)
    #expect(scene.status(at: day(7)) == .active)
    let decision = scene.decision(at: day(3))
    #expect(decision.from == day(0) && decision.until == day(37))
    #expect(decision.validUntil == day(37))
  }

  @Test func `the newest snapshot shortens or lengthens a trial`() {
    var scene = Scene.usual
    scene.stripe(day(2), Facts.trial(0, 14))
    scene.stripe(day(0), Facts.trial(0, 7))
    #expect(scene.status(at: day(13)) == .trialing)
    scene.stripe(day(3), Facts.trial(0, 4))
    #expect(scene.reason(at: day(4)) == .expired)
  }

  @Test func `a renewal goes on where the period before ends`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    #expect(scene.decision(at: day(10)).until == day(60))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
    #expect(scene.membership(at: day(10))?.currentPeriodEnd == day(30))
    #expect(scene.membership(at: day(30))?.currentPeriodEnd == day(60))
  }

  @Test func `between two periods with a gap there is no access`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(40), Facts.paid(40, 70, invoice: "in_2", isRenewal: true))
    #expect(scene.reason(at: day(30)) == .expired)
    #expect(scene.reason(at: day(40).before) == .expired)
    #expect(scene.reason(at: day(40)) == .granted)
    let gap = scene.decision(at: day(35))
    #expect(gap.validFrom == day(30) && gap.validUntil == day(40))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 30), Period(40, 70)])
    #expect(scene.membership(at: day(35))?.expiresAt == day(30))
  }

  @Test func `a one-time purchase without a period never ends`() throws {
    var scene = Scene.usual
    scene.stripe(day(5), Facts.oneTime())
    #expect(scene.reason(at: day(5).before) == .notStarted)
    let decision = scene.decision(at: day(9999))
    #expect(decision.isEntitled && decision.from == day(5))
    #expect(decision.until == nil && decision.validUntil == nil)
    let membership = try #require(scene.membership(at: day(6)))
    #expect(membership.status == .completed && !membership.willRenew)
    #expect(membership.expiresAt == nil && membership.currentPeriodEnd == nil)
  }

  @Test func `a one-time purchase with a period ends with it`() {
    var scene = Scene.usual
    scene.stripe(day(5), Facts.oneTime(from: 5, until: 15))
    #expect(scene.status(at: day(15).before) == .completed)
    #expect(scene.reason(at: day(15)) == .expired)
  }

  @Test func `a held one-time purchase is not going to be renewed`() {
    var scene = Scene.usual
    scene.stripe(day(5), Facts.oneTime())
    scene.stripe(day(6), Fact(.holdPlaced(Hold(cause: "review")), membership: "stripe:cs_1"))
    #expect(scene.status(at: day(7)) == .held)
    #expect(scene.membership(at: day(7))?.willRenew == false)
  }

  @Test func `a zero-length period gives nothing`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 0))
    #expect(scene.access().stretchesOfAccess(to: "premium").isEmpty)
    #expect(scene.membership(at: day(0))?.isActive == false)
  }

  @Test func `an extension moves the end of the transaction it names`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    scene.stripe(
      day(50),
      Fact(
        .extended(Extension(transaction: "stripe:in_2/", until: day(75))),
        membership: Facts.membership))
    #expect(scene.decision(at: day(1)).until == day(75))
  }

  @Test func `an extension without a transaction is for the one that was the latest then`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(
      day(25), Fact(.extended(Extension(until: day(40))), membership: Facts.membership))
    #expect(scene.decision(at: day(1)).until == day(40))
    scene.stripe(day(50), Facts.paid(50, 80, invoice: "in_2", isRenewal: true))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 40), Period(50, 80)])
  }
}
