import MembershipModel
import Testing

@Suite("Access: belonging")
struct AccessBelongingTests {
  private var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    return scene
  }

  private let link = AccountLink(account: "stripe:cus_1", customer: "ann")

  @Test func `STRIPE-43 an account stands for itself until it is linked, then both names answer`() {
    var scene = bought
    #expect(scene.reason(at: day(1), of: "ann") == .unknownCustomer)
    #expect(scene.reason(at: day(1)) == .granted)
    scene.manual(day(20), .accountLinked(link))
    #expect(scene.reason(at: day(1), of: "ann") == .granted)
    #expect(scene.reason(at: day(1)) == .granted)
    #expect(scene.membership(at: day(1))?.customer == "ann")
  }

  @Test func `an unlinked account stands for itself again`() {
    var scene = bought
    scene.manual(day(20), .accountLinked(link))
    scene.manual(day(21), .accountUnlinked(link))
    #expect(scene.reason(at: day(1), of: "ann") == .none)
    #expect(scene.reason(at: day(1)) == .granted)
  }

  @Test func `a provider's hint links by itself, the newest one counts`() {
    var scene = bought
    scene.stripe(day(5), customer: "bob", Facts.standing(.active))
    scene.stripe(day(3), customer: "ann", Facts.standing(.active))
    #expect(scene.reason(at: day(1), of: "bob") == .granted)
    #expect(scene.reason(at: day(1), of: "ann") == .none)
  }

  @Test func `a decision by hand beats any hint`() {
    var scene = bought
    scene.manual(day(1), .accountLinked(link))
    scene.stripe(day(5), customer: "bob", Facts.standing(.active))
    #expect(scene.reason(at: day(6), of: "ann") == .granted)
    #expect(scene.reason(at: day(6), of: "bob") == .none)
  }

  @Test func `several accounts may be one customer's`() {
    var scene = bought
    scene.stripe(
      day(30), account: "stripe:cus_2",
      Facts.paid(30, 60, invoice: "in_2", membership: "stripe:sub_2"))
    for account in ["stripe:cus_1", "stripe:cus_2"] as [AccountID] {
      scene.manual(day(50), .accountLinked(AccountLink(account: account, customer: "ann")))
    }
    #expect(scene.access(of: "ann").stretchesOfAccess(to: "premium") == [Period(0, 60)])
    #expect(scene.decision(at: day(1), of: "stripe:cus_2").until == day(60))
  }

  @Test func `a merge makes two customers one, and its undoing two again`() {
    var scene = bought
    scene.manual(day(1), .accountLinked(link))
    scene.manual(day(2), .customersMerged(CustomerMerge(from: "ann", into: "bob")))
    for name in ["ann", "bob", "stripe:cus_1"] as [CustomerID] {
      #expect(scene.reason(at: day(1), of: name) == .granted)
    }
    scene.manual(day(3), .mergeUndone(CustomerMerge(from: "ann", into: "bob")))
    #expect(scene.reason(at: day(1), of: "ann") == .granted)
    #expect(scene.reason(at: day(1), of: "bob") == .none)
  }

  @Test func `chains and circles of merges and links lead every name to one customer`() {
    var scene = bought
    scene.manual(day(1), .customersMerged(CustomerMerge(from: "ann", into: "bob")))
    scene.manual(day(1), .accountLinked(link))
    scene.manual(day(1), .customersMerged(CustomerMerge(from: "bob", into: "stripe:cus_7")))
    scene.manual(
      day(1), .accountLinked(AccountLink(account: "stripe:cus_7", customer: "cat")))
    scene.manual(day(1), .customersMerged(CustomerMerge(from: "cat", into: "ann")))
    for name in ["ann", "bob", "cat", "stripe:cus_1", "stripe:cus_7"] as [CustomerID] {
      #expect(scene.reason(at: day(1), of: name) == .granted)
      #expect(scene.fold.canonicalName(of: name, .production) == "ann")
    }
  }

  @Test func `a transfer acts from its instant on, and before it the former holder held`() {
    var scene = bought
    scene.manual(day(0), .accountLinked(link))
    scene.manual(
      day(10), .transferred(Transfer(to: "bob", from: "ann")), membership: Facts.membership)
    #expect(scene.reason(at: day(10).before, of: "ann") == .granted)
    #expect(scene.reason(at: day(10).before, of: "bob") == .none)
    #expect(scene.reason(at: day(10), of: "ann") == .none)
    #expect(scene.reason(at: day(10), of: "bob") == .granted)
    #expect(scene.access(of: "ann").memberships(at: day(10)).isEmpty)
    scene.manual(
      day(20), .transferred(Transfer(to: "ann", from: "bob")), membership: Facts.membership)
    let stretches = scene.access(of: "ann").stretchesOfAccess(to: "premium")
    #expect(stretches == [Period(0, 10), Period(20, 30)])
  }

  @Test func `sandbox facts grant in the sandbox alone`() {
    let scene = bought
    var mixed = scene.moved(to: .sandbox)
    mixed.events.append(contentsOf: scene.events.prefix(1))
    mixed.environment = .production
    #expect(mixed.reason(at: day(1)) == .unknownCustomer)
    mixed.environment = .sandbox
    #expect(mixed.reason(at: day(1)) == .granted)
  }
}
