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
      let one = NaiveMembership(model, membership)
      let bought = one.purchases.map(\.start).min() ?? .distantFuture
      return trials(in: one, model).filter { trial, start in
        trial.ownership == .purchased
          && model.product(of: trial.offer, bought: bought, transacted: start, at: start)?.id
            == product
          && instants.contains { instant in
            instant >= start && model.holder(of: membership, instant).map(model.lastName) == name
          }
      }.map(\.1)
    }
    return uses.min()
  }

  /// The newest word on each transaction that ever was said to be a trial, as a trial.
  private static func trials(
    in membership: NaiveMembership, _ model: NaiveModel
  ) -> [(Transaction, Timestamp)] {
    let said = membership.statements.filter { $0.fact.transaction?.kind == .trial }
    return Set(said.compactMap(\.fact.transaction?.id)).compactMap { id in
      let words = membership.statements.filter { $0.fact.transaction?.id == id }
      let first = words.map(\.event.effectiveAt).min() ?? .distantFuture
      return model.newest(said.filter { $0.fact.transaction?.id == id })?.fact.transaction
        .map { ($0, $0.period?.start ?? first) }
    }
  }

  @Test func `a trial that turned into a paid period stays used`() {
    var scene = Scene.usual
    scene.stripe(
      day(0),
      Fact(
        .purchased(Transaction(id: "stripe:t", offer: .pro, period: Period(0, 7), kind: .trial)),
        membership: Facts.membership))
    scene.stripe(
      day(1),
      Fact(
        .purchased(Transaction(id: "stripe:t", offer: .pro, period: Period(0, 7), kind: .paid)),
        membership: Facts.membership))
    let access = scene.access()
    #expect(access.dossier.trialUse(of: "pro", access.terms)?.at == day(0))
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
