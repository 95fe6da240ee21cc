/// What anyone can ask about some names and what they hold, now, planned and over all time.
///
/// Two outlooks are equal where no answer differs, whatever the evidence.
struct Outlook: Equatable {
  /// The customer that each name leads to.
  private(set) var customers: [CustomerID: CustomerID] = [:]
  /// When each customer has which entitlement.
  private(set) var access: [CustomerID: AccessStretches] = [:]
  private(set) var memberships: [MembershipID: MembershipOutlook] = [:]

  struct MembershipOutlook: Equatable {
    let view: Membership
    let timeline: Timeline
    let holders: [Holder]
  }

  struct Holder: Equatable {
    let customer: CustomerID
    let period: Period
  }

  init(
    of names: Set<CustomerID>, in fold: Fold<OverlayStore>, _ environment: Environment,
    at instant: Timestamp
  ) throws(LedgerError) {
    let terms = try fold.store.terms()
    for name in names {
      let dossier = try fold.dossier(of: name, environment)
      customers[name] = dossier.customer
      if access[dossier.customer] != nil { continue }
      access[dossier.customer] = AccessStretches(dossier, terms)
      for held in dossier.memberships where memberships[held.id] == nil {
        memberships[held.id] = try Self.outlook(
          of: held.id, held.state, in: fold, terms, environment, at: instant)
      }
    }
  }

  private static func outlook(
    of id: MembershipID, _ state: MembershipState, in fold: Fold<OverlayStore>, _ terms: TermsState,
    _ environment: Environment, at instant: Timestamp
  ) throws(LedgerError) -> MembershipOutlook {
    let holdings = try fold.holdings(of: state, environment)
    let holder = holdings.first { $0.period.contains(instant) }?.customer
    let timeline = MembershipTimeline(id, state, terms)
    return MembershipOutlook(
      view: timeline.membership(of: state, heldBy: holder, at: instant, environment),
      timeline: timeline.timeline(of: state, at: instant),
      holders: holdings.map { Holder(customer: $0.customer, period: $0.period) })
  }
}
