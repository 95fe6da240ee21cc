/// Whose part of what a membership gives is looked at.
///
/// What is sold by the seat goes to those who claim a seat, and only as far as there are seats; all
/// else goes to whoever holds the membership.
enum MembershipShare {
  /// All that it gives, to whomever.
  case everyone
  /// What it gives to its holder.
  case holder
  /// What it gives to the customer with a seat.
  case seat(SeatTenure)
}

extension Dossier.HeldMembership {
  /// What the customer has of the membership.
  var share: MembershipShare { seat.map { .seat($0) } ?? .holder }
}

extension MembershipShare {
  /// The segments of a whole membership as they are for this share.
  func segments(of segments: [MembershipTimeline.Segment]) -> [MembershipTimeline.Segment] {
    if case .everyone = self { return segments }
    var seen: [MembershipTimeline.Segment] = []
    for segment in segments {
      switch self {
      case .everyone, .holder: seen.add(segment.forHolder)
      case .seat(let tenure): for part in segment.parts(for: tenure) { seen.add(part) }
      }
    }
    return seen
  }

  /// What the products had throughout a stretch give to this share, and when.
  func stretches(
    of lines: [(coverage: Coverage, product: Catalog.Product)], within period: Period
  ) -> [(period: Period, entitlements: [EntitlementKey])] {
    switch self {
    case .everyone: [(period, lines.flatMap(\.product.entitlements))]
    case .holder:
      [(period, lines.filter { !$0.product.isPerSeat }.flatMap(\.product.entitlements))]
    case .seat(let tenure): tenure.stretches(of: lines, within: period)
    }
  }
}

extension SeatTenure {
  fileprivate func stretches(
    of lines: [(coverage: Coverage, product: Catalog.Product)], within period: Period
  ) -> [(period: Period, entitlements: [EntitlementKey])] {
    let perSeat = lines.filter(\.product.isPerSeat)
    let sizes = SeatPool.sizes(
      perSeat.lazy.map { ($0.product.id, $0.coverage.item, $0.coverage.quantity) })
    return claims.flatMap { claim in
      perSeat.compactMap { line in
        guard let admission = claim.admission(among: sizes[line.product.id] ?? 0) else {
          return nil
        }
        let admitted = Period(start: admission, end: claim.stretch.period.end)
        return (period.intersection(admitted), line.product.entitlements)
      }
    }
  }
}

extension MembershipTimeline.Segment {
  /// How many seats of each product there are in the segment.
  var seatCounts: [ProductID: Int64] {
    SeatPool.sizes(
      sources.lazy.filter { $0.isLive && $0.isPerSeat }.compactMap { source in
        source.product.map { ($0, source.item, source.quantity) }
      })
  }

  /// How the seats stand at an instant within the segment; nil where nothing is sold by the seat.
  func seats(of state: MembershipState, at instant: Timestamp) -> SeatUse? {
    if !sources.contains(where: \.isPerSeat) { return nil }
    let taken = SeatPool(state.seats).taken(at: instant)
    let total = max(0, seatCounts.values.max() ?? 0)
    let beyond = total < Int64(taken.count) ? taken[Int(total)...] : []
    return SeatUse(
      total: total, assigned: taken.count, claimed: taken.count(where: \.isClaimed),
      beyond: beyond.map { SeatUse.Seat(seat: $0.seat, customer: $0.customer) })
  }

  fileprivate var forHolder: MembershipTimeline.Segment {
    if sources.allSatisfy({ !$0.isPerSeat }), absent.allSatisfy({ !$0.source.isPerSeat }) {
      return self
    }
    let own = sources.filter { $0.isLive && !$0.isPerSeat }
    var seen = access
    if access.isGiven {
      seen = own.isEmpty ? .denied(.none) : own.allSatisfy(\.isKept) ? .grace : .granted
    }
    return with(
      access: seen, status: status, sources: sources.map { $0.isPerSeat ? $0.givingNothing : $0 },
      absent: absent.filter { !$0.source.isPerSeat })
  }

  /// The segment cut where a claim begins, finds room or ends.
  fileprivate func parts(for tenure: SeatTenure) -> [MembershipTimeline.Segment] {
    let sizes = seatCounts
    var cuts: Set<Timestamp> = [period.start]
    for claim in tenure.claims {
      cuts.formUnion([claim.stretch.period.start, claim.stretch.period.end])
      cuts.formUnion(sizes.values.compactMap(claim.admission))
    }
    let starts = cuts.filter(period.contains).sorted()
    return starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1] : period.end
      var part = part(for: tenure, at: starts[index], sizes)
      part.period = Period(start: starts[index], end: end)
      return part
    }
  }

  private func part(
    for tenure: SeatTenure, at instant: Timestamp, _ sizes: [ProductID: Int64]
  ) -> MembershipTimeline.Segment {
    let claim = tenure.claims.first { $0.stretch.period.contains(instant) }
    func isAdmitted(_ source: MembershipTimeline.Source) -> Bool {
      guard source.isPerSeat, let product = source.product else { return false }
      let admission = claim?.admission(among: sizes[product] ?? 0)
      return !source.isLive || admission.map { $0 <= instant } ?? false
    }
    let proof = Set(evidence + [claim?.stretch.begun].compactMap { $0 }).sorted()
    let beyond = sources.filter { $0.isPerSeat && !isAdmitted($0) }
    let admitted = sources.filter { $0.isLive && isAdmitted($0) }
    var (seen, shown) = (access, status)
    if access.isGiven, admitted.isEmpty {
      (seen, shown) = beyond.isEmpty ? (.denied(.none), .pending) : (.denied(.revoked), .revoked)
    } else if access.isGiven {
      seen = admitted.allSatisfy(\.isKept) ? .grace : .granted
    }
    return with(
      access: seen, status: shown,
      sources: sources.map { isAdmitted($0) ? $0 : $0.givingNothing },
      absent: absent.filter(\.source.isPerSeat)
        + beyond.map {
          MembershipTimeline.Absent(source: $0, reason: .revoked, evidence: proof)
        }, evidence: proof)
  }

  private func with(
    access: MembershipTimeline.Access, status: MembershipStatus,
    sources: [MembershipTimeline.Source], absent: [MembershipTimeline.Absent],
    evidence: [EventID]? = nil
  ) -> MembershipTimeline.Segment {
    MembershipTimeline.Segment(
      period: period, access: access, status: status, sources: sources, absent: absent,
      evidence: evidence ?? self.evidence)
  }
}

extension MembershipTimeline.Source {
  fileprivate var givingNothing: MembershipTimeline.Source {
    var copy = self
    copy.entitlements = []
    return copy
  }
}
