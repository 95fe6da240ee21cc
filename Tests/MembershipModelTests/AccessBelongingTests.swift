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

  @Test func `a hint that names another customer moves what the account bought as a whole`() {
    var scene = bought
    scene.stripe(day(3), customer: "ann", Facts.standing(.active))
    #expect(scene.reason(at: day(1), of: "ann") == .granted)
    scene.stripe(day(5), id: "moves", customer: "bob", Facts.standing(.active))
    for instant in [1, 4, 6] as [Double] {
      #expect(scene.reason(at: day(instant), of: "ann") == .none)
      let decision = scene.decision(at: day(instant), of: "bob")
      #expect(decision.reason == .granted)
      // The answer tells by which word the account came to be whose it is.
      #expect(decision.evidence.contains { $0.rawValue.hasSuffix("moves") })
    }
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

  @Test func `an answer rests on the first event that names the membership's account`() {
    var scene = Scene.usual
    scene.stripe(day(0), id: "bought", account: nil, Facts.paid(0, 30))
    #expect(!scene.decision(at: day(1)).isEntitled)
    scene.stripe(day(3), id: "named-later", Facts.standing(.active))
    scene.stripe(day(2), id: "named-first", Facts.standing(.active))
    scene.stripe(day(4), id: "named-last", Facts.standing(.active))
    let evidence = scene.decision(at: day(1)).evidence
    #expect(evidence == ["manual-1", "stripe:evt_bought", "stripe:evt_named-first"])
  }

  @Test func `an undone merge gives way to the one before it that stands`() {
    var scene = Scene.usual
    scene.manual(day(0), .accountLinked(AccountLink(account: "stripe:cus_1", customer: "ann")))
    scene.stripe(day(0), Facts.paid(0, 30))
    let first = CustomerMerge(from: "ann", into: "bob")
    let second = CustomerMerge(from: "ann", into: "cleo")
    scene.manual(day(1), .customersMerged(first))
    scene.manual(day(2), .customersMerged(second))
    #expect(scene.decision(at: day(5), of: "cleo").isEntitled)
    var undone = scene
    undone.manual(day(3), .mergeUndone(second))
    #expect(undone.decision(at: day(5), of: "bob").isEntitled)
    #expect(!undone.decision(at: day(5), of: "cleo").isEntitled)
    scene.manual(day(3), .mergeUndone(first))
    #expect(scene.decision(at: day(5), of: "cleo").isEntitled)
    #expect(!scene.decision(at: day(5), of: "bob").isEntitled)
  }

  @Test func `what a provider says of merges and accounts is ordered by its own time`() {
    let merge = CustomerMerge(from: "ann", into: "bob")
    let link = AccountLink(account: "stripe:cus_1", customer: "ann")
    var scene = Scene.usual
    scene.stripe(day(0), customer: "ann", Facts.paid(0, 30))
    scene.stripe(day(3), Fact(.mergeUndone(merge)))
    scene.stripe(day(2), Fact(.customersMerged(merge)))
    #expect(!scene.decision(at: day(5), of: "bob").isEntitled)
    scene.stripe(day(4), Fact(.customersMerged(merge)))
    #expect(scene.decision(at: day(5), of: "bob").isEntitled)
    scene.stripe(day(7), Fact(.accountUnlinked(link)))
    scene.stripe(day(6), Fact(.accountLinked(link)))
    #expect(!scene.decision(at: day(5), of: "ann").isEntitled)
    #expect(scene.decision(at: day(5)).isEntitled)
    // A decision by hand goes before both.
    scene.manual(day(1), .accountLinked(link))
    #expect(scene.decision(at: day(5), of: "ann").isEntitled)
  }

  @Test func `of two memberships that are over, the one had last says why`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(10), Facts.ended(at: 10))
    #expect(scene.reason(at: day(12)) == .cancelled)
    scene.stripe(day(20), Facts.paid(20, 50, invoice: "in_2", membership: "stripe:sub_2"))
    let decision = scene.decision(at: day(51))
    #expect(decision.reason == .expired)
    #expect(decision.memberships == ["stripe:sub_2"])
    #expect(scene.reason(at: day(12)) == .cancelled)
  }
}
