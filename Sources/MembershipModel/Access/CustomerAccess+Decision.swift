extension CustomerAccess {
  /// The answer to whether the customer may use an entitlement at an instant, with its evidence.
  package func decision(
    on entitlement: EntitlementKey, at instant: Timestamp, askedAs name: CustomerID
  ) -> Decision {
    let claims = claims(on: entitlement)
    let isUnknown = claims.isEmpty && !terms.knows(entitlement)
    let fallback: DecisionReason =
      isUnknown ? .unknownEntitlement : dossier.isKnown ? .none : .unknownCustomer
    let stretches = Self.stretches(of: claims, fallback)
    guard let index = stretches.lastIndex(where: { $0.period.start <= instant }) else {
      preconditionFailure("the stretches begin at the beginning of time")
    }
    let current = stretches[index]
    let access = Self.accessAround(index, stretches)
    let deciding = Self.deciding(claims, at: instant)
    let lineage = deciding.isEmpty ? [] : dossier.lineage
    return Decision(
      customer: name, entitlement: entitlement, isEntitled: current.isEntitled,
      reason: current.reason,
      isAssumed: current.isEntitled && deciding.allSatisfy(\.isAssumed) && !deciding.isEmpty,
      from: access?.start.bounded, until: access?.end.bounded,
      validFrom: current.period.start.bounded, validUntil: current.period.end.bounded,
      memberships: Set(deciding.compactMap(\.membership)).sorted(),
      grants: Set(deciding.compactMap(\.grant)).sorted(),
      evidence: Set(deciding.flatMap(\.evidence) + lineage).sorted(), position: .start, at: instant,
      knownAt: nil, environment: environment)
  }

  /// What gives the customer access at an instant: one entry for each entitlement and source.
  package func holdings(at instant: Timestamp) -> [EntitlementHolding] {
    entitlements.flatMap { key in
      let given = claims(on: key).filter(\.access.isGiven)
      return given.filter { $0.period.contains(instant) }.map { claim in
        let stretch = given.filter {
          $0.membership == claim.membership && $0.grant == claim.grant
        }.map(\.period).joined().first { $0.contains(instant) }
        return EntitlementHolding(
          entitlement: key, from: stretch?.start.bounded, until: stretch?.end.bounded,
          source: claim.grant == nil ? .membership : .grant, membership: claim.membership,
          grant: claim.grant, product: claim.product)
      }
    }
  }

  private struct Stretch {
    var period: Period
    let isEntitled: Bool
    let reason: DecisionReason
  }

  private static func stretches(
    of claims: [Claim], _ fallback: DecisionReason
  ) -> [Stretch] {
    var instants: Set<Timestamp> = [.distantPast]
    for claim in claims { instants.formUnion([claim.period.start, claim.period.end]) }
    instants.remove(.distantFuture)
    var stretches: [Stretch] = []
    for start in instants.sorted() {
      let deciding = deciding(claims, at: start)
      let isEntitled = deciding.contains { $0.access.isGiven }
      let reason = deciding.first?.access.decisionReason ?? fallback
      if let last = stretches.last {
        stretches[stretches.count - 1].period.end = start
        if last.isEntitled == isEntitled, last.reason == reason { continue }
      }
      stretches.append(
        Stretch(
          period: Period(start: start, end: .distantFuture), isEntitled: isEntitled,
          reason: reason))
    }
    if !stretches.isEmpty { stretches[stretches.count - 1].period.end = .distantFuture }
    return stretches
  }

  /// The claims that decide at an instant.
  ///
  /// They are those that give access by right, else those that give grace, else those that only
  /// rest; else, of those that are over, those that gave it last; else the others. Among such, the
  /// most telling reason decides.
  private static func deciding(_ claims: [Claim], at instant: Timestamp) -> [Claim] {
    let present = claims.filter { $0.period.contains(instant) }
    let rank = present.map(\.rank).max()
    return present.filter { $0.rank == rank }
  }

  private static func accessAround(_ index: Int, _ stretches: [Stretch]) -> Period? {
    guard stretches[index].isEntitled else { return nil }
    var period = stretches[index].period
    for stretch in stretches[..<index].reversed() {
      guard stretch.isEntitled else { break }
      period.start = stretch.period.start
    }
    for stretch in stretches[(index + 1)...] {
      guard stretch.isEntitled else { break }
      period.end = stretch.period.end
    }
    return period
  }
}

extension MembershipTimeline.Access {
  var decisionReason: DecisionReason {
    switch self {
    case .granted: .granted
    case .grace: .grace
    case .denied(let reason): reason.decision
    }
  }
}

extension CustomerAccess.Claim {
  /// How much it has to say, the greater the more.
  fileprivate struct Rank: Comparable {
    let stage: Int
    let lastGivenUntil: Timestamp
    let severity: Int

    static func < (left: Rank, right: Rank) -> Bool {
      (left.stage, left.lastGivenUntil, left.severity)
        < (right.stage, right.lastGivenUntil, right.severity)
    }
  }

  fileprivate var rank: Rank {
    switch access {
    case .granted: Rank(stage: 4, lastGivenUntil: .distantPast, severity: 0)
    case .grace: Rank(stage: 3, lastGivenUntil: .distantPast, severity: 0)
    case .denied(let reason):
      switch reason {
      case .held, .paused: Rank(stage: 2, lastGivenUntil: .distantPast, severity: reason.severity)
      case .expired, .cancelled, .revoked, .refunded:
        Rank(stage: 1, lastGivenUntil: lastGivenUntil, severity: reason.severity)
      case .none, .notStarted:
        Rank(stage: 0, lastGivenUntil: .distantPast, severity: reason.severity)
      }
    }
  }
}

extension Timestamp {
  /// The instant, or nil for the two ends of time.
  package var bounded: Timestamp? {
    self == .distantPast || self == .distantFuture ? nil : self
  }
}
