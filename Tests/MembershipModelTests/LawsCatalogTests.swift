import MembershipModel
import Testing

@Suite("Law 14: the catalog is history too")
struct LawsCatalogTests {
  private struct Revision {
    let cohort: Cohort
    let from: Double
  }

  /// All chains of up to so many revisions that begin early or late, for every cohort.
  private static func chains(_ length: Int) -> [[Revision]] {
    if length == 0 { return [[]] }
    let shorter = chains(length - 1)
    let longest = shorter.filter { $0.count == length - 1 }
    let each = ([.newPurchases, .nextRenewal, .everyone] as [Cohort]).flatMap { cohort in
      [1.0, 2.0].map { Revision(cohort: cohort, from: $0) }
    }
    return shorter + longest.flatMap { chain in each.map { chain + [$0] } }
  }

  @Test func `PEER-59 of every chain of up to four revisions the last that touches counts`() {
    for chain in Self.chains(4) where !chain.isEmpty {
      var terms = TermsState()
      for (index, revision) in chain.enumerated() {
        let event = EventID(unchecked: "r\(index)")
        terms.catalogs[Position(UInt64(index + 1)), default: .blank] = Stamped(
          CatalogRevision(catalog: .usual, appliesTo: revision.cohort, from: day(revision.from)),
          Stamp(time: day(0), event: event))
      }
      for bought in [0.0, 1, 2] {
        for transacted in [bought, bought + 1] {
          for instant in [transacted, transacted + 1] {
            let found = terms.revision(
              pinned: 0, bought: day(bought), transacted: day(transacted), at: day(instant))
            let expected = chain.lastIndex { revision in
              switch revision.cohort {
              case .newPurchases: bought >= revision.from
              case .nextRenewal: transacted >= revision.from
              default: instant >= revision.from
              }
            }
            let isRight = found?.stamp.event.rawValue == "r\(expected ?? 0)"
            #expect(isRight, "\(chain) \(bought) \(transacted) \(instant)")
          }
        }
      }
    }
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
