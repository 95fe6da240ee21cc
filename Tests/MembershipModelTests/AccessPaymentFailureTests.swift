import MembershipModel
import Testing

@Suite("Access: failed payments and grace")
struct AccessPaymentFailureTests {
  private static let graceOfThreeDays = Fact.Body.policyRevised(
    PolicyRevision(
      policy: Policy(providers: [
        .init(provider: .stripe, graceMilliseconds: 3 * 86_400_000)
      ])))

  private var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    return scene
  }

  @Test func `without grace a failed renewal is past due and gives nothing`() throws {
    var scene = bought
    scene.stripe(day(30), Facts.failed(30, 60), Facts.standing(.pastDue))
    #expect(scene.reason(at: day(30).before) == .granted)
    #expect(scene.reason(at: day(30)) == .expired)
    let membership = try #require(scene.membership(at: day(30)))
    #expect(membership.status == .pastDue && !membership.isActive && membership.willRenew)
  }

  @Test func `without invoices a good standing ends what a bad one began`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.seen(0, 30), Facts.standing(.active))
    var failure = PaymentFailure(period: Period(start: day(30), end: day(60)))
    failure.failedAt = day(31)
    scene.stripe(
      day(31), Fact(.paymentFailed(failure), membership: Facts.membership),
      Facts.standing(.pastDue))
    scene.stripe(day(39), Facts.seen(30, 60), Facts.standing(.active))
    #expect(scene.status(at: day(38)) == .pastDue)
    #expect(scene.status(at: day(39)) == .active)
    #expect(scene.status(at: day(50)) == .active)
  }

  @Test func `STRIPE-22 the policy's grace is anchored at the start of the unpaid period`() {
    var scene = bought
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(day(31), Facts.failed(30, 60))
    #expect(scene.reason(at: day(30)) == .grace)
    #expect(scene.reason(at: day(33).before) == .grace)
    #expect(scene.reason(at: day(33)) == .expired)
    let decision = scene.decision(at: day(31))
    #expect(decision.isEntitled && decision.from == day(0) && decision.until == day(33))
    #expect(decision.validFrom == day(30) && decision.validUntil == day(33))
    #expect(scene.membership(at: day(32))?.status == .pastDue)
    #expect(scene.membership(at: day(32))?.isActive == true)
    #expect(scene.membership(at: day(33))?.isActive == false)
  }

  @Test func `STRIPE-23 later attempts do not move the anchor`() {
    var scene = bought
    scene.manual(day(-1), Self.graceOfThreeDays)
    for attempt in [30.0, 32, 35, 39] { scene.stripe(day(attempt), Facts.failed(30, 60)) }
    #expect(scene.reason(at: day(33)) == .expired)
  }

  @Test func `one unpaid period after the other gets the policy's grace once`() {
    var scene = bought
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(day(30), Facts.failed(30, 60))
    scene.stripe(day(60), Facts.failed(60, 90, invoice: "in_3"))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 33)])
  }

  @Test func `the store's grace is honoured before the policy's`() {
    var scene = bought
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(day(30), Facts.failed(30, 60, graceUntil: 46))
    #expect(scene.reason(at: day(46).before) == .grace)
    #expect(scene.reason(at: day(46)) == .expired)
  }

  @Test func `a late payment makes the whole period paid`() {
    var scene = bought
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(day(30), Facts.failed(30, 60))
    scene.stripe(day(36), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    #expect(scene.reason(at: day(31)) == .granted)
    #expect(scene.status(at: day(37)) == .active)
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
  }

  @Test func `an unpaid period is past due until a later one is paid`() {
    var scene = bought
    scene.stripe(day(30), Facts.failed(30, 60))
    scene.stripe(day(60), Facts.paid(60, 90, invoice: "in_3", isRenewal: true))
    #expect(scene.status(at: day(45)) == .pastDue)
    #expect(scene.status(at: day(61)) == .active)
  }

  @Test func `a void invoice is nothing to be past due with`() {
    var scene = bought
    scene.stripe(day(30), Facts.failed(30, 60))
    scene.stripe(day(31), Facts.invoiced(.void, invoice: "in_2"))
    #expect(scene.status(at: day(32)) == .expired)
  }

  @Test func `an end ends grace`() {
    var scene = bought
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(day(30), Facts.failed(30, 60))
    scene.stripe(day(32), Facts.ended(at: 32, .paymentFailed))
    #expect(scene.reason(at: day(32).before) == .grace)
    #expect(scene.reason(at: day(32)) == .expired)
    #expect(scene.status(at: day(32)) == .expired)
  }

  @Test func `STRIPE-19 a cancelled membership gets no grace past its end`() {
    var scene = bought
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(day(20), Facts.cancel(at: 30))
    scene.stripe(day(30), Facts.failed(30, 60))
    #expect(scene.reason(at: day(30)) == .cancelled)
  }

  @Test func `what was refunded is not kept in grace`() {
    var scene = bought
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(day(5), Facts.linked("stripe:in_1", "stripe:ch_1"))
    scene.stripe(day(10), Facts.refunded(1000))
    scene.stripe(day(30), Facts.failed(30, 60, graceUntil: 46))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 10)])
  }

  @Test func `grace keeps every item of the membership`() {
    var scene = Scene.usual
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(
      day(0), Facts.paid(0, 30, item: "a"), Facts.paid(0, 30, offer: .extra, item: "b"))
    scene.stripe(day(30), Facts.failed(30, 60))
    #expect(scene.reason(at: day(31)) == .grace)
    #expect(scene.reason(at: day(31), on: "export") == .grace)
  }

  @Test func `an item that is paid for longer does not end the grace of another`() {
    var scene = Scene.usual
    scene.manual(day(-1), Self.graceOfThreeDays)
    scene.stripe(
      day(0), Facts.paid(0, 30, item: "a"), Facts.paid(0, 30.5, offer: .extra, item: "b"))
    scene.stripe(day(30), Facts.failed(30, 60))
    #expect(scene.reason(at: day(30.2)) == .grace)
    #expect(scene.reason(at: day(30.2), on: "export") == .granted)
  }

  @Test func `tolerance trusts a renewing membership for a while, a canceling one not`() {
    var scene = bought
    let rules = Policy.ProviderRules(provider: .stripe, renewalToleranceMilliseconds: 3_600_000)
    scene.manual(day(-1), .policyRevised(PolicyRevision(policy: Policy(providers: [rules]))))
    let until = day(30).adding(milliseconds: 3_600_000)
    #expect(scene.reason(at: until.before) == .grace)
    #expect(scene.reason(at: until) == .expired)
    scene.stripe(day(10), Facts.cancel(at: 30))
    #expect(scene.reason(at: day(30)) == .cancelled)
  }
}
