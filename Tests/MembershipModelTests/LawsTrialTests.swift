import LedgerTestSupport
import MembershipModel
import Testing

@Suite("Trial once: a fact for ever")
struct LawsTrialTests {
  private static let products: [ProductID] = ["pro", "team", "extra", "crew", "desk"]

  @Test(arguments: seeds(30, from: 13_000))
  func `a slow obvious model agrees on who has used which trial`(seed: UInt64) {
    let scenario = ScenarioMaker.make(seed: seed, documents: 14, decisions: 10)
    let outcome = Outcome(scenario.events)
    let model = NaiveModel(scenario.events)
    let instants = Scenario.turningPoints(of: scenario.events)
    for customer in Scenario.customers {
      let access = outcome.access(of: customer)
      for product in Self.products {
        let use = access.dossier.trialUse(of: product, access.terms)
        let expected = Self.firstUse(of: product, by: customer, model, instants)
        #expect(use?.at == expected, "seed \(seed): \(customer) \(product)")
      }
    }
  }

  /// When a trial of the product first began in a membership that the customer had from then on, or
  /// got later.
  private static func firstUse(
    of product: ProductID, by customer: CustomerID, _ model: NaiveModel, _ instants: [Timestamp]
  ) -> Timestamp? {
    let name = model.lastName(of: customer)
    let uses = model.memberships.flatMap { membership -> [Timestamp] in
      let purchases = NaiveMembership(model, membership).purchases
      let bought = purchases.map(\.start).min() ?? .distantFuture
      return purchases.filter { purchase in
        purchase.transaction.kind == .trial && purchase.transaction.ownership == .purchased
          && model.product(
            of: purchase.transaction.offer, bought: bought, transacted: purchase.start,
            at: purchase.start)?.id == product
          && instants.contains { instant in
            instant >= purchase.start
              && model.holder(of: membership, instant).map(model.lastName) == name
          }
      }.map(\.start)
    }
    return uses.min()
  }

  @Test func `a trial shared by a family member is that member's`() {
    var scene = Scene.usual
    var shared = Transaction(
      id: "stripe:t", offer: .pro, period: Period(0, 7), kind: .trial, ownership: .familyShared)
    scene.stripe(day(0), Fact(.purchased(shared), membership: Facts.membership))
    let access = scene.access()
    #expect(access.dossier.trialUse(of: "pro", access.terms) == nil)
    shared.ownership = .purchased
    scene.stripe(day(1), Fact(.purchased(shared), membership: Facts.membership))
    let later = scene.access()
    #expect(later.dossier.trialUse(of: "pro", later.terms)?.at == day(0))
  }
}
