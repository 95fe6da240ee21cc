import MembershipModel
import Testing

@Suite("Access: gifts, and benefits taken by hand")
struct AccessGiftTests {
  /// Bob's gift of `export`, which follows the membership that Ann bought from day 0 to 30.
  private static func followed(until: Double? = nil) -> Scene {
    var scene = Scene.usual
    scene.stripe(day(0), customer: "ann", Facts.paid(0, 30))
    scene.manual(
      day(5), customer: "bob",
      .granted(
        ManualGrant(
          id: "gift", entitlement: "export", until: until.map(day), reason: "birthday",
          giver: "ann", follows: Facts.membership)))
    return scene
  }

  private func reason(_ scene: Scene, _ instant: Timestamp) -> DecisionReason {
    let decision = scene.decision(at: instant, on: "export", of: "bob")
    let access = scene.access(of: "bob")
    let short = AccessStretches(access.dossier, access.terms)["export"]
    #expect(short.contains { $0.contains(instant) } == decision.isEntitled)
    return decision.reason
  }

  @Test func `PEER-34 a gift that follows the giver's membership lasts as long as that one`() {
    var scene = Self.followed()
    #expect(reason(scene, day(5).before) == .notStarted)
    #expect(reason(scene, day(5)) == .granted)
    #expect(reason(scene, day(30).before) == .granted)
    #expect(reason(scene, day(30)) == .expired)
    scene.stripe(day(30), customer: "ann", Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    #expect(reason(scene, day(30)) == .granted)
    #expect(reason(scene, day(60)) == .expired)
    scene.stripe(day(40), Facts.ended(at: 40))
    #expect(reason(scene, day(40).before) == .granted)
    #expect(reason(scene, day(40)) == .cancelled)
    let evidence = scene.decision(at: day(35), on: "export", of: "bob").evidence
    #expect(evidence.contains("manual-3") && evidence.contains("stripe:evt_4"))
  }

  @Test func `PEER-34 a gift of a fixed length stays when the giver's membership ends`() {
    var scene = Scene.usual
    scene.stripe(day(0), customer: "ann", Facts.paid(0, 30))
    scene.manual(
      day(5), customer: "bob",
      .granted(ManualGrant(id: "gift", entitlement: "export", until: day(65), giver: "ann")))
    scene.stripe(day(10), Facts.ended(at: 10))
    #expect(reason(scene, day(65).before) == .granted)
    #expect(reason(scene, day(65)) == .expired)
  }

  @Test func `a hold, a pause and grace of the giver's membership are the gift's`() {
    var scene = Self.followed()
    scene.stripe(day(6), Fact(.holdPlaced(Hold(cause: "x")), membership: Facts.membership))
    #expect(reason(scene, day(6)) == .held)
    scene.stripe(day(7), Fact(.holdReleased(HoldRelease(cause: "x")), membership: Facts.membership))
    #expect(reason(scene, day(7)) == .granted)
    scene.stripe(day(8), Facts.pause(resumesAt: 9))
    #expect(reason(scene, day(8)) == .paused)
    #expect(reason(scene, day(9)) == .granted)
    scene.stripe(day(30), Facts.failed(30, 60, graceUntil: 33))
    #expect(reason(scene, day(30)) == .grace)
    #expect(reason(scene, day(33)) == .expired)
  }

  @Test func `a gift's own end and its revocation come first`() {
    var scene = Self.followed(until: 20)
    #expect(reason(scene, day(20).before) == .granted)
    #expect(reason(scene, day(20)) == .expired)
    scene.manual(day(12), .grantRevoked(ManualGrantRevocation(id: "gift")))
    #expect(reason(scene, day(12).before) == .granted)
    #expect(reason(scene, day(12)) == .revoked)
  }

  @Test func `a gift that follows what is not known gives nothing until it is`() {
    var scene = Scene.usual
    scene.manual(
      day(5), customer: "bob",
      .granted(ManualGrant(id: "gift", entitlement: "export", follows: Facts.membership)))
    #expect(reason(scene, day(6)) == .none)
    #expect(scene.fold.store.membership(Facts.membership, .production) == nil)
    scene.stripe(day(0), customer: "ann", Facts.paid(0, 30))
    #expect(reason(scene, day(6)) == .granted)
  }

  @Test func `PEER-32 a gift beside a better membership takes nothing from it`() {
    var scene = Scene.usual
    scene.stripe(day(0), customer: "ann", Facts.paid(0, 30, offer: .team))
    scene.manual(
      day(5), customer: "ann",
      .granted(ManualGrant(id: "gift", entitlement: "premium", until: day(10))))
    for key in ["premium", "seats"] as [EntitlementKey] {
      #expect(scene.access(of: "ann").stretchesOfAccess(to: key) == [Period(0, 30)])
    }
  }

  @Test func `PEER-37 one benefit taken by hand is gone for good, the others stay`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, offer: .team))
    let taking = scene.manual(
      day(10), .accessRevoked(AccessRevocation(reason: "abuse", entitlements: ["seats"])),
      membership: Facts.membership)
    #expect(scene.reason(at: day(10).before, on: "seats") == .granted)
    #expect(scene.reason(at: day(10), on: "seats") == .revoked)
    #expect(scene.reason(at: day(10), on: "premium") == .granted)
    #expect(scene.decision(at: day(10), on: "seats").evidence.contains(taking))
    #expect(scene.status(at: day(10)) == .active)
    scene.stripe(
      day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true, offer: .team))
    #expect(scene.reason(at: day(40), on: "seats") == .revoked)
    #expect(scene.reason(at: day(40), on: "premium") == .granted)
    let access = scene.access()
    let short = AccessStretches(access.dossier, access.terms)
    #expect(short["seats"] == [Period(0, 10)] && short["premium"] == [Period(0, 60)])
  }

  @Test func `PEER-37 what is taken from one membership another may give, and a grant by hand`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.manual(
      day(10), .accessRevoked(AccessRevocation(entitlements: ["premium"])),
      membership: Facts.membership)
    #expect(scene.reason(at: day(12)) == .revoked)
    scene.stripe(
      day(15), Facts.paid(15, 45, invoice: "in_2", offer: .pro, membership: "stripe:sub_2"))
    #expect(scene.reason(at: day(15).before) == .revoked)
    #expect(scene.reason(at: day(15)) == .granted)
    scene.manual(
      day(50), customer: "stripe:cus_1",
      .granted(ManualGrant(id: "back", entitlement: "premium")))
    #expect(scene.reason(at: day(50)) == .granted)
  }

  @Test func `what is taken by itself from an earlier instant on, by whichever event, is so first`()
  {
    for order in [[10.0, 5], [5, 10]] {
      var scene = Scene.usual
      scene.stripe(day(0), Facts.paid(0, 30))
      for instant in order {
        scene.stripe(
          day(12),
          Fact(
            .accessRevoked(AccessRevocation(at: day(instant), entitlements: ["premium"])),
            membership: Facts.membership))
      }
      #expect(scene.reason(at: day(5).before) == .granted)
      #expect(scene.reason(at: day(5)) == .revoked)
    }
  }
}
