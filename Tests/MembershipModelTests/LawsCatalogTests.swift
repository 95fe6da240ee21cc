import MembershipModel
import Testing

@Suite("Law 14: the catalog is history too")
struct LawsCatalogTests {
  private struct Revision {
    let cohort: Cohort
    let from: Double
  }

  /// All chains of up to so many revisions that begin at one of three times, for every cohort.
  private static func chains(_ length: Int) -> [[Revision]] {
    if length == 0 { return [[]] }
    let shorter = chains(length - 1)
    let longest = shorter.filter { $0.count == length - 1 }
    let each = ([.newPurchases, .nextRenewal, .everyone] as [Cohort]).flatMap { cohort in
      [1.0, 2, 3].map { Revision(cohort: cohort, from: $0) }
    }
    return shorter + longest.flatMap { chain in each.map { chain + [$0] } }
  }

  /// A purchase read at an instant, in days; 0 pins nothing.
  private struct Question {
    let pinned: Int
    let bought: Double
    let transacted: Double
    let instant: Double

    static func all(_ length: Int) -> [Question] {
      (0...length).flatMap { pinned in
        [0.0, 1, 2, 3].flatMap { bought in
          [bought, bought + 1].flatMap { transacted in
            [transacted, transacted + 1, 4].map {
              Question(pinned: pinned, bought: bought, transacted: transacted, instant: $0)
            }
          }
        }
      }
    }

    /// The number of the last revision that touches the purchase, straight from the rule.
    func answer(_ chain: [Revision]) -> Int {
      var answer = max(pinned, 1)
      for (index, revision) in chain.enumerated() {
        let number = index + 1
        switch revision.cohort {
        case .newPurchases: if pinned == 0, bought >= revision.from { answer = number }
        case .nextRenewal: if pinned == 0, transacted >= revision.from { answer = number }
        default: if number > pinned, instant >= revision.from { answer = number }
        }
      }
      return answer
    }
  }

  @Test func `PEER-59 of every chain of up to four revisions the last that touches counts`() {
    var (count, wrong) = (0, 0)
    for chain in Self.chains(4) where !chain.isEmpty {
      var terms = TermsState()
      for (index, revision) in chain.enumerated() {
        let event = EventID(unchecked: "\(index + 1)")
        terms.catalogs[Position(UInt64(index + 1)), default: .blank] = Stamped(
          CatalogRevision(catalog: .usual, appliesTo: revision.cohort, from: day(revision.from)),
          Stamp(time: day(0), event: event))
      }
      for question in Question.all(chain.count) {
        let found = terms.revision(
          pinned: UInt64(question.pinned), bought: day(question.bought),
          transacted: day(question.transacted), at: day(question.instant))
        count += 1
        if found?.stamp.event.rawValue != "\(question.answer(chain))" { wrong += 1 }
      }
    }
    print("catalog resolution: \(count) questions over all chains of up to four revisions")
    #expect(wrong == 0 && count > 800_000)
  }

  @Test func `a product that is sold no more is still what it was to those who bought it`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    var retired = Catalog.usual
    retired.products.removeAll { $0.id == "pro" }
    retired.plans = []
    scene.manual(day(10), .catalogRevised(CatalogRevision(catalog: retired)))
    scene.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    #expect(scene.reason(at: day(45)) == .granted)
    #expect(scene.membership(at: day(45))?.product == "pro")
    scene.stripe(
      day(20), account: "stripe:cus_2",
      Facts.paid(20, 50, invoice: "in_3", membership: "stripe:sub_2"))
    #expect(scene.reason(at: day(25), of: "stripe:cus_2") == .none)
    #expect(scene.membership(at: day(25), of: "stripe:cus_2")?.product == nil)
  }

  @Test func `a product of which no revision knows gives nothing, until one for everyone does`() {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30, offer: .unknown))
    #expect(scene.access().holdings(at: day(5)).isEmpty)
    var known = Catalog.usual
    known.products.append(.usual("unheard", ["export"]))
    scene.manual(
      day(10), .catalogRevised(CatalogRevision(catalog: known, appliesTo: .everyone)))
    #expect(scene.reason(at: day(10).before, on: "export") == .none)
    #expect(scene.reason(at: day(10), on: "export") == .granted)
    #expect(scene.reason(at: day(10).adding(milliseconds: 1), on: "export") == .granted)
  }

  @Test func `a revision changes only those it touches, and the past never without being told`() {
    for cohort in [.newPurchases, .nextRenewal, .everyone] as [Cohort] {
      var scene = Scene.usual
      scene.stripe(day(0), Facts.paid(0, 30))
      let instants = Scenario.turningPoints(of: scene.events)
      let before = instants.map { scene.reason(at: $0) }
      scene.manual(
        day(40),
        .catalogRevised(
          CatalogRevision(
            catalog: Catalog(entitlements: [], products: []), appliesTo: cohort)))
      #expect(instants.map { scene.reason(at: $0) } == before)
    }
  }
}
