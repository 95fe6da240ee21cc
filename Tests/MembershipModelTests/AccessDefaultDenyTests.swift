import MembershipModel
import Testing

@Suite("Law 8: default deny")
struct AccessDefaultDenyTests {
  private func bought(_ change: (inout Transaction) -> Void) -> Scene {
    var transaction = Transaction(
      id: "stripe:t_1", offer: .pro, period: Period(0, 30), kind: .paid)
    change(&transaction)
    var scene = Scene.usual
    scene.stripe(day(0), Fact(.purchased(transaction), membership: Facts.membership))
    return scene
  }

  private func expectNothing(_ scene: Scene, _ comment: Comment) {
    for key in ["premium", "seats", "export"] as [EntitlementKey] {
      #expect(scene.access().stretchesOfAccess(to: key).isEmpty, comment)
    }
    #expect(scene.access().holdings(at: day(1)).isEmpty, comment)
  }

  @Test func `the purchase that the others vary gives access`() {
    #expect(bought { _ in }.reason(at: day(1)) == .granted)
  }

  @Test func `an unknown product gives nothing and is shown`() {
    let scene = bought { $0.offer = .unknown }
    expectNothing(scene, "an offer that the catalog does not have")
    #expect(scene.membership(at: day(1))?.product == nil)
    #expect(scene.membership(at: day(1))?.storeProduct == "prod_unheard")
    expectNothing(bought { $0.offer = Offer() }, "no offer at all")
  }

  @Test func `an unknown kind, ownership or period gives nothing`() {
    expectNothing(bought { $0.kind = .unrecognized(77) }, "kind")
    expectNothing(bought { $0.kind = .unrecognized(0) }, "no kind")
    expectNothing(bought { $0.ownership = .unrecognized(77) }, "ownership")
    for kind in [.paid, .trial, .intro, .free] as [TransactionKind] {
      expectNothing(
        bought {
          $0.kind = kind
          $0.period = nil
        }, "only a one-time purchase may have no period")
    }
  }

  @Test func `an unknown standing gives nothing`() {
    for standing in [.unrecognized(9), .unpaid, .ended, .incomplete, .paused] as [Standing] {
      var scene = Scene.usual
      scene.stripe(day(0), Facts.seen(0, 30), Facts.standing(standing))
      expectNothing(scene, "\(standing)")
    }
  }

  @Test func `an unknown entitlement and an unknown customer are denied as such`() {
    let scene = bought { _ in }
    #expect(scene.reason(at: day(1), on: "no_such") == .unknownEntitlement)
    #expect(scene.reason(at: day(1), of: "nobody") == .unknownCustomer)
    #expect(scene.reason(at: day(1), on: "seats") == .none)
    let decision = scene.decision(at: day(1), of: "nobody")
    #expect(decision.validFrom == nil && decision.validUntil == nil && !decision.isEntitled)
  }

  @Test func `facts that only note, claim or offer give nothing`() {
    var scene = Scene.usual
    scene.stripe(
      day(0), Fact(.noted(Note(type: "x")), membership: Facts.membership), Fact(.unrecognized),
      Fact(.claimed(EntitlementClaim(entitlements: ["premium"], isComplete: true))),
      Fact(.checkoutOpened(CheckoutOpening(id: "stripe:cs_1")), membership: Facts.membership),
      Facts.invoiced(.paid, invoice: "in_1"), Facts.standing(.active), Facts.withdrawCancel(),
      Facts.resume(), Facts.change(at: 0, from: nil, to: .pro))
    expectNothing(scene, "no transaction")
    #expect(scene.reason(at: day(1)) == .none)
    #expect(scene.status(at: day(1)) == .pending)
  }

  @Test func `a failed payment with grace gives nothing to who never paid`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.failed(0, 30, graceUntil: 16))
    expectNothing(scene, "grace keeps what was had, and nothing was")
  }
}
