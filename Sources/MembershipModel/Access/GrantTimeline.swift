/// What a grant by hand gives, from instant to instant.
struct GrantTimeline {
  struct Part {
    let period: Period
    let access: MembershipTimeline.Access
    let evidence: [EventID]
  }

  /// Stretches without gaps from the beginning of time to its end.
  private(set) var parts: [Part]

  init(_ grant: Dossier.GivenGrant, _ winner: Stamped<ManualGrant>, _ terms: TermsState) {
    let given = grant.state.stretch(of: winner)
    let evidence = [winner.stamp.event] + grant.lineage
    let isRevoked =
      grant.state.revokedAt ?? .distantFuture < winner.value.until ?? .distantFuture
    let revocation =
      isRevoked ? grant.state.revocations.entries.first?.value.winner?.stamp.event : nil
    parts = [
      Part(
        period: Period(start: .distantPast, end: given.start), access: .denied(.notStarted),
        evidence: evidence)
    ]
    parts += Self.followed(grant, winner.value, terms).map { part in
      Part(
        period: part.period.intersection(given), access: part.access,
        evidence: evidence + part.evidence)
    }
    parts.append(
      Part(
        period: Period(start: given.end, end: .distantFuture),
        access: .denied(isRevoked ? .revoked : .expired),
        evidence: evidence + [revocation].compactMap { $0 }))
    parts.removeAll(where: \.period.isEmpty)
  }

  /// What the membership that a grant follows leaves of it; a membership that is not known gives
  /// nothing.
  private static func followed(
    _ grant: Dossier.GivenGrant, _ given: ManualGrant, _ terms: TermsState
  ) -> [Part] {
    let always = Period(start: .distantPast, end: .distantFuture)
    guard let id = given.follows else {
      return [Part(period: always, access: .granted, evidence: [])]
    }
    guard let source = grant.source else {
      return [Part(period: always, access: .denied(.none), evidence: [])]
    }
    return MembershipTimeline(id, source, terms).segments.map { segment in
      Part(period: segment.period, access: segment.access, evidence: segment.evidence)
    }
  }
}

extension Dossier.GivenGrant {
  /// The stretches in which a grant gives its entitlement, without the reasons.
  func stretches(of winner: Stamped<ManualGrant>, _ terms: TermsState) -> [Period] {
    let given = state.stretch(of: winner)
    guard let id = winner.value.follows else { return given.isEmpty ? [] : [given] }
    guard let source else { return [] }
    return TimelineSweep(id, source, terms, restingBy: []).stretchesOfAccess(of: .everyone)
      .map { $0.period.intersection(given) }.filter { !$0.isEmpty }
  }
}
