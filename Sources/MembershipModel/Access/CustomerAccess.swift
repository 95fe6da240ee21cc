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
      MembershipTimeline($0.id, $0.state, terms, restingBy: interruptions)
    }
  }

  /// The memberships that the customer holds at an instant.
  package func memberships(at instant: Timestamp) -> [Membership] {
    zip(dossier.memberships, timelines).compactMap { held, timeline in
      guard held.held.contains(where: { $0.contains(instant) }) else { return nil }
      return timeline.membership(
        of: held.state, heldBy: dossier.customer, at: instant, environment)
    }
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
    }
    return claims
  }

  private func grantClaims(where gives: (ManualGrant) -> Bool) -> [Claim] {
    dossier.grants.flatMap { id, state, lineage -> [Claim] in
      guard let winner = state.grant.winner, gives(winner.value) else { return [] }
      let given = state.stretch(of: winner)
      let isRevoked = state.revokedAt ?? .distantFuture < winner.value.until ?? .distantFuture
      let evidence = [winner.stamp.event] + lineage
      let over: DenialReason = isRevoked ? .revoked : .expired
      let revocation = state.revocations.entries.first?.value.winner
      let taking = over == .revoked ? revocation?.stamp.event : nil
      let parts: [(Period, MembershipTimeline.Access, [EventID])] = [
        (Period(start: .distantPast, end: given.start), .denied(.notStarted), evidence),
        (given, .granted, evidence),
        (
          Period(start: given.end, end: .distantFuture), .denied(over),
          evidence + [taking].compactMap { $0 }
        ),
      ]
      return parts.filter { !$0.0.isEmpty }.flatMap { part in
        resting(
          Claim(
            period: part.0, access: part.1, isAssumed: false, membership: nil, grant: id,
            product: nil, lastGivenUntil: given.isEmpty ? .distantPast : given.end,
            evidence: part.2))
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
