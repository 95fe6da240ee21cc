import MembershipModel
import Testing

@Suite("Access: refunds and disputes")
struct AccessMoneyTests {
  /// Two periods, each paid by an invoice of its own; the charge `ch_1` is the first one's.
  private var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(0), Facts.linked("stripe:in_1", "stripe:pi_1"))
    scene.stripe(day(0), Facts.linked("stripe:ch_1", "stripe:pi_1"))
    return scene
  }

  private var renewed: Scene {
    var scene = bought
    scene.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    return scene
  }

  @Test func `STRIPE-37 a full refund ends what it paid for, and nothing else`() {
    var scene = renewed
    scene.stripe(day(10), Facts.refunded(1000))
    #expect(scene.reason(at: day(10).before) == .granted)
    #expect(scene.reason(at: day(10)) == .refunded)
    #expect(scene.status(at: day(10)) == .refunded)
    #expect(scene.reason(at: day(30).before) == .refunded)
    #expect(scene.reason(at: day(30)) == .granted)
    #expect(scene.decision(at: day(10)).evidence.contains("stripe:evt_6"))
  }

  @Test func `a refund after the period takes nothing back`() {
    var scene = bought
    scene.stripe(day(40), Facts.refunded(1000))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 30)])
    #expect(scene.reason(at: day(41)) == .expired)
  }

  @Test func `STRIPE-38 totals of partial refunds are not added up`() {
    var scene = bought
    scene.stripe(day(10), Facts.refunded(400))
    scene.stripe(day(12), Facts.refunded(600))
    #expect(scene.reason(at: day(20)) == .granted)
    scene.stripe(day(14), Facts.refunded(1000))
    #expect(scene.reason(at: day(14).before) == .granted)
    #expect(scene.reason(at: day(14)) == .refunded)
  }

  @Test func `single refunds add up to a full one, each once`() {
    var scene = bought
    scene.stripe(day(10), Facts.refund("re_1", 400))
    scene.stripe(day(11), Facts.refund("re_1", 400))
    scene.stripe(day(12), Facts.refund("re_2", 500))
    #expect(scene.reason(at: day(20)) == .granted)
    scene.stripe(day(14), Facts.refund("re_3", 100))
    #expect(scene.reason(at: day(14)) == .refunded)
  }

  @Test func `a total and the single refunds it is made of are the same money`() {
    var scene = bought
    scene.stripe(day(10), Facts.refund("re_1", 600), Facts.refunded(600))
    #expect(scene.reason(at: day(20)) == .granted)
  }

  @Test func `a policy may let a partial refund revoke and a full one keep`() {
    var scene = bought
    let policy = Policy(fullRefund: .keep, partialRefund: .revoke)
    scene.manual(day(-1), .policyRevised(PolicyRevision(policy: policy)))
    scene.stripe(day(10), Facts.refunded(1))
    #expect(scene.reason(at: day(10)) == .refunded)
    scene.stripe(day(12), Facts.refunded(1000))
    #expect(scene.reason(at: day(12)) == .granted)
  }

  @Test func `the source's own word on access goes before the policy`() {
    var scene = bought
    scene.stripe(day(10), Facts.refunded(100, revokes: true))
    #expect(scene.reason(at: day(10)) == .refunded)
    scene.stripe(day(12), Facts.refunded(1000, revokes: false))
    #expect(scene.reason(at: day(12)) == .granted)
  }

  @Test func `a failed refund restores access from the failure on`() {
    var scene = bought
    scene.stripe(day(10), Facts.refund("re_1", 1000))
    scene.stripe(day(20), Facts.reversal("re_1", 1000))
    let stretches = scene.access().stretchesOfAccess(to: "premium")
    #expect(stretches == [Period(0, 10), Period(20, 30)])
  }

  @Test func `a failed refund is taken off the total that was stated before`() {
    var scene = bought
    scene.stripe(day(10), Facts.refund("re_1", 1000), Facts.refunded(1000))
    scene.stripe(day(20), Facts.reversal("re_1", 1000, ["stripe:pi_1"]))
    let stretches = scene.access().stretchesOfAccess(to: "premium")
    #expect(stretches == [Period(0, 10), Period(20, 30)])
  }

  @Test func `a reversal of everything restores everything`() {
    var scene = bought
    scene.stripe(day(10), Facts.refunded(1000))
    scene.stripe(day(15), Facts.reversal(nil))
    #expect(scene.reason(at: day(15).before) == .refunded)
    #expect(scene.reason(at: day(15)) == .granted)
  }

  @Test func `a refund that arrives before the purchase finds it later`() {
    var scene = Scene.usual
    scene.stripe(day(10), Facts.refunded(1000))
    scene.stripe(day(0), Facts.linked("stripe:ch_1", "stripe:pi_1"))
    scene.stripe(day(0), Facts.paid(0, 30))
    #expect(scene.reason(at: day(10)) == .granted)
    scene.stripe(day(0), Facts.linked("stripe:in_1", "stripe:pi_1"))
    #expect(scene.reason(at: day(10)) == .refunded)
  }

  @Test func `a refund that names only the membership is for all of it`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30), Facts.paid(0, 60, offer: .extra, item: "b"))
    scene.stripe(
      day(5), Fact(.refunded(Refund(amount: usd(1000))), membership: Facts.membership))
    #expect(scene.reason(at: day(5)) == .refunded)
    #expect(scene.reason(at: day(5), on: "export") == .refunded)
  }

  @Test func `a refund that names only its transaction is for that one`() {
    var scene = Scene.usual
    let transaction = Transaction(
      id: "stripe:t_1", offer: .pro, period: Period(0, 30), kind: .paid, amount: usd(1000))
    scene.stripe(day(0), Fact(.purchased(transaction), membership: Facts.membership))
    scene.stripe(day(5), Fact(.refunded(Refund(amount: usd(1000), transaction: "stripe:t_1"))))
    #expect(scene.reason(at: day(5)) == .refunded)
  }

  @Test func `PEER-47 a refunded one-time purchase is over`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.oneTime())
    scene.stripe(day(5), Facts.refunded(5000, of: 5000, ["stripe:pi_cs_1"]))
    #expect(scene.status(at: day(5)) == .refunded)
    #expect(scene.reason(at: day(5000)) == .refunded)
  }

  @Test func `STRIPE-40 an open dispute holds, a won one lets go`() throws {
    var scene = renewed
    scene.stripe(day(10), Facts.dispute())
    #expect(scene.reason(at: day(10).before) == .granted)
    #expect(scene.reason(at: day(10)) == .held)
    #expect(scene.reason(at: day(45)) == .held)
    let membership = try #require(scene.membership(at: day(10)))
    #expect(membership.status == .held && membership.holds == ["stripe:dp_1"])
    #expect(membership.willRenew && !membership.isActive)
    scene.stripe(day(20), Facts.disputeClosed(.won))
    #expect(scene.reason(at: day(20).before) == .held)
    #expect(scene.reason(at: day(20)) == .granted)
  }

  @Test func `a lost dispute revokes what was paid, other periods stand`() {
    var scene = renewed
    scene.stripe(day(10), Facts.dispute())
    scene.stripe(day(20), Facts.disputeClosed(.lost))
    #expect(scene.reason(at: day(20)) == .revoked)
    #expect(scene.status(at: day(20)) == .revoked)
    #expect(scene.reason(at: day(30)) == .granted)
  }

  @Test func `an inquiry does not hold unless the policy says so`() {
    var scene = bought
    scene.stripe(day(10), Facts.dispute(.inquiry))
    #expect(scene.reason(at: day(10)) == .granted)
    scene.manual(day(-1), .policyRevised(PolicyRevision(policy: Policy(inquiry: .hold))))
    #expect(scene.reason(at: day(10)) == .held)
  }

  @Test func `a withdrawn dispute lets go, one that ended in an unknown way revokes`() {
    var scene = bought
    scene.stripe(day(10), Facts.dispute())
    scene.stripe(day(12), Facts.disputeClosed(.withdrawn))
    #expect(scene.reason(at: day(12)) == .granted)
    scene.stripe(day(14), Facts.disputeClosed(.unrecognized(99)))
    #expect(scene.reason(at: day(14)) == .revoked)
  }

  @Test func `a warning of fraud holds where the policy says so`() {
    var scene = bought
    let hold = Hold(cause: "fraud warning issfr_1", kind: .fraudWarning)
    scene.stripe(day(10), Fact(.holdPlaced(hold), references: ["stripe:ch_1"]))
    #expect(scene.reason(at: day(10)) == .granted)
    scene.manual(day(9), .policyRevised(PolicyRevision(policy: Policy(fraudWarning: .hold))))
    #expect(scene.reason(at: day(10)) == .held)
  }
}
