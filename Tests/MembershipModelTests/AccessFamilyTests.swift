import MembershipModel
import Testing

@Suite("Access: family sharing")
struct AccessFamilyTests {
  /// One purchase shared with two others; each has a membership and an account of its own.
  private static var shared: Scene {
    var scene = Scene.usual
    for (number, ownership) in [Ownership.purchased, .familyShared, .familyShared].enumerated() {
      scene.stripe(
        day(0), account: AccountID(unchecked: "stripe:cus_\(number + 1)"),
        Fact(
          .purchased(
            Transaction(
              id: TransactionID(unchecked: "stripe:t\(number + 1)"), offer: .pro,
              period: Period(0, 30), kind: .paid, amount: usd(1000), ownership: ownership)),
          membership: MembershipID(unchecked: "stripe:family-\(number + 1)")))
    }
    return scene
  }

  private func revocation(_ number: Int) -> Fact {
    Fact(
      .accessRevoked(
        AccessRevocation(transaction: TransactionID(unchecked: "stripe:t\(number)"))),
      membership: MembershipID(unchecked: "stripe:family-\(number)"))
  }

  @Test func `STORE-40 a membership tells whether its holder bought it`() {
    let scene = Self.shared
    #expect(scene.membership(at: day(1))?.ownership == .purchased)
    #expect(scene.membership(at: day(1), of: "stripe:cus_2")?.ownership == .familyShared)
    #expect(scene.membership(at: day(40), of: "stripe:cus_2")?.ownership == .familyShared)
  }

  @Test func `a membership for which nothing was bought has no ownership`() throws {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.standing(.incomplete))
    #expect(try #require(scene.membership(at: day(1))).ownership == nil)
  }

  @Test func `STORE-1 sharing that ends for one member ends for that one alone, when it does`() {
    var scene = Self.shared
    scene.stripe(day(10), account: "stripe:cus_2", revocation(2))
    for (number, expected) in [(1, DecisionReason.granted), (2, .revoked), (3, .granted)] {
      let member = CustomerID(unchecked: "stripe:cus_\(number)")
      #expect(scene.reason(at: day(10).before, of: member) == .granted)
      #expect(scene.reason(at: day(10), of: member) == expected)
      #expect(scene.reason(at: day(10).adding(milliseconds: 1), of: member) == expected)
    }
  }

  @Test func `STORE-1 the same transaction seen again with its revocation is not dropped`() {
    var scene = Self.shared
    let again = scene.events[1].facts[0]
    scene.stripe(day(12), again, revocation(1))
    #expect(scene.reason(at: day(12).before) == .granted)
    #expect(scene.reason(at: day(12)) == .revoked)
  }

  @Test func `STORE-38 the one who bought is held to the purchase's end like the others`() {
    let scene = Self.shared
    for number in 1...3 {
      let member = CustomerID(unchecked: "stripe:cus_\(number)")
      #expect(scene.reason(at: day(30).before, of: member) == .granted)
      #expect(scene.reason(at: day(30), of: member) == .expired)
    }
  }

  @Test func `an ownership of a newer version gives nothing`() {
    var scene = Scene.usual
    scene.stripe(
      day(0),
      Fact(
        .purchased(
          Transaction(
            id: "stripe:t", offer: .pro, period: Period(0, 30), kind: .paid,
            ownership: .unrecognized(9))), membership: Facts.membership))
    #expect(scene.reason(at: day(1)) == .none)
  }
}
