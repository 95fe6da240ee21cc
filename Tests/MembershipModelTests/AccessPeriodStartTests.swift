import MembershipModel
import Testing

/// Periods of which the source tells the end alone, and the words of a store that go with them.
@Suite struct AccessPeriodStartTests {
  private func order(
    _ name: String, until end: Double, offer: Offer = .pro, kind: TransactionKind = .paid
  ) -> Fact {
    Fact(
      .renewed(
        Transaction(
          id: TransactionID(unchecked: "stripe:\(name)"), offer: offer, period: Period(0, end),
          kind: kind, hasUnknownStart: true)), membership: Facts.membership)
  }

  private func revoked(_ name: String, at number: Double) -> Fact {
    Fact(
      .accessRevoked(
        AccessRevocation(transaction: TransactionID(unchecked: "stripe:\(name)"), at: day(number))),
      membership: Facts.membership)
  }

  @Test func `what was seen first counts from the beginning, the next from its end`() {
    var scene = Scene.usual
    scene.stripe(day(20), order("2", until: 60))
    scene.stripe(day(70), order("3", until: 90))
    scene.stripe(day(71), revoked("3", at: 71))
    #expect([0, 30, 59.9, 60, 70.9].allSatisfy { scene.reason(at: day($0)) == .granted })
    #expect(scene.reason(at: day(-0.1)) == .notStarted)
    #expect(scene.reason(at: day(71)) == .revoked)
    scene.stripe(day(5), order("1", until: 30))
    scene.stripe(day(72), revoked("2", at: 40))
    #expect(scene.reason(at: day(35)) == .granted && scene.reason(at: day(45)) == .revoked)
    #expect(scene.reason(at: day(65)) == .granted)
  }

  @Test func `a product that is new counts from when it was first seen`() {
    var scene = Scene.usual
    scene.stripe(day(1), order("1", until: 30))
    scene.stripe(day(30), order("2", until: 60, offer: .extra))
    scene.stripe(day(40), order("2", until: 61, offer: .extra))
    #expect(scene.reason(at: day(29), on: "export") == .notStarted)
    #expect(scene.reason(at: day(30), on: "export") == .granted)
    #expect(scene.reason(at: day(60.5), on: "export") == .granted)
  }

  @Test func `free days lengthen the period that had begun by then, by where its start belongs`() {
    var scene = Scene.usual
    scene.stripe(day(0), order("1", until: 5))
    scene.stripe(
      day(12), Fact(.extended(Extension(until: day(20))), membership: Facts.membership))
    scene.stripe(day(30), order("2", until: 15, offer: .extra))
    #expect([0, 5, 12, 19.9].allSatisfy { scene.reason(at: day($0)) == .granted })
    #expect(scene.reason(at: day(20)) == .expired)
  }

  @Test func `a hold by the store is over once a snapshot shows so, one by hand is not`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 60))
    scene.stripe(day(10), Fact(.holdPlaced(Hold(cause: "unpaid")), membership: Facts.membership))
    scene.stripe(day(20), Facts.standing(.active, unpaused: ["unpaid"]))
    #expect(scene.reason(at: day(15)) == .held && scene.reason(at: day(20)) == .granted)
    scene.manual(day(12), .holdPlaced(Hold(cause: "unpaid")), membership: Facts.membership)
    #expect(scene.reason(at: day(25)) == .held)
  }

  @Test func `the end by replacement says nothing of whose a membership was`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 60))
    scene.stripe(
      day(10), account: "stripe:cus_2",
      Facts.paid(10, 60, invoice: "in_9", membership: "stripe:sub_2"),
      Facts.ended(at: 10, .replaced))
    #expect(scene.reason(at: day(5)) == .granted && scene.reason(at: day(10)) == .cancelled)
    #expect(scene.reason(at: day(5), of: "stripe:cus_2") == .notStarted)
    #expect(scene.reason(at: day(10), of: "stripe:cus_2") == .granted)
  }

  @Test func `until when to acknowledge is what the last snapshot says`() {
    var scene = Scene.usual
    var observation = Observation(status: "active", standing: .active, isRenewing: true)
    observation.acknowledgeBy = day(3)
    scene.stripe(
      day(0), Facts.paid(0, 60), Fact(.observed(observation), membership: "stripe:sub_1"))
    scene.stripe(day(2), Facts.standing(.active))
    #expect(scene.membership(at: day(1))?.acknowledgeBy == day(3))
    #expect(scene.membership(at: day(2))?.acknowledgeBy == nil)
  }
}
