/// Everything that a customer may do, and could or will be able to do, and why.
package struct CustomerAccess {
  package let dossier: Dossier
  package let terms: TermsState
  package let environment: Environment
  package let timelines: [MembershipTimeline]
  private let interruptions: [Interruption]

  package init(_ dossier: Dossier, _ terms: TermsState, _ environment: Environment) {
    self.dossier = dossier
    self.terms = terms
    self.environment = environment
    let interruptions = dossier.holds.flatMap { Interruption.holds($0, terms) }
    self.interruptions = interruptions
    timelines = dossier.memberships.map {
      MembershipTimeline(
        $0.id, $0.state, terms, for: $0.share, restingBy: interruptions)
    }
  }

  /// The memberships that the customer holds, or claims a seat of, at an instant.
  ///
  /// Each is listed once: as its holder's before a seat's, and by a seat that gives access before
  /// one that finds no room.
  package func memberships(at instant: Timestamp) -> [Membership] {
    var found: [MembershipID: Membership] = [:]
    for (held, timeline) in zip(dossier.memberships, timelines) {
      guard held.held.contains(where: { $0.contains(instant) }) else { continue }
      let membership = timeline.membership(
        of: held.state, heldBy: dossier.customer, seat: held.seat?.seat, at: instant, environment)
      guard let known = found[held.id] else {
        found[held.id] = membership
        continue
      }
      if known.role == .owner {
        found[held.id] = known.withSeat(membership)
      } else if !known.isActive {
        found[held.id] = membership
      }
    }
    for (id, first) in dossier.repeatedTrials(by: instant, terms) where found[id]?.role == .owner {
      found[id]?.repeatsTrialOf = first
    }
    return found.values.sorted { $0.id < $1.id }
  }

  /// A stretch in which one source gives, or for a reason does not give, an entitlement.
  struct Claim {
    let period: Period
    let access: MembershipTimeline.Access
    let isAssumed: Bool
    let membership: MembershipID?
    let grant: GrantID?
    let product: ProductID?
    /// When the source had given it last by the start of the period, if it ever did.
    let lastGivenUntil: Timestamp
    let evidence: [EventID]
  }

  /// What each source says on an entitlement, over all time.
  func claims(on entitlement: EntitlementKey) -> [Claim] {
    membershipClaims(on: entitlement)
      + grantClaims { $0.entitlement == entitlement }
  }

  /// All entitlements that any source gives or gave.
  package var entitlements: [EntitlementKey] {
    var keys: Set<EntitlementKey> = []
    for timeline in timelines {
      for segment in timeline.segments {
        for source in segment.sources { keys.formUnion(source.entitlements) }
      }
    }
    for grant in dossier.grants {
      if let entitlement = grant.state.grant.value?.entitlement { keys.insert(entitlement) }
    }
    return keys.sorted()
  }

  private func membershipClaims(on entitlement: EntitlementKey) -> [Claim] {
    var claims: [Claim] = []
    for (held, timeline) in zip(dossier.memberships, timelines) {
      var given = Timestamp.distantPast
      for segment in timeline.segments {
        let answers = segment.answers(on: entitlement, terms, held.id.provider)
        for stretch in held.held {
          let period = segment.period.intersection(stretch)
          if period.isEmpty { continue }
          claims += answers.map { answer in
            Claim(
              period: period, access: answer.access, isAssumed: answer.isAssumed,
              membership: held.id, grant: nil, product: answer.product, lastGivenUntil: given,
              evidence: answer.evidence + held.lineage)
          }
          if answers.contains(where: \.access.isGiven) { given = period.end }
        }
      }
      if let seat = held.seat,
        timeline.segments.contains(where: {
          !$0.answers(on: entitlement, terms, held.id.provider).isEmpty
        })
      {
        claims += seat.gaps.map { gap in
          Claim(
            period: gap.period, access: .denied(gap.reason), isAssumed: false,
            membership: held.id, grant: nil, product: nil, lastGivenUntil: gap.period.start,
            evidence: gap.evidence + held.lineage)
        }
      }
    }
    return claims
  }

  private func grantClaims(where gives: (ManualGrant) -> Bool) -> [Claim] {
    dossier.grants.flatMap { grant -> [Claim] in
      guard let winner = grant.state.grant.winner, gives(winner.value) else { return [] }
      var given = Timestamp.distantPast
      return GrantTimeline(grant, winner, terms).parts.flatMap { part -> [Claim] in
        defer { if part.access.isGiven { given = part.period.end } }
        return resting(
          Claim(
            period: part.period, access: part.access, isAssumed: false, membership: nil,
            grant: grant.id, product: nil, lastGivenUntil: given, evidence: part.evidence))
      }
    }
  }

  /// A grant's claim cut by the holds on the customer as a whole.
  private func resting(_ claim: Claim) -> [Claim] {
    guard claim.access.isGiven else { return [claim] }
    return interruptions.reduce([claim]) { claims, stop in
      claims.flatMap { $0.resting(by: stop) }
    }
  }
}

extension MembershipTimeline.Segment {
  fileprivate struct Answer {
    let access: MembershipTimeline.Access
    let isAssumed: Bool
    let product: ProductID?
    let evidence: [EventID]
  }

  /// What the stretch says on an entitlement: one answer from all that is had, else one for each
  /// thing that was or is to be had, else one from the catalog that gives it no more.
  fileprivate func answers(
    on entitlement: EntitlementKey, _ terms: TermsState, _ provider: Provider
  ) -> [Answer] {
    let giving = sources.filter { $0.entitlements.contains(entitlement) }
    if let source = giving.first {
      let isKept = access.isGiven && giving.allSatisfy(\.isKept)
      return [
        Answer(
          access: isKept ? .grace : access, isAssumed: giving.allSatisfy(\.isAssumed),
          product: source.product, evidence: evidence)
      ]
    }
    let missed = absent.filter { $0.source.entitlements.contains(entitlement) }
    if !missed.isEmpty {
      return missed.map {
        Answer(
          access: .denied($0.reason), isAssumed: false, product: $0.source.product,
          evidence: $0.evidence)
      }
    }
    return sources.filter { terms.everGives(entitlement, for: $0.offer, of: provider) }.map {
      Answer(
        access: .denied(.none), isAssumed: false, product: $0.product, evidence: evidence)
    }
  }
}

extension CustomerAccess.Claim {
  fileprivate func resting(by stop: Interruption) -> [Self] {
    let overlap = period.intersection(stop.period)
    guard access.isGiven, !overlap.isEmpty else { return [self] }
    let parts: [(Period, MembershipTimeline.Access, [EventID])] = [
      (Period(start: period.start, end: overlap.start), access, []),
      (overlap, .denied(stop.reason), stop.evidence),
      (Period(start: overlap.end, end: period.end), access, []),
    ]
    return parts.filter { !$0.0.isEmpty }.map {
      Self(
        period: $0.0, access: $0.1, isAssumed: isAssumed, membership: membership, grant: grant,
        product: product, lastGivenUntil: lastGivenUntil, evidence: evidence + $0.2)
    }
  }
}

extension Period {
  func intersection(_ other: Period) -> Period {
    Period(start: max(start, other.start), end: min(end, other.end))
  }
}
