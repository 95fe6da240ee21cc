import MembershipModel
import Testing

@Suite("Access: catalog and policy")
struct AccessTermsTests {
  private static let moreForPro = Catalog(
    entitlements: ["premium", "seats", "export"].map { Catalog.Entitlement(key: $0) },
    products: [.usual("pro", ["premium", "export"])])

  /// Bought on day 0 and renewed on day 30, with a revision from day 10 on.
  private func scene(_ cohort: Cohort) -> Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    scene.stripe(
      day(20), Facts.paid(20, 50, invoice: "in_3", membership: "stripe:sub_2"))
    scene.manual(
      day(10), .catalogRevised(CatalogRevision(catalog: Self.moreForPro, appliesTo: cohort)))
    return scene
  }

  private func stretches(_ scene: Scene, _ key: EntitlementKey = "export") -> [Period] {
    scene.access().stretchesOfAccess(to: key)
  }

  @Test func `a revision for new purchases touches memberships first bought later`() {
    #expect(stretches(scene(.newPurchases)) == [Period(20, 50)])
    #expect(stretches(scene(.newPurchases), "premium") == [Period(0, 60)])
  }

  @Test func `a revision for the next renewal touches transactions made later`() {
    #expect(stretches(scene(.nextRenewal)) == [Period(20, 60)])
  }

  @Test func `a revision for everyone touches all access from its start on`() {
    let scene = scene(.everyone)
    #expect(stretches(scene) == [Period(10, 60)])
    #expect(scene.reason(at: day(10).before, on: "export") != .granted)
    #expect(scene.reason(at: day(10), on: "export") == .granted)
  }

  @Test func `a revision for nobody that is known touches nobody`() {
    #expect(stretches(scene(.unrecognized(9))).isEmpty)
    var scene = Scene()
    scene.manual(
      day(-1), .catalogRevised(CatalogRevision(catalog: .usual, appliesTo: .unrecognized(9))))
    scene.stripe(day(0), Facts.paid(0, 30))
    #expect(stretches(scene, "premium").isEmpty)
  }

  @Test func `history from before the first revision is read under it`() {
    var scene = Scene()
    scene.stripe(day(0), Facts.paid(0, 30))
    #expect(scene.reason(at: day(1)) == .unknownEntitlement)
    scene.manual(day(100), .catalogRevised(CatalogRevision(catalog: .usual)))
    #expect(scene.reason(at: day(1)) == .granted)
  }

  @Test func `a pinned revision gives way only to a later one for everyone`() {
    var scene = Scene.usual
    scene.manual(day(0), .catalogRevised(CatalogRevision(catalog: Self.moreForPro)))
    let transaction = Transaction(
      id: "stripe:t_1", offer: .pro, period: Period(5, 35), kind: .paid, catalogRevision: 1)
    scene.stripe(day(5), Fact(.purchased(transaction), membership: Facts.membership))
    #expect(stretches(scene).isEmpty)
    scene.manual(
      day(20),
      .catalogRevised(CatalogRevision(catalog: Self.moreForPro, appliesTo: .everyone)))
    #expect(stretches(scene) == [Period(20, 35)])
  }

  @Test func `the last of several revisions that touch a purchase counts`() {
    var scene = Scene.usual
    scene.stripe(day(5), Facts.paid(5, 35))
    scene.manual(day(0), .catalogRevised(CatalogRevision(catalog: Self.moreForPro)))
    #expect(stretches(scene) == [Period(5, 35)])
    scene.manual(
      day(20), .catalogRevised(CatalogRevision(catalog: .usual, appliesTo: .everyone)))
    #expect(stretches(scene) == [Period(5, 20)])
  }

  @Test func `the policy in force at a fact's instant judges it`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30), Facts.linked("stripe:in_1", "stripe:ch_1"))
    scene.stripe(day(10), Facts.refunded(1000))
    scene.manual(day(11), .policyRevised(PolicyRevision(policy: Policy(fullRefund: .keep))))
    #expect(scene.reason(at: day(12)) == .refunded)
    scene.manual(
      day(12), .policyRevised(PolicyRevision(policy: Policy(fullRefund: .keep), from: day(9))))
    #expect(scene.reason(at: day(12)) == .granted)
  }

  @Test func `a denial by a catalog that gives no more rests on that catalog and the purchase`() {
    var scene = Scene.usual
    scene.stripe(day(0), id: "bought", Facts.paid(0, 30))
    var poorer = Catalog.usual
    poorer.products[0].entitlements = []
    let removal = scene.manual(
      day(10), .catalogRevised(CatalogRevision(catalog: poorer, appliesTo: .everyone)))
    let decision = scene.decision(at: day(12))
    #expect(!decision.isEntitled && decision.reason == .none)
    #expect(decision.evidence == [removal, "stripe:evt_bought"].sorted())
    #expect(decision.memberships == ["stripe:sub_1"])
    #expect(decision.validFrom == day(10))
    // What no catalog ever gave for it is no matter of the catalog.
    #expect(scene.decision(at: day(12), on: "seats").evidence == [])
  }
}
