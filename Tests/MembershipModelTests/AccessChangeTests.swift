@testable import MembershipModel
import Testing

@Suite("Access: plan changes")
struct AccessChangeTests {
  @Test func `an upgrade within a period gives the new product from its instant on`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(10), Facts.change(at: 10, from: .pro, to: .team))
    #expect(scene.reason(at: day(10).before, on: "seats") == .notStarted)
    #expect(scene.reason(at: day(10), on: "seats") == .granted)
    #expect(scene.decision(at: day(5)).until == day(30))
    #expect(scene.membership(at: day(9))?.product == "pro")
    #expect(scene.membership(at: day(10))?.product == "team")
  }

  @Test func `an upgrade that is not paid gives nothing until the store says that all is well`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30), Facts.standing(.active))
    scene.stripe(
      day(10), Facts.change(at: 10, from: .pro, to: .team), Facts.standing(.pastDue))
    #expect(scene.reason(at: day(12)) == .granted)
    #expect(scene.access().stretchesOfAccess(to: "seats") == [])
    scene.stripe(day(14), Facts.standing(.active))
    #expect(scene.access().stretchesOfAccess(to: "seats") == [Period(14, 30)])
    #expect(scene.membership(at: day(13))?.product == "pro")
  }

  @Test func `an unpaid change that is taken back was never had`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30), Facts.standing(.active))
    scene.stripe(
      day(10), Facts.change(at: 10, from: .pro, to: .team), Facts.standing(.pastDue))
    scene.stripe(
      day(12), Facts.change(at: 12, from: .team, to: .pro), Facts.standing(.active))
    #expect(scene.access().stretchesOfAccess(to: "seats") == [])
    #expect(scene.reason(at: day(20)) == .granted)
  }

  @Test func `STORE-5 what was had before a downgrade has run out`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, offer: .team))
    scene.stripe(day(10), Facts.change(at: 10, from: .team, to: .pro))
    #expect(scene.reason(at: day(10)) == .granted)
    #expect(scene.reason(at: day(10), on: "seats") == .expired)
  }

  @Test func `a snapshot that shows the new plan does not change what was had before`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.seen(0, 30), Facts.standing(.active))
    scene.stripe(
      day(10), Facts.seen(0, 30, offer: .team), Facts.standing(.active),
      Facts.change(at: 10, from: .pro, to: .team))
    scene.stripe(
      day(20), Facts.seen(0, 30, offer: .extra), Facts.standing(.active),
      Facts.change(at: 20, from: .team, to: .extra))
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 20)])
    #expect(scene.access().stretchesOfAccess(to: "seats") == [Period(10, 20)])
    #expect(scene.access().stretchesOfAccess(to: "export") == [Period(20, 30)])
  }

  @Test func `a plan changed within the trial keeps the former plan's past`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.trial(0, 14))
    scene.stripe(
      day(7), Facts.trial(0, 14, offer: .team), Facts.change(at: 7, from: .pro, to: .team))
    #expect(scene.access().stretchesOfAccess(to: "seats") == [Period(7, 14)])
  }

  @Test func `an added item lasts as long as the others, and its renewal takes nothing away`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, item: "a"))
    scene.stripe(day(10), Facts.change(at: 10, from: nil, to: .extra, item: "b"))
    #expect(scene.access().stretchesOfAccess(to: "export") == [Period(10, 30)])
    scene.stripe(
      day(30), Facts.paid(30, 60, invoice: "in_2", item: "a"),
      Facts.paid(30, 60, invoice: "in_2", offer: .extra, item: "b"))
    #expect(scene.access().stretchesOfAccess(to: "export") == [Period(10, 60)])
    #expect(scene.access().stretchesOfAccess(to: "premium") == [Period(0, 60)])
  }

  @Test func `an added item may be dropped again`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, item: "a"))
    scene.stripe(day(10), Facts.change(at: 10, from: nil, to: .extra, item: "b"))
    scene.stripe(day(20), Facts.change(at: 20, from: .extra, to: nil, item: "b"))
    #expect(scene.access().stretchesOfAccess(to: "export") == [Period(10, 20)])
    #expect(scene.reason(at: day(20), on: "export") == .cancelled)
  }

  @Test func `an added item outlasts a change of the plan that it was added to`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, item: "a"))
    scene.stripe(day(10), Facts.change(at: 10, from: nil, to: .extra, item: "b"))
    scene.stripe(day(20), Facts.change(at: 20, from: .pro, to: .team, item: "a"))
    #expect(scene.access().stretchesOfAccess(to: "export") == [Period(10, 30)])
  }

  @Test func `a dropped item ends at once, the others go on`() {
    var scene = Scene.usual
    scene.stripe(
      day(0), Facts.paid(0, 30, item: "a"), Facts.paid(0, 30, offer: .extra, item: "b"))
    scene.stripe(day(10), Facts.change(at: 10, from: .extra, to: nil, item: "b"))
    #expect(scene.reason(at: day(10), on: "export") == .cancelled)
    #expect(scene.reason(at: day(10)) == .granted)
  }

  @Test func `STRIPE-46 a planned change is shown and changes nothing before its instant`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, offer: .team))
    let change = PlanChange(at: day(30), from: .team, to: .pro)
    scene.stripe(day(5), Fact(.planChangeScheduled(change), membership: Facts.membership))
    #expect(scene.membership(at: day(5).before)?.pendingChange == nil)
    #expect(scene.membership(at: day(5))?.pendingChange.map(Shown.init) == Shown(change))
    #expect(scene.reason(at: day(29), on: "seats") == .granted)
    #expect(scene.membership(at: day(30))?.pendingChange == nil)
    scene.stripe(
      day(10), Fact(.planChangeWithdrawn(Withdrawal()), membership: Facts.membership))
    #expect(scene.membership(at: day(9))?.pendingChange.map(Shown.init) == Shown(change))
    #expect(scene.membership(at: day(10))?.pendingChange == nil)
  }

  @Test func `an event that withdraws one plan and makes another leaves the new one`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, offer: .team))
    let change = PlanChange(at: day(30), from: .team, to: .extra)
    scene.stripe(
      day(5), Fact(.planChangeWithdrawn(Withdrawal()), membership: Facts.membership),
      Fact(.planChangeScheduled(change), membership: Facts.membership))
    #expect(scene.membership(at: day(6))?.pendingChange.map(Shown.init) == Shown(change))
  }

  @Test func `a change that waits for its payment is pending without an instant`() throws {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    let change = PlanChange(at: .latest, from: .pro, to: .team, item: "a", quantity: 2)
    scene.stripe(day(5), Fact(.planChangeScheduled(change), membership: Facts.membership))
    let pending = try #require(scene.membership(at: day(6))?.pendingChange)
    #expect(pending.at == nil && pending.to?.offer == .team && pending.quantity == 2)
    #expect(scene.access().timeline(at: day(6)).planned.allSatisfy { $0.kind != "planChange" })
  }

  @Test func `a planned change shows the product and the line that are known of its plan`() throws {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, offer: .team, item: "a"))
    let change = PlanChange(
      at: day(30), from: Offer(plan: Offer.team.plan), to: Offer(plan: Offer.pro.plan))
    scene.stripe(day(5), Fact(.planChangeScheduled(change), membership: Facts.membership))
    let pending = try #require(scene.membership(at: day(6))?.pendingChange)
    #expect(pending.from?.offer == .team && pending.item == "a")
    #expect(pending.to?.offer == Offer(plan: Offer.pro.plan))
  }

  @Test func `a planned change has the catalog's names and the store's, nil where unknown`() throws
  {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    let unknown = Offer(product: "prod_new", plan: "price_new")
    scene.stripe(
      day(5),
      Fact(
        .planChangeScheduled(PlanChange(at: day(30), from: .pro, to: unknown)),
        membership: Facts.membership))
    let pending = try #require(scene.membership(at: day(6))?.pendingChange)
    let present = try #require(scene.membership(at: day(6)))
    #expect(pending.from?.product != nil && pending.from?.product == present.product)
    #expect(pending.from?.plan == present.plan && pending.from?.offer == .pro)
    #expect(pending.to?.product == nil && pending.to?.plan == nil && pending.to?.offer == unknown)
  }

  @Test func `a planned change that lapses is not shown from that instant on`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    let change = PlanChange(at: .latest, from: .pro, to: .team, lapsesAt: day(8))
    scene.stripe(day(5), Fact(.planChangeScheduled(change), membership: Facts.membership))
    #expect(scene.membership(at: day(8).before)?.pendingChange != nil)
    #expect(scene.membership(at: day(8))?.pendingChange == nil)
    #expect(scene.membership(at: day(40))?.pendingChange == nil)
  }

  @Test(arguments: [true, false])
  func `a plan made and withdrawn in one second goes by the state known before`(isMade: Bool) {
    // The states: 1 without the plan, 2 with it.
    let plan = Fact(
      .planChangeScheduled(PlanChange(at: day(30), from: .pro, to: .team)),
      membership: Facts.membership)
    let withdrawal = Fact(.planChangeWithdrawn(Withdrawal()), membership: Facts.membership)
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
      var scene = Scene.usual
      scene.stripe(day(0), Facts.paid(0, 30))
      let events = [
        (day(4), isMade ? 2 : 1, 0, isMade ? plan : withdrawal), (day(5), 2, 1, plan),
        (day(5), 1, 2, withdrawal),
      ]
      for index in order {
        let (at, state, previous, fact) = events[index]
        scene.stripe(
          at, id: "e\(index)",
          ordering: SourceOrdering(state: UInt64(state), previousState: UInt64(previous)), fact)
      }
      #expect((scene.membership(at: day(6))?.pendingChange != nil) == isMade)
    }
  }
}

/// What is compared of a planned change: all but the catalog's names.
private struct Shown: Equatable {
  let at: Timestamp?
  let from: Offer?
  let to: Offer?
  let item: String
  let quantity: Int64

  init(_ pending: PendingChange) {
    (at, from, to) = (pending.at, pending.from?.offer, pending.to?.offer)
    (item, quantity) = (pending.item, pending.quantity)
  }

  init(_ change: PlanChange) {
    (at, from, to) = (change.at, change.from, change.to)
    (item, quantity) = (change.item, change.quantity)
  }
}
