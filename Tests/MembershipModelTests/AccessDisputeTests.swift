import MembershipModel
import Testing

@Suite("Access: disputes and warnings")
struct AccessDisputeTests {
  @Test func `STRIPE-40 an open dispute holds, a won one lets go`() throws {
    var scene = Scene.renewed
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
    var scene = Scene.renewed
    scene.stripe(day(10), Facts.dispute())
    scene.stripe(day(20), Facts.disputeClosed(.lost))
    #expect(scene.reason(at: day(20)) == .revoked)
    #expect(scene.status(at: day(20)) == .revoked)
    #expect(scene.reason(at: day(30)) == .granted)
  }

  @Test func `an inquiry does not hold unless the policy says so`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.dispute(.inquiry))
    #expect(scene.reason(at: day(10)) == .granted)
    scene.manual(day(-1), .policyRevised(PolicyRevision(policy: Policy(inquiry: .hold))))
    #expect(scene.reason(at: day(10)) == .held)
  }

  @Test func `an inquiry that becomes a dispute holds from when it was seen to be one`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.dispute(.inquiry, at: 9))
    scene.stripe(day(20), id: "escalated", Facts.dispute(at: 9))
    scene.stripe(day(22), Facts.dispute(at: 9))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 20)])
    #expect(scene.reason(at: day(20)) == .held)
    #expect(scene.decision(at: day(21)).evidence.contains("stripe:evt_escalated"))
  }

  @Test func `a dispute that was never seen as an inquiry holds from its opening`() {
    var scene = Scene.bought
    scene.stripe(day(20), Facts.dispute(at: 9))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 9)])
  }

  @Test func `a dispute over a period long over holds the membership too`() {
    var scene = Scene.renewed
    scene.stripe(day(40), Facts.dispute())
    scene.stripe(day(50), Facts.disputeClosed(.lost))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 40), Period(50, 60)])
  }

  @Test func `a withdrawn dispute lets go, one that ended in an unknown way revokes`() {
    var scene = Scene.bought
    scene.stripe(day(10), Facts.dispute())
    scene.stripe(day(12), Facts.disputeClosed(.withdrawn))
    #expect(scene.reason(at: day(12)) == .granted)
    scene.stripe(day(14), Facts.disputeClosed(.unrecognized(99)))
    #expect(scene.reason(at: day(14)) == .revoked)
  }

  @Test func `a warning of fraud holds where the policy says so`() {
    var scene = Scene.bought
    let hold = Hold(cause: "fraud warning issfr_1", kind: .fraudWarning)
    scene.stripe(day(10), Fact(.holdPlaced(hold), references: ["stripe:ch_1"]))
    #expect(scene.reason(at: day(10)) == .granted)
    scene.manual(day(9), .policyRevised(PolicyRevision(policy: Policy(fraudWarning: .hold))))
    #expect(scene.reason(at: day(10)) == .held)
  }
}
