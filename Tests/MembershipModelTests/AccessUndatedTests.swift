import MembershipModel
import Testing

@Suite("Access: payments that do not show their period")
struct AccessUndatedTests {
  private static func paid(_ id: String, isRenewal: Bool = true) -> Fact {
    let transaction = Transaction(
      id: TransactionID(unchecked: "stripe:\(id)"), offer: .pro, kind: .paid, amount: usd(1000),
      isUndated: true)
    return Fact(
      isRenewal ? .renewed(transaction) : .purchased(transaction), membership: Facts.membership,
      references: [ReferenceID(unchecked: "stripe:\(id)")])
  }

  private static func refunded(_ id: String) -> Fact {
    Fact(
      .refunded(Refund(amount: usd(1000), paid: usd(1000))), membership: Facts.membership,
      references: [ReferenceID(unchecked: "stripe:\(id)")])
  }

  /// A period that a snapshot shows, and the payment that was made for it.
  private var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.seen(0, 30), Facts.standing(.active))
    scene.stripe(day(0), Self.paid("pay_1", isRenewal: false))
    return scene
  }

  private func stretches(_ scene: Scene) -> [Period] {
    scene.access().stretchesOfAccess(to: "premium")
  }

  @Test func `a renewal gives one more period as long, until a snapshot shows it`() {
    var scene = bought
    #expect(stretches(scene) == [Period(0, 30)])
    scene.stripe(day(30), Self.paid("pay_2"))
    #expect(stretches(scene) == [Period(0, 60)])
    #expect(!scene.decision(at: day(45)).isAssumed)
    scene.stripe(day(60), Self.paid("pay_3"))
    #expect(stretches(scene) == [Period(0, 90)])
    scene.stripe(day(60), Facts.seen(60, 91), Facts.standing(.active))
    #expect(stretches(scene) == [Period(0, 91)])
    scene.stripe(day(40), Facts.seen(30, 59), Facts.standing(.active))
    #expect(stretches(scene) == [Period(0, 59), Period(60, 91)])
  }

  @Test(arguments: [29.1, 30.0, 34.0])
  func `a renewal is paid a little before its period or later, and begins with it`(at: Double) {
    var scene = bought
    scene.stripe(day(at), Self.paid("pay_2"))
    #expect(stretches(scene) == [Period(0, 60)])
  }

  @Test func `a renewal long after the last period begins when it was paid`() {
    var scene = bought
    scene.stripe(day(100), Self.paid("pay_2"))
    #expect(stretches(scene) == [Period(0, 30), Period(100, 130)])
  }

  @Test func `a payment within a period gives no other`() {
    var scene = bought
    scene.stripe(day(10), Self.paid("pay_2"))
    #expect(stretches(scene) == [Period(0, 30)])
  }

  @Test func `a payment without any period known, or after a trial, gives nothing`() {
    var scene = Scene.usual
    scene.stripe(day(0), Self.paid("pay_1", isRenewal: false))
    scene.stripe(day(30), Self.paid("pay_2"))
    #expect(stretches(scene).isEmpty)
    var tried = Scene.usual
    tried.stripe(day(0), Facts.trial(0, 7), Facts.standing(.trialing))
    tried.stripe(day(7), Self.paid("pay_1"))
    #expect(stretches(tried) == [Period(0, 7)])
  }

  @Test func `a first purchase renews nothing`() {
    var scene = bought
    scene.stripe(day(30), Self.paid("pay_2", isRenewal: false))
    #expect(stretches(scene) == [Period(0, 30)])
  }

  @Test func `a refund takes the period that its payment was for, and no other`() {
    var scene = bought
    scene.stripe(day(30), Self.paid("pay_2"))
    var first = scene
    first.stripe(day(10), Self.refunded("pay_1"))
    #expect(stretches(first) == [Period(0, 10), Period(30, 60)])
    #expect(first.reason(at: day(10)) == .refunded)
    scene.stripe(day(40), Self.refunded("pay_2"))
    #expect(stretches(scene) == [Period(0, 40)])
    // The same where a snapshot shows the period of the renewal.
    scene.stripe(day(31), Facts.seen(30, 60), Facts.standing(.active))
    #expect(stretches(scene) == [Period(0, 40)])
  }

  @Test func `a payment settles what the store said before it, and not what it says later`() {
    var scene = bought
    scene.stripe(day(30), Facts.standing(.pastDue))
    scene.stripe(day(32), Self.paid("pay_2"))
    #expect(stretches(scene) == [Period(0, 60)])
    scene.stripe(day(50), Facts.standing(.ended))
    #expect(stretches(scene) == [Period(0, 50)])
  }

  @Test func `an end is final for a renewal too`() {
    var scene = bought
    scene.stripe(day(30), Self.paid("pay_2"))
    scene.stripe(day(40), Facts.ended(at: 40))
    #expect(stretches(scene) == [Period(0, 40)])
    scene.stripe(day(60), Self.paid("pay_3"))
    #expect(stretches(scene) == [Period(0, 40), Period(60, 90)])
  }

  @Test func `every order of arrival gives the same access`() {
    var scene = bought
    scene.stripe(day(30), Self.paid("pay_2"))
    scene.stripe(day(60), Self.paid("pay_3"))
    scene.stripe(day(61), Facts.seen(60, 90), Facts.standing(.active))
    scene.stripe(day(40), Self.refunded("pay_2"))
    let expected = stretches(scene)
    #expect(expected == [Period(0, 40), Period(60, 90)])
    for order in permutations(of: Array(scene.events.suffix(5))) {
      var other = Scene.usual
      other.events += scene.events.filter { event in
        !order.contains(event) && !other.events.contains(event)
      }
      other.events += order + order
      #expect(stretches(other) == expected)
    }
  }

  private func permutations(of events: [Event]) -> [[Event]] {
    if events.count < 2 { return [events] }
    return events.indices.flatMap { index in
      var rest = events
      let first = rest.remove(at: index)
      return permutations(of: rest).map { [first] + $0 }
    }
  }
}
