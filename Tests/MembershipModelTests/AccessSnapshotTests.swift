@testable import MembershipModel
import Testing

@Suite("Access: what snapshots show without a word")
struct AccessSnapshotTests {
  private func bought(_ items: [String: Offer], until: Double = 30) -> Scene {
    var scene = Scene.usual
    for (item, offer) in items {
      scene.stripe(day(0), id: "bought-\(item)", Facts.paid(0, until, offer: offer, item: item))
    }
    return scene
  }

  private func expect(
    _ scene: Scene, _ stretches: [EntitlementKey: [Period]],
    _ location: SourceLocation = #_sourceLocation
  ) {
    for (key, expected) in stretches {
      #expect(
        scene.access().stretchesOfAccess(to: key) == expected, "\(key)", sourceLocation: location)
    }
  }

  @Test func `a missed plan change is in effect from the snapshot that shows it`() {
    var scene = bought(["a": .pro])
    scene.stripe(day(12), id: "seen", Facts.standing(.active, shows: ["a": .team]))
    expect(scene, ["premium": [Period(0, 30)], "seats": [Period(12, 30)]])
    #expect(scene.membership(at: day(11))?.product == "pro")
    #expect(scene.membership(at: day(12))?.product == "team")
    let decision = scene.decision(at: day(12), on: "seats")
    #expect(decision.evidence == ["manual-1", "stripe:evt_bought-a", "stripe:evt_seen"])
    scene.stripe(day(20), Facts.standing(.active, shows: ["a": .extra]))
    expect(
      scene, ["premium": [Period(0, 20)], "seats": [Period(12, 20)], "export": [Period(20, 30)]])
  }

  @Test func `a missed drop of an item ends it at the snapshot without it`() {
    var scene = bought(["a": .pro, "b": .extra])
    scene.stripe(day(12), Facts.standing(.active, shows: ["a": .pro]))
    expect(scene, ["premium": [Period(0, 30)], "export": [Period(0, 12)]])
    #expect(scene.reason(at: day(12), on: "export") == .cancelled)
  }

  @Test func `an item in the place of another has what was paid for it`() {
    var scene = bought(["a": .pro])
    scene.stripe(day(12), Facts.standing(.active, shows: ["b": .extra]))
    expect(scene, ["premium": [Period(0, 12)], "export": [Period(12, 30)]])
  }

  @Test func `what was dropped does not become another item that is billed for itself`() {
    var scene = bought(["year": .pro], until: 365)
    scene.stripe(day(0), Facts.paid(0, 30, invoice: "in_2", offer: .extra, item: "month"))
    scene.stripe(day(31), Facts.standing(.active, shows: ["month": .extra]))
    expect(scene, ["premium": [Period(0, 31)], "export": [Period(0, 30)]])
  }

  @Test func `an added item lasts as long as the others, if a snapshot before was without it`() {
    var scene = bought(["a": .pro])
    scene.stripe(day(12), Facts.standing(.active, shows: ["a": .pro, "b": .extra]))
    expect(scene, ["premium": [Period(0, 30)], "export": []])
    scene.stripe(day(1), Facts.standing(.active, shows: ["a": .pro]))
    expect(scene, ["premium": [Period(0, 30)], "export": [Period(12, 30)]])
  }

  @Test func `an unpaid renewal of one item is not taken for one added to the others`() {
    var scene = bought(["year": .pro], until: 365)
    scene.stripe(day(0), Facts.paid(0, 30, invoice: "in_2", offer: .extra, item: "month"))
    let items: [String: Offer] = ["month": .extra, "year": .pro]
    scene.stripe(day(0), Facts.standing(.active, shows: items))
    scene.stripe(day(30), Facts.standing(.active, shows: items))
    expect(scene, ["premium": [Period(0, 365)], "export": [Period(0, 30)]])
  }

  @Test func `a change that is stated is not seen again`() {
    var scene = bought(["a": .pro])
    scene.stripe(
      day(10), Facts.change(at: 10, from: .pro, to: .team, item: "a"),
      Facts.standing(.active, shows: ["a": .team]))
    scene.stripe(day(12), Facts.standing(.active, shows: ["a": .team]))
    expect(scene, ["premium": [Period(0, 30)], "seats": [Period(10, 30)]])
  }

  @Test func `what a snapshot shows with a payment outstanding is not had before all is well`() {
    var scene = bought(["a": .pro])
    scene.stripe(day(10), Facts.standing(.pastDue, shows: ["a": .team]))
    expect(scene, ["premium": [Period(0, 30)], "seats": []])
    scene.stripe(day(14), Facts.standing(.active, shows: ["a": .team]))
    expect(scene, ["premium": [Period(0, 30)], "seats": [Period(14, 30)]])
  }

  @Test func `an invoice for the new plan agrees with the snapshot after it`() {
    var scene = bought(["a": .pro])
    scene.stripe(day(1), Facts.standing(.active, shows: ["a": .pro]))
    scene.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", offer: .team, item: "a"))
    scene.stripe(day(40), Facts.standing(.active, shows: ["a": .team]))
    expect(scene, ["premium": [Period(0, 60)], "seats": [Period(30, 60)]])
  }

  @Test func `a snapshot of no known time counts from the start of its period`() {
    var scene = bought(["a": .pro])
    scene.stripe(day(0), Facts.standing(.active, shows: ["a": .extra]))
    expect(scene, ["premium": [], "export": [Period(0, 30)]])
  }

  @Test func `without invoices a snapshot does not change what an earlier one showed`() {
    var scene = Scene.usual
    scene.stripe(
      day(0), Facts.seen(0, 30, item: "a"), Facts.standing(.active, shows: ["a": .pro]))
    scene.stripe(
      day(10), Facts.seen(0, 30, offer: .team, item: "a"),
      Facts.standing(.active, shows: ["a": .team]))
    expect(scene, ["premium": [Period(0, 30)], "seats": [Period(10, 30)]])
    #expect(scene.membership(at: day(9))?.product == "pro")
  }

  @Test func `a trial keeps the plan that an earlier snapshot showed`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.trial(0, 14), Facts.standing(.trialing, shows: ["": .pro]))
    scene.stripe(
      day(7), Facts.trial(0, 14, offer: .team), Facts.standing(.trialing, shows: ["": .team]))
    expect(scene, ["premium": [Period(0, 14)], "seats": [Period(7, 14)]])
  }

  @Test func `a missed change of the quantity is seen`() {
    var scene = Scene.usual
    var transaction = Transaction(
      id: "stripe:t_1", offer: .pro, period: Period(0, 30), kind: .paid, quantity: 5)
    transaction.item = "a"
    scene.stripe(day(0), Fact(.purchased(transaction), membership: Facts.membership))
    scene.stripe(day(10), Facts.standing(.active, shows: ["a": .pro]))
    let timeline = MembershipTimeline(
      Facts.membership, scene.fold.store.membership(Facts.membership, .production) ?? .blank,
      scene.fold.store.terms())
    #expect(timeline.segment(at: day(9)).sources.map(\.quantity) == [5])
    #expect(timeline.segment(at: day(10)).sources.map(\.quantity) == [1])
  }
}
