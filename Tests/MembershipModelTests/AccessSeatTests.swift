import MembershipModel
import Testing

@Suite("Access: seats")
struct AccessSeatTests {
  private static let membership: MembershipID = "stripe:sub_1"

  /// So many seats bought by `stripe:cus_1` from day 0 to 30.
  private static func bought(_ quantity: Int64, until: Double = 30) -> Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.seats(quantity, 0, until))
    return scene
  }

  private func reason(_ scene: Scene, _ customer: CustomerID, _ instant: Timestamp)
    -> DecisionReason
  {
    let decision = scene.decision(at: instant, of: customer)
    let short = AccessStretches(scene.access(of: customer).dossier, scene.fold.store.terms())
    #expect(short["premium"].contains { $0.contains(instant) } == decision.isEntitled)
    return decision.reason
  }

  @Test func `PEER-64 what is sold by the seat goes to who claims one, not to the buyer`() {
    var scene = Self.bought(2)
    #expect(reason(scene, "stripe:cus_1", day(1)) == .none)
    scene.manual(
      day(1), .seatAssigned(SeatAssignment(seat: "s1", customer: "ann")),
      membership: Self.membership)
    #expect(reason(scene, "ann", day(2)) == .none)
    scene.claim("s1", "ann", at: 3)
    #expect(reason(scene, "ann", day(3).before) == .notStarted)
    #expect(reason(scene, "ann", day(3)) == .granted)
    #expect(reason(scene, "ann", day(3).adding(milliseconds: 1)) == .granted)
    #expect(reason(scene, "ann", day(30).before) == .granted)
    #expect(reason(scene, "ann", day(30)) == .expired)
    #expect(reason(scene, "stripe:cus_1", day(5)) == .none)
    scene.claim("s2", "stripe:cus_1", at: 6)
    #expect(reason(scene, "stripe:cus_1", day(6)) == .granted)
    #expect(scene.decision(at: day(6), of: "ann").memberships == [Self.membership])
  }

  @Test func `isActive tells whether the buyer of seats has access, with a seat of it or without`()
  {
    var scene = Self.bought(2)
    func row(_ customer: CustomerID, _ instant: Timestamp) -> Membership? {
      scene.access(of: customer).memberships(at: instant).first
    }
    let without = row("stripe:cus_1", day(5))
    #expect(without?.isActive == false && without?.status == .active && without?.role == .owner)
    #expect(without?.expiresAt == nil && without?.currentPeriodEnd == day(30))
    scene.claim("s1", "ann", at: 3)
    #expect(row("ann", day(5))?.isActive == true && row("ann", day(5))?.expiresAt == day(30))
    #expect(row("stripe:cus_1", day(5))?.isActive == false)
    scene.claim("s2", "stripe:cus_1", at: 6)
    let with = row("stripe:cus_1", day(6))
    #expect(with?.isActive == true && with?.role == .owner && with?.seat == "s2")
    #expect(with?.expiresAt == day(30))
    #expect(row("stripe:cus_1", day(6).before)?.isActive == false)
    scene.manual(
      day(8), .seatReleased(SeatRelease(seat: "s2", reason: "left")), membership: Self.membership)
    #expect(row("stripe:cus_1", day(8))?.isActive == false)
    #expect(row("stripe:cus_1", day(8))?.seat == nil)
    #expect(row("stripe:cus_1", day(30))?.status == .expired)
  }

  @Test func `a released seat gives nothing from its release on, and may be claimed again`() {
    var scene = Self.bought(1)
    scene.claim("s1", "ann", at: 3)
    scene.manual(
      day(8), .seatReleased(SeatRelease(seat: "s1", reason: "left")), membership: Self.membership)
    #expect(reason(scene, "ann", day(8).before) == .granted)
    #expect(reason(scene, "ann", day(8)) == .revoked)
    #expect(scene.decision(at: day(8), of: "ann").evidence.contains("manual-4"))
    scene.claim("s1", "ann", at: 12)
    #expect(reason(scene, "ann", day(12).before) == .revoked)
    #expect(reason(scene, "ann", day(12)) == .granted)
  }

  @Test func `a seat is one customer's at a time`() {
    var scene = Self.bought(1)
    scene.claim("s1", "ann", at: 3)
    scene.claim("s1", "bob", at: 8)
    #expect(reason(scene, "ann", day(8).before) == .granted)
    #expect(reason(scene, "bob", day(8).before) == .notStarted)
    #expect(reason(scene, "ann", day(8)) == .revoked)
    #expect(reason(scene, "bob", day(8)) == .granted)
    scene.manual(
      day(10), .seatAssigned(SeatAssignment(seat: "s1", customer: "ann")),
      membership: Self.membership)
    #expect(reason(scene, "bob", day(10)) == .revoked)
    #expect(reason(scene, "ann", day(10)) == .revoked)
    scene.claim("s1", "ann", at: 11)
    #expect(reason(scene, "ann", day(11)) == .granted)
  }

  @Test func `keeping a seat for whoever has claimed it changes nothing`() {
    var scene = Self.bought(1)
    scene.claim("s1", "ann", at: 3)
    scene.claim("s2", "bob", at: 4)
    scene.manual(
      day(5), .seatAssigned(SeatAssignment(seat: "s1", customer: "ann")),
      membership: Self.membership)
    scene.claim("s1", "ann", at: 6)
    #expect(reason(scene, "ann", day(7)) == .granted)
    #expect(reason(scene, "bob", day(7)) == .revoked)
  }

  @Test
  func `PEER-64 fewer seats than are claimed: the first to claim stay, by time and then by seat`() {
    var scene = Self.bought(3)
    scene.claim("s9", "ann", at: 3)
    scene.claim("s2", "cat", at: 5)
    scene.claim("s1", "bob", at: 5)
    let shrink = scene.stripe(
      day(10), Facts.change(at: 10, from: .crew, to: .crew, quantity: 2))
    for customer in ["ann", "bob", "cat"] as [CustomerID] {
      #expect(reason(scene, customer, day(10).before) == .granted)
    }
    #expect(reason(scene, "ann", day(10)) == .granted)
    #expect(reason(scene, "bob", day(10)) == .granted)
    #expect(reason(scene, "cat", day(10)) == .revoked)
    #expect(scene.decision(at: day(10), of: "cat").evidence.contains(shrink))
    let seats = scene.membership(at: day(10))?.seats
    #expect(seats?.total == 2 && seats?.assigned == 3 && seats?.claimed == 3)
    #expect(seats?.beyond.map(\.seat) == ["s2"] && seats?.beyond.map(\.customer) == ["cat"])
    // Room again: by a departure, and by a larger pool.
    var left = scene
    left.manual(day(15), .seatReleased(SeatRelease(seat: "s9")), membership: Self.membership)
    #expect(reason(left, "cat", day(15).before) == .revoked)
    #expect(reason(left, "cat", day(15)) == .granted)
    scene.stripe(day(20), Facts.change(at: 20, from: .crew, to: .crew, quantity: 3))
    #expect(reason(scene, "cat", day(20).before) == .revoked)
    #expect(reason(scene, "cat", day(20)) == .granted)
  }

  @Test func `seats that are only kept come after all that are claimed`() {
    var scene = Self.bought(2)
    scene.manual(day(1), .seatAssigned(SeatAssignment(seat: "a")), membership: Self.membership)
    scene.manual(
      day(1), .seatAssigned(SeatAssignment(seat: "b", customer: "bob")), membership: Self.membership
    )
    scene.claim("c", "cat", at: 5)
    let seats = scene.membership(at: day(6))?.seats
    #expect(seats?.total == 2 && seats?.assigned == 3 && seats?.claimed == 1)
    #expect(seats?.beyond.map(\.seat) == ["b"])
    #expect(reason(scene, "cat", day(6)) == .granted)
  }

  @Test func `an end, a hold and a pause of the membership rest all its seats`() {
    var scene = Self.bought(2)
    scene.claim("s1", "ann", at: 3)
    scene.stripe(day(5), Fact(.holdPlaced(Hold(cause: "x")), membership: Self.membership))
    #expect(reason(scene, "ann", day(5)) == .held)
    #expect(scene.membership(at: day(5))?.seats?.total == 2)
    scene.stripe(day(6), Fact(.holdReleased(HoldRelease(cause: "x")), membership: Self.membership))
    #expect(reason(scene, "ann", day(6)) == .granted)
    scene.stripe(day(7), Facts.pause(resumesAt: 9))
    #expect(reason(scene, "ann", day(7)) == .paused)
    #expect(reason(scene, "ann", day(9)) == .granted)
    scene.stripe(day(12), Facts.ended(at: 12))
    #expect(reason(scene, "ann", day(12).before) == .granted)
    #expect(reason(scene, "ann", day(12)) == .cancelled)
    #expect(scene.membership(at: day(12))?.seats?.total == 0)
  }

  @Test func `a hold on the customer with a seat rests that customer alone`() {
    var scene = Self.bought(2)
    scene.claim("s1", "ann", at: 3)
    scene.claim("s2", "bob", at: 3)
    scene.manual(day(5), customer: "ann", .holdPlaced(Hold(cause: "abuse")))
    #expect(reason(scene, "ann", day(5)) == .held)
    #expect(reason(scene, "bob", day(5)) == .granted)
  }

  @Test func `a claim follows its customer through links, merges and their undoing`() {
    var scene = Self.bought(1)
    scene.claim("s1", "stripe:cus_9", at: 3)
    scene.manual(day(4), .accountLinked(AccountLink(account: "stripe:cus_9", customer: "ann")))
    scene.manual(day(4), .customersMerged(CustomerMerge(from: "ann", into: "bob")))
    for name in ["stripe:cus_9", "ann", "bob"] as [CustomerID] {
      #expect(reason(scene, name, day(3)) == .granted)
    }
    scene.manual(day(5), .mergeUndone(CustomerMerge(from: "ann", into: "bob")))
    #expect(reason(scene, "ann", day(5)) == .granted)
    #expect(reason(scene, "bob", day(5)) == .none)
  }

  @Test func `a transfer of the membership leaves its seats as they are`() {
    var scene = Self.bought(1)
    scene.claim("s1", "ann", at: 3)
    scene.manual(day(5), .transferred(Transfer(to: "bob")), membership: Self.membership)
    #expect(reason(scene, "ann", day(6)) == .granted)
    #expect(reason(scene, "bob", day(6)) == .none)
  }

  @Test func `for other products seats give nothing, and quantity changes nothing`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.claim("s1", "ann", at: 1)
    #expect(reason(scene, "ann", day(2)) == .none)
    #expect(reason(scene, "stripe:cus_1", day(2)) == .granted)
    #expect(scene.membership(at: day(2))?.seats == nil)
    scene.stripe(day(5), Facts.change(at: 5, from: .pro, to: .pro, quantity: 0))
    #expect(reason(scene, "stripe:cus_1", day(6)) == .granted)
  }

  @Test func `one line paid for twice at a time has its seats once, two lines add up`() {
    var scene = Self.bought(1)
    scene.claim("s1", "ann", at: 3)
    scene.claim("s2", "bob", at: 4)
    scene.stripe(day(20), Facts.seats(1, 20, 60, invoice: "in_2"))
    #expect(reason(scene, "bob", day(25)) == .revoked)
    scene.stripe(day(21), Facts.seats(1, 20, 60, invoice: "in_3", item: "more"))
    #expect(reason(scene, "bob", day(20).before) == .revoked)
    #expect(reason(scene, "bob", day(20)) == .granted)
    #expect(scene.membership(at: day(25))?.seats?.total == 2)
  }

  @Test func `each product has its own seats`() {
    var scene = Scene.usual
    scene.stripe(
      day(0), Facts.seats(2, 0, 30, item: "a"),
      Facts.seats(1, 0, 30, invoice: "in_2", item: "b", offer: .desk))
    scene.claim("s1", "ann", at: 1)
    scene.claim("s2", "bob", at: 2)
    #expect(scene.reason(at: day(3), on: "premium", of: "bob") == .granted)
    #expect(scene.reason(at: day(3), on: "export", of: "ann") == .granted)
    #expect(scene.reason(at: day(3), on: "export", of: "bob") == .revoked)
    #expect(scene.membership(at: day(3))?.seats?.total == 2)
  }

  @Test(arguments: [0, -1] as [Int64])
  func `no seats, or fewer than none, give nothing`(quantity: Int64) {
    var scene = Self.bought(quantity)
    scene.claim("s1", "ann", at: 3)
    #expect(reason(scene, "ann", day(3)) == .revoked)
    #expect(scene.membership(at: day(3))?.seats?.total == 0)
  }

  @Test func `grace keeps the seats`() {
    var scene = Self.bought(1)
    scene.claim("s1", "ann", at: 3)
    scene.stripe(day(30), Facts.failed(30, 60, graceUntil: 33))
    #expect(reason(scene, "ann", day(30)) == .grace)
    #expect(reason(scene, "ann", day(33)) == .expired)
  }

  @Test func `a customer's memberships tell a seat from what is the customer's own`() throws {
    var scene = Self.bought(1)
    scene.claim("s1", "ann", at: 3)
    scene.claim("s2", "bob", at: 4)
    let ann = try #require(scene.membership(at: day(5), of: "ann"))
    #expect(ann.role == .seat && ann.seat == "s1" && ann.customer == "ann" && ann.isActive)
    let bob = try #require(scene.membership(at: day(5), of: "bob"))
    #expect(bob.role == .seat && bob.seat == "s2" && !bob.isActive && bob.status == .revoked)
    let owner = try #require(scene.membership(at: day(5)))
    #expect(owner.role == .owner && owner.seat == nil && !owner.isActive)
    #expect(scene.membership(at: day(3).before, of: "ann") == nil)
    scene.claim("s3", "stripe:cus_1", at: 6)
    let both = scene.access().memberships(at: day(6))
    #expect(both.map(\.role) == [.owner] && both.map(\.seat) == ["s3"])
    let segments = scene.access(of: "ann").timeline(at: day(5)).segments
    #expect(segments.first?.from == day(3) && segments.first?.entitlements == ["premium"])
  }

  @Test func `a seat concerns its customers, and others only where there is no room for them`() {
    var scene = Self.bought(20)
    for number in 1...20 { scene.claim(SeatID(unchecked: "s\(number)"), Self.user(number), at: 3) }
    func names(_ body: Fact.Body, at instant: Double) -> Set<CustomerID> {
      var fold = scene.fold
      scene.manual(day(instant), body, membership: Self.membership)
      let record = RecordedEvent(
        position: Position(UInt64(scene.events.count)), recordedAt: day(1000),
        event: scene.events[scene.events.count - 1])
      return fold.apply(record).names.subtracting(["stripe:cus_1"])
    }
    #expect(
      names(.seatAssigned(SeatAssignment(seat: "s30", customer: "new")), at: 4) == ["new"])
    #expect(names(.seatClaimed(SeatClaim(seat: "s21", customer: "late")), at: 5) == ["late"])
    #expect(
      names(.seatClaimed(SeatClaim(seat: "s22", customer: "later")), at: 6) == ["late", "later"])
    #expect(
      names(.seatReleased(SeatRelease(seat: "s2")), at: 7) == ["user_2", "late", "later"])
  }

  private static func user(_ number: Int) -> CustomerID { CustomerID(unchecked: "user_\(number)") }

  @Test func `of many seats exactly as many stay as there are, whoever they are`() {
    var scene = Self.bought(200)
    for number in 0..<200 {
      let customer = CustomerID(unchecked: "user_\(number % 120)")
      scene.claim(SeatID(unchecked: "s\(number)"), customer, at: 1 + Double(number % 7))
    }
    scene.stripe(day(15), Facts.change(at: 15, from: .crew, to: .crew, quantity: 75))
    let fold = scene.fold
    let seats = (0..<120).flatMap { number -> [Bool] in
      let customer = CustomerID(unchecked: "user_\(number)")
      let dossier = fold.dossier(of: customer, .production)
      return dossier.memberships.map { held in
        let alone = Dossier(only: held, of: dossier)
        return !AccessStretches(alone, fold.store.terms())["premium"].filter {
          $0.contains(day(20))
        }.isEmpty
      }
    }
    #expect(seats.count == 200 && seats.count(where: { $0 }) == 75)
    let beyond = scene.membership(at: day(20))?.seats?.beyond.map(\.seat)
    #expect(beyond?.count == 125)
  }

  @Test func `at one instant free wins over claimed, and claimed over kept`() {
    let facts: [Fact.Body] = [
      .seatAssigned(SeatAssignment(seat: "s1", customer: "bob")),
      .seatClaimed(SeatClaim(seat: "s1", customer: "ann")),
      .seatReleased(SeatRelease(seat: "s1")),
    ]
    for order in [[0, 1], [1, 0]] {
      var scene = Self.bought(1)
      scene.stripe(day(3), Fact(facts[order[0]], membership: Self.membership))
      scene.stripe(day(3), Fact(facts[order[1]], membership: Self.membership))
      #expect(reason(scene, "ann", day(3)) == .granted)
      scene.stripe(day(3), Fact(facts[2], membership: Self.membership))
      #expect(reason(scene, "ann", day(3)) == .none)
    }
  }
}

extension Dossier {
  /// The dossier as if one membership were all.
  fileprivate init(only held: HeldMembership, of dossier: Dossier) {
    self = dossier
    memberships = [held]
  }
}

extension Scene {
  /// A customer takes a seat of `sub_1`.
  fileprivate mutating func claim(_ seat: SeatID, _ customer: CustomerID, at instant: Double) {
    manual(
      day(instant), .seatClaimed(SeatClaim(seat: seat, customer: customer)),
      membership: "stripe:sub_1")
  }
}
