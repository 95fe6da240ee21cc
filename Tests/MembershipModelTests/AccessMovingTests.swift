import MembershipModel
import Testing

/// Transfers that name no membership: all that an account held goes to another.
@Suite struct AccessMovingTests {
  private func all(from: CustomerID, to: CustomerID) -> Fact {
    Fact(.transferred(Transfer(to: to, from: from)))
  }

  /// What `ann` bought on day 0 under the account `cus_1` goes to `cus_2`, of `bob`, on day 5.
  private var moved: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), customer: "ann", Facts.paid(0, 30))
    scene.stripe(
      day(5), account: "stripe:cus_2", customer: "bob",
      all(from: "stripe:cus_1", to: "stripe:cus_2"))
    return scene
  }

  private func holders(_ scene: Scene, at instant: Timestamp) -> [CustomerID] {
    ["ann", "bob", "cleo"].filter { scene.reason(at: instant, of: $0) == .granted }
  }

  @Test func `what was held goes to the other from that instant on, and stays with it`() {
    #expect(holders(moved, at: day(4)) == ["ann"])
    #expect(holders(moved, at: day(5)) == ["bob"])
    #expect(holders(moved, at: day(29)) == ["bob"])
  }

  @Test func `it does not matter whether the purchase or the transfer is heard of first`() {
    let events = moved.events
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
      var scene = Scene()
      scene.events = order.map { events[$0] }
      #expect(holders(scene, at: day(4)) == ["ann"])
      #expect(holders(scene, at: day(5)) == ["bob"])
    }
  }

  @Test func `a renewal under the new account leaves the past as it was`() {
    var scene = moved
    scene.stripe(
      day(30), account: "stripe:cus_2", customer: "bob",
      Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    #expect(holders(scene, at: day(4)) == ["ann"])
    #expect(holders(scene, at: day(29)) == ["bob"])
    #expect(holders(scene, at: day(31)) == ["bob"])
  }

  @Test func `what is bought afterwards stays with the one who buys`() {
    var scene = moved
    scene.stripe(day(10), customer: "ann", Facts.paid(10, 40, membership: "stripe:sub_2"))
    #expect(holders(scene, at: day(6)) == ["bob"])
    #expect(holders(scene, at: day(11)) == ["ann", "bob"])
  }

  @Test func `what is held goes on from hand to hand, and back`() {
    var scene = moved
    scene.stripe(
      day(8), account: "stripe:cus_3", customer: "cleo",
      all(from: "stripe:cus_2", to: "stripe:cus_3"))
    scene.stripe(day(12), customer: "ann", all(from: "stripe:cus_3", to: "stripe:cus_1"))
    #expect(
      [4.0, 6, 9, 13].map { holders(scene, at: day($0)) } == [["ann"], ["bob"], ["cleo"], ["ann"]])
  }

  @Test func `an account of nobody's takes nothing from a customer until it is somebody's`() {
    var scene = Scene.usual
    scene.stripe(day(0), customer: "ann", Facts.paid(0, 30))
    scene.stripe(day(5), account: "stripe:cus_2", all(from: "stripe:cus_1", to: "stripe:cus_2"))
    #expect(holders(scene, at: day(6)) == ["ann"])
    scene.stripe(day(9), account: "stripe:cus_2", customer: "bob", Fact(.noted(Note(type: "x"))))
    #expect(holders(scene, at: day(6)) == ["bob"])
    #expect(holders(scene, at: day(4)) == ["ann"])
  }

  @Test func `a transfer of the membership itself goes before one of everything`() {
    var scene = moved
    scene.manual(day(3), .transferred(Transfer(to: "cleo")), membership: "stripe:sub_1")
    #expect([2.0, 4, 6].map { holders(scene, at: day($0)) } == [["ann"], ["cleo"], ["cleo"]])
  }

  @Test func `whoever may be concerned is told of`() {
    var fold = Fold(MemoryStore())
    var names: [Set<CustomerID>] = []
    for (index, event) in moved.events.enumerated() {
      let record = RecordedEvent(
        position: Position(UInt64(index + 1)), recordedAt: day(1000), event: event)
      names.append(fold.apply(record).names)
    }
    #expect(names[2].isSuperset(of: ["ann", "bob"]))
  }
}
