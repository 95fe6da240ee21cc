import MembershipModel
import Testing

@Suite("Access: refunds")
struct AccessMoneyTests {
  @Test func `STRIPE-37 a full refund ends what it paid for, and nothing else`() {
    var scene = Scene.renewed
    scene.stripe(day(10), Facts.refunded(1000))
    #expect(scene.reason(at: day(10).before) == .granted)
    #expect(scene.reason(at: day(10)) == .refunded)
    #expect(scene.status(at: day(10)) == .refunded)
    #expect(scene.reason(at: day(30).before) == .refunded)
    #expect(scene.reason(at: day(30)) == .granted)
    #expect(scene.decision(at: day(10)).evidence.contains("stripe:evt_6"))
  }

  @Test func `a refund after the period takes nothing back`() {
    var scene = Scene.bought
    scene.stripe(day(40), Facts.refunded(1000))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 30)])
    #expect(scene.reason(at: day(41)) == .expired)
  }

  @Test func `STRIPE-38 totals of partial refunds are not added up`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.refunded(400))
    scene.stripe(day(12), Facts.refunded(600))
    #expect(scene.reason(at: day(20)) == .granted)
    scene.stripe(day(14), Facts.refunded(1000))
    #expect(scene.reason(at: day(14).before) == .granted)
    #expect(scene.reason(at: day(14)) == .refunded)
  }

  @Test func `single refunds add up to a full one, each once`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.refund("re_1", 400))
    scene.stripe(day(11), Facts.refund("re_1", 400))
    scene.stripe(day(12), Facts.refund("re_2", 500))
    #expect(scene.reason(at: day(20)) == .granted)
    scene.stripe(day(14), Facts.refund("re_3", 100))
    #expect(scene.reason(at: day(14)) == .refunded)
  }

  @Test func `a total and the single refunds it is made of are the same money`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.refund("re_1", 600), Facts.refunded(600))
    #expect(scene.reason(at: day(20)) == .granted)
  }

  @Test func `a policy may let a partial refund revoke and a full one keep`() {
    var scene = Scene.bought
    let policy = Policy(fullRefund: .keep, partialRefund: .revoke)
    scene.manual(day(-1), .policyRevised(PolicyRevision(policy: policy)))
    scene.stripe(day(10), Facts.refunded(1))
    #expect(scene.reason(at: day(10)) == .refunded)
    scene.stripe(day(12), Facts.refunded(1000))
    #expect(scene.reason(at: day(12)) == .granted)
  }

  @Test func `the source's own word on access goes before the policy`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.refunded(100, revokes: true))
    #expect(scene.reason(at: day(10)) == .refunded)
    scene.stripe(day(12), Facts.refunded(1000, revokes: false))
    #expect(scene.reason(at: day(12)) == .granted)
  }

  @Test func `a failed refund restores access from the failure on`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.refund("re_1", 1000))
    scene.stripe(day(20), Facts.reversal("re_1", 1000))
    let stretches = scene.access().stretchesOfAccess(to: "premium")
    #expect(stretches == [Period(0, 10), Period(20, 30)])
  }

  @Test func `a failed refund is taken off the total that was stated before`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.refund("re_1", 1000), Facts.refunded(1000))
    scene.stripe(day(20), Facts.reversal("re_1", 1000, ["stripe:pi_1"]))
    let stretches = scene.access().stretchesOfAccess(to: "premium")
    #expect(stretches == [Period(0, 10), Period(20, 30)])
  }

  @Test func `a reversal of everything restores everything`() {
    var scene = Scene.bought
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

  /// An upgrade on day 10 that an invoice of its own settles.
  private var upgraded: Scene {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.change(at: 10, from: .pro, to: .team))
    scene.stripe(
      day(10),
      Facts.invoiced(
        .paid, invoice: "in_9", prorations: [Proration(at: day(9.9), amount: usd(300))]))
    scene.stripe(day(10), Facts.linked("stripe:in_9", "stripe:ch_9"))
    return scene
  }

  @Test func `a full refund of an upgrade leaves what was paid for before`() {
    var scene = upgraded
    #expect(scene.access().stretchesOfAccess(to: "seats") == [Period(10, 30)])
    scene.stripe(day(12), Facts.refund("re_9", 100, of: nil, ["stripe:ch_9"]))
    #expect(scene.access().stretchesOfAccess(to: "seats") == [Period(10, 30)])
    scene.stripe(
      day(15), id: "refund", Facts.refund("re_8", 200, of: nil, ["stripe:ch_9"]))
    #expect(scene.access().stretchesOfAccess(to: "seats") == [Period(10, 15)])
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 30)])
    #expect(scene.reason(at: day(15), on: "seats") == .refunded)
    #expect(scene.decision(at: day(15), on: "seats").evidence.contains("stripe:evt_refund"))
    #expect(scene.membership(at: day(16))?.product == "pro")
    #expect(scene.status(at: day(16)) == .active)
  }

  @Test func `a refund of an upgrade that comes back restores the upgrade`() {
    var scene = upgraded
    scene.stripe(day(15), Facts.refund("re_9", 300, of: nil, ["stripe:ch_9"]))
    scene.stripe(day(20), Facts.reversal("re_9", 300, ["stripe:ch_9"]))
    let stretches = scene.access().stretchesOfAccess(to: "seats")
    #expect(stretches == [Period(10, 15), Period(20, 30)])
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 30)])
  }

  @Test func `a refund of the period takes the upgrade with it`() {
    var scene = upgraded
    scene.stripe(day(15), Facts.refunded(1000))
    #expect(scene.access().stretchesOfAccess(to: "seats") == [Period(10, 15)])
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 15)])
  }

  @Test func `a refund of an upgrade takes nothing from the next one`() {
    var scene = upgraded
    scene.stripe(day(12), Facts.change(at: 12, from: .team, to: .extra))
    scene.stripe(day(15), Facts.refund("re_9", 300, of: nil, ["stripe:ch_9"]))
    #expect(scene.access().stretchesOfAccess(to: "export") == [Period(12, 30)])
  }

  @Test func `a refund of what was added takes it away`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.change(at: 10, from: nil, to: .extra, item: "b"))
    let proration = Proration(at: day(10), item: "b", amount: usd(300))
    scene.stripe(day(10), Facts.invoiced(.paid, invoice: "in_9", prorations: [proration]))
    scene.stripe(day(15), Facts.refunded(300, of: 300, ["stripe:in_9"]))
    #expect(scene.access().stretchesOfAccess(to: "export") == [Period(10, 15)])
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 30)])
  }

  @Test func `a dispute over an upgrade that is lost leaves what was paid for before`() {
    var scene = upgraded
    let dispute = Dispute(id: "stripe:dp_9", kind: .dispute)
    scene.stripe(day(12), Fact(.disputeOpened(dispute), references: ["stripe:ch_9"]))
    #expect(scene.reason(at: day(13)) == .held)
    let lost = DisputeClosure(id: "stripe:dp_9", outcome: .lost)
    scene.stripe(day(20), Fact(.disputeClosed(lost), references: ["stripe:ch_9"]))
    #expect(scene.reason(at: day(20)) == .granted)
    #expect(scene.reason(at: day(20), on: "seats") == .revoked)
  }
}
