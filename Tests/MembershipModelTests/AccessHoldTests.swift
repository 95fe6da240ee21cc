import MembershipModel
import Testing

@Suite("Access: holds and pauses")
struct AccessHoldTests {
  private var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    return scene
  }

  private func hold(_ cause: String) -> Fact {
    Fact(.holdPlaced(Hold(cause: cause)), membership: Facts.membership)
  }

  private func release(_ cause: String) -> Fact {
    Fact(.holdReleased(HoldRelease(cause: cause)), membership: Facts.membership)
  }

  @Test func `a pause rests access until it is resumed`() throws {
    var scene = bought
    scene.stripe(day(10), Facts.pause())
    #expect(scene.reason(at: day(10).before) == .granted)
    #expect(scene.reason(at: day(10)) == .paused)
    let membership = try #require(scene.membership(at: day(10)))
    #expect(membership.status == .paused && !membership.isActive && membership.willRenew)
    #expect(membership.holds == ["collection"])
    scene.stripe(day(20), Facts.resume())
    #expect(scene.reason(at: day(20).before) == .paused)
    #expect(scene.reason(at: day(20)) == .granted)
    #expect(scene.decision(at: day(10)).validUntil == day(20))
  }

  @Test func `a pause with an end of its own ends by itself`() {
    var scene = bought
    scene.stripe(day(10), Facts.pause(resumesAt: 15))
    #expect(scene.reason(at: day(15).before) == .paused)
    #expect(scene.reason(at: day(15)) == .granted)
  }

  @Test func `a snapshot without the pause heals a lost resumption`() {
    var scene = bought
    scene.stripe(day(10), Facts.pause())
    scene.stripe(day(12), Facts.standing(.active, unpaused: ["subscription"]))
    #expect(scene.reason(at: day(13)) == .paused)
    scene.stripe(day(14), Facts.standing(.active, unpaused: ["collection"]))
    #expect(scene.reason(at: day(14)) == .granted)
  }

  @Test func `pauses of two causes each end for themselves`() {
    var scene = bought
    scene.stripe(day(10), Facts.pause("collection"))
    scene.stripe(day(11), Facts.pause("subscription"))
    scene.stripe(day(12), Facts.resume("collection"))
    #expect(scene.reason(at: day(12)) == .paused)
    scene.stripe(day(13), Facts.resume("subscription"))
    #expect(scene.reason(at: day(13)) == .granted)
  }

  @Test func `PEER-2 pausing and resuming many times ends where the last says`() {
    var scene = bought
    let times = [10.1, 10.2, 10.3, 10.4, 10.5, 10.6]
    for (index, time) in times.enumerated().reversed() {
      scene.stripe(day(time), index.isMultiple(of: 2) ? Facts.pause() : Facts.resume())
    }
    #expect(scene.reason(at: day(10.5)) == .paused)
    #expect(scene.reason(at: day(10.6)) == .granted)
  }

  @Test func `STRIPE-28 a trial that ends in a pause gives nothing`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.trial(0, 7))
    scene.stripe(day(7), Facts.pause("subscription"), Facts.standing(.paused))
    #expect(scene.reason(at: day(7)) == .paused)
    #expect(scene.status(at: day(7)) == .paused)
  }

  @Test func `a policy may ignore pauses`() {
    var scene = bought
    scene.manual(day(-1), .policyRevised(PolicyRevision(policy: Policy(pause: .ignore))))
    scene.stripe(day(10), Facts.pause())
    #expect(scene.status(at: day(10)) == .active)
  }

  @Test func `holds of two causes each end for themselves`() {
    var scene = bought
    scene.stripe(day(10), hold("review"))
    scene.stripe(day(11), hold("order"))
    scene.stripe(day(12), release("review"))
    #expect(scene.membership(at: day(11))?.holds == ["order", "review"])
    #expect(scene.reason(at: day(12)) == .held)
    scene.stripe(day(13), release("order"))
    #expect(scene.reason(at: day(13)) == .granted)
  }

  @Test func `PEER-1 a hold neither hides nor outlives an end`() {
    var scene = bought
    scene.stripe(day(5), hold("review"))
    scene.stripe(day(8), Facts.ended(at: 8))
    scene.stripe(day(10), release("review"))
    #expect(scene.reason(at: day(6)) == .held)
    #expect(scene.reason(at: day(8)) == .cancelled)
    #expect(scene.reason(at: day(11)) == .cancelled)
    #expect(scene.membership(at: day(7))?.holds == ["review"])
    #expect(scene.membership(at: day(9))?.holds == [])
  }

  @Test func `a hold on the account rests all its memberships, whenever they arrive`() {
    var scene = bought
    scene.stripe(day(5), Fact(.holdPlaced(Hold(cause: "review"))))
    scene.stripe(day(1), Facts.paid(1, 31, invoice: "in_5", membership: "stripe:sub_2"))
    #expect(scene.reason(at: day(5)) == .held)
    #expect(scene.access().memberships(at: day(5)).map(\.status) == [.held, .held])
    scene.stripe(day(6), Fact(.holdReleased(HoldRelease(cause: "review"))))
    #expect(scene.reason(at: day(6)) == .granted)
  }

  @Test func `a hold on the customer rests memberships and grants alike`() {
    var scene = bought
    scene.manual(day(0), .accountLinked(AccountLink(account: "stripe:cus_1", customer: "ann")))
    scene.manual(
      day(0), customer: "ann", .granted(ManualGrant(id: "gift", entitlement: "export")))
    scene.manual(day(5), customer: "ann", .holdPlaced(Hold(cause: "abuse")))
    #expect(scene.reason(at: day(5), of: "ann") == .held)
    #expect(scene.reason(at: day(5), on: "export", of: "ann") == .held)
    #expect(scene.membership(at: day(5), of: "ann")?.isActive == false)
    scene.manual(day(6), customer: "ann", .holdReleased(HoldRelease(cause: "abuse")))
    #expect(scene.reason(at: day(6), of: "ann") == .granted)
    #expect(scene.reason(at: day(6), on: "export", of: "ann") == .granted)
  }
}
