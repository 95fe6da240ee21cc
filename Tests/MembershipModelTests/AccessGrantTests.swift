import MembershipModel
import Testing

@Suite("Access: grants by hand")
struct AccessGrantTests {
  private func scene(_ grant: ManualGrant, at instant: Double = 5) -> Scene {
    var scene = Scene.usual
    scene.manual(day(instant), customer: "ann", .granted(grant))
    return scene
  }

  @Test func `a grant holds from its start until its end`() {
    let scene = scene(
      ManualGrant(id: "gift", entitlement: "export", from: day(10), until: day(20)))
    #expect(scene.reason(at: day(10).before, on: "export", of: "ann") == .notStarted)
    let decision = scene.decision(at: day(10), on: "export", of: "ann")
    #expect(decision.isEntitled && decision.from == day(10) && decision.until == day(20))
    #expect(decision.grants == ["gift"] && decision.memberships.isEmpty)
    #expect(scene.reason(at: day(20).before, on: "export", of: "ann") == .granted)
    #expect(scene.reason(at: day(20), on: "export", of: "ann") == .expired)
  }

  @Test func `a grant without times holds from its event on for ever`() {
    let decision = scene(ManualGrant(id: "gift", entitlement: "export"))
      .decision(at: day(5000), on: "export", of: "ann")
    #expect(decision.isEntitled && decision.from == day(5) && decision.until == nil)
  }

  @Test func `a revoked grant is over, and a second revocation does not put that off`() {
    var scene = scene(ManualGrant(id: "gift", entitlement: "export"))
    scene.manual(day(8), .grantRevoked(ManualGrantRevocation(id: "gift")))
    #expect(scene.reason(at: day(8).before, on: "export", of: "ann") == .granted)
    #expect(scene.reason(at: day(8), on: "export", of: "ann") == .revoked)
    scene.manual(day(12), .grantRevoked(ManualGrantRevocation(id: "gift")))
    #expect(scene.reason(at: day(10), on: "export", of: "ann") == .revoked)
  }

  @Test func `a grant that ends before it starts gives nothing`() {
    let scene = scene(
      ManualGrant(id: "gift", entitlement: "export", from: day(10), until: day(2)))
    #expect(scene.access(of: "ann").stretchesOfAccess(to: "export").isEmpty)
    #expect(scene.reason(at: day(5), on: "export", of: "ann") == .notStarted)
  }

  @Test func `a grant for what no catalog has is given all the same`() {
    var scene = Scene()
    scene.manual(day(0), customer: "ann", .granted(ManualGrant(id: "g", entitlement: "beta")))
    #expect(scene.reason(at: day(1), on: "beta", of: "ann") == .granted)
  }

  @Test func `PEER-31 the end of one source takes nothing from another`() {
    var scene = scene(ManualGrant(id: "gift", entitlement: "premium", until: day(50)))
    scene.stripe(day(0), customer: "ann", Facts.paid(0, 30))
    scene.stripe(day(10), Facts.ended(at: 10))
    let decision = scene.decision(at: day(20), of: "ann")
    #expect(decision.isEntitled && decision.from == day(0) && decision.until == day(50))
    #expect(decision.memberships.isEmpty && decision.grants == ["gift"])
    let holdings = scene.access(of: "ann").holdings(at: day(7))
    #expect(holdings.map(\.source) == [.membership, .grant])
    #expect(holdings.map(\.until) == [day(10), day(50)])
  }

  @Test func `a holding spans all stretches in which its source gives it without a gap`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(10), Facts.cancel(at: 60))
    scene.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    let holding = scene.access().holdings(at: day(5)).first
    #expect(holding?.from == day(0) && holding?.until == day(60) && holding?.product == "pro")
  }
}
