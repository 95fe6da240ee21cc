/// When a customer has which entitlement, and nothing more: what the hot path is told.
///
/// It rests on the same coverages, grace, interruptions and catalogs as `CustomerAccess`, and
/// leaves out reasons, statuses and evidence, which take most of the time.
package struct AccessStretches: Equatable {
  private let periods: [EntitlementKey: [Period]]

  package init(_ dossier: Dossier, _ terms: TermsState) {
    var found: [EntitlementKey: [Period]] = [:]
    for membership in dossier.memberships {
      let sweep = TimelineSweep(membership.id, membership.state, terms, restingBy: [])
      for stretch in sweep.stretchesOfAccess(of: membership.share) {
        for held in membership.held {
          let period = stretch.period.intersection(held)
          if period.isEmpty { continue }
          for key in stretch.entitlements { found[key, default: []].append(period) }
        }
      }
    }
    for grant in dossier.grants {
      guard let winner = grant.state.grant.winner else { continue }
      found[winner.value.entitlement, default: []] += grant.stretches(of: winner, terms)
    }
    let stops = dossier.holds.flatMap { Interruption.holds($0, terms).map(\.period) }
    periods = found.mapValues { $0.subtracting(stops).joined() }.filter { !$0.value.isEmpty }
  }

  /// The entitlements that are had at any time, in order.
  package var entitlements: [EntitlementKey] { periods.keys.sorted() }

  /// The stretches in which an entitlement is had, whatever gives it, in order and joined.
  package subscript(entitlement: EntitlementKey) -> [Period] { periods[entitlement] ?? [] }
}

extension [Period] {
  /// What these periods hold and the others do not.
  package func subtracting(_ others: [Period]) -> [Period] {
    others.reduce(self) { left, other in
      left.flatMap { period -> [Period] in
        [
          Period(start: period.start, end: Swift.min(period.end, other.start)),
          Period(start: Swift.max(period.start, other.end), end: period.end),
        ].filter { !$0.isEmpty }
      }
    }
  }

  /// The same instants as periods in order that do not touch.
  func joined() -> [Period] {
    if count < 2 { return self }
    var joined: [Period] = []
    for period in sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      if let last = joined.last, period.start <= last.end {
        joined[joined.count - 1].end = Swift.max(last.end, period.end)
      } else {
        joined.append(period)
      }
    }
    return joined
  }
}

extension GrantState {
  /// The stretch in which a grant gives its entitlement: its own, cut by its revocation.
  func stretch(of winner: Stamped<ManualGrant>) -> Period {
    let start = winner.value.from ?? winner.stamp.time
    let end = min(winner.value.until ?? .distantFuture, revokedAt ?? .distantFuture)
    return Period(start: start, end: max(start, end))
  }
}
