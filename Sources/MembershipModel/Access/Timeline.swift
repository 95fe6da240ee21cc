/// What access followed from what happened, and what is planned.
public struct Timeline: Hashable, Sendable {
  /// Stretches of one state, in order, from the first fact on.
  public let segments: [Segment]
  /// What is planned beyond the instant asked about, in order.
  public let planned: [Plan]

  /// A stretch in which nothing changes.
  public struct Segment: Hashable, Sendable {
    /// The membership or grant that it is about.
    public let source: String
    /// Its start; nil is since ever.
    public let from: Timestamp?
    /// The first instant after it; nil is for ever.
    public let until: Timestamp?
    /// How the membership or the grant stands, in the words of `MembershipStatus`.
    public let status: String
    /// The entitlements had in it.
    public let entitlements: [EntitlementKey]
    /// Why access is given or denied.
    public let reason: DecisionReason
  }

  /// Something planned that has not come about.
  public struct Plan: Hashable, Sendable {
    /// The membership or grant that it is about.
    public let source: String
    /// When it comes about.
    public let at: Timestamp
    /// What: `renewal`, `cancellation`, `planChange`, `resumption`, `transfer`, `expiry`.
    public let kind: String
    /// More about it in words; empty where there is nothing to add.
    public let details: String
    /// Whether an end in effect has overtaken it.
    public let isSuperseded: Bool
  }
}

extension CustomerAccess {
  /// The timeline of all that the customer holds or held.
  package func timeline(at instant: Timestamp) -> Timeline {
    var segments: [Timeline.Segment] = []
    var planned: [Timeline.Plan] = []
    for (held, timeline) in zip(dossier.memberships, timelines) {
      for stretch in held.held { segments += timeline.segments(within: stretch) }
      if held.held.contains(where: { $0.contains(instant) }) {
        planned += timeline.plans(of: held.state, after: instant)
      }
    }
    for grant in dossier.grants {
      guard let key = grant.state.grant.value?.entitlement else { continue }
      for claim in claims(on: key) where claim.grant == grant.id {
        segments.append(
          Timeline.Segment(
            source: grant.id.rawValue, from: claim.period.start.bounded,
            until: claim.period.end.bounded, status: claim.access.statusOfGrant.rawValue,
            entitlements: claim.access.isGiven ? [key] : [], reason: claim.access.decisionReason))
      }
    }
    return Timeline(
      segments: segments, planned: planned.sorted { ($0.at, $0.source) < ($1.at, $1.source) })
  }
}

extension MembershipTimeline {
  package func segments(within stretch: Period) -> [Timeline.Segment] {
    var found: [Timeline.Segment] = []
    for segment in segments where segment.period.start > .distantPast {
      let period = segment.period.intersection(stretch)
      if period.isEmpty { continue }
      let keys = Set(segment.sources.flatMap(\.entitlements)).sorted()
      let next = Timeline.Segment(
        source: id.rawValue, from: period.start.bounded, until: period.end.bounded,
        status: segment.status.rawValue, entitlements: segment.access.isGiven ? keys : [],
        reason: segment.access.decisionReason)
      if let last = found.last, last.joins(next) {
        found[found.count - 1] = last.extended(to: next.until)
      } else {
        found.append(next)
      }
    }
    return found
  }

  package func plans(of state: MembershipState, after instant: Timestamp) -> [Timeline.Plan] {
    let current = membership(of: state, heldBy: nil, at: instant, .production)
    var plans: [Timeline.Plan] = []
    func add(_ at: Timestamp?, _ kind: String, _ details: String = "") {
      guard let at, at > instant else { return }
      plans.append(
        Timeline.Plan(
          source: id.rawValue, at: at, kind: kind, details: details,
          isSuperseded: current.endedAt != nil))
    }
    if let change = pendingChange(of: state, at: instant) {
      let name = change.to?.offer.name ?? "nothing"
      add(change.at, "planChange", "to \(name)")
    }
    add(state.plannedEnd(at: instant), "cancellation")
    for stop in interruptions where stop.period.contains(instant) && stop.reason == .paused {
      add(stop.period.end.bounded, "resumption", stop.cause)
    }
    for (period, entry) in state.transfers.stretches {
      add(period.start, "transfer", "to \(entry.value.to)")
    }
    if current.willRenew {
      add(current.currentPeriodEnd, "renewal")
    } else {
      add(current.expiresAt, "expiry")
    }
    return plans
  }
}

extension Offer {
  /// The store's plan, or its product where it has none.
  fileprivate var name: String { plan.isEmpty ? product : plan }
}

extension MembershipTimeline.Access {
  /// How a grant by hand stands, in the words for memberships.
  fileprivate var statusOfGrant: MembershipStatus {
    switch self {
    case .granted, .grace: .active
    case .denied(.none), .denied(.notStarted): .pending
    case .denied(.expired): .expired
    case .denied(.cancelled): .canceled
    case .denied(.refunded): .refunded
    case .denied(.revoked): .revoked
    case .denied(.paused): .paused
    case .denied(.held): .held
    }
  }
}

extension Timeline.Segment {
  fileprivate func joins(_ next: Self) -> Bool {
    until == next.from && source == next.source && status == next.status
      && entitlements == next.entitlements && reason == next.reason
  }

  fileprivate func extended(to end: Timestamp?) -> Self {
    Self(
      source: source, from: from, until: end, status: status, entitlements: entitlements,
      reason: reason)
  }
}

extension MembershipTimeline {
  /// The timeline of this membership, whoever held it.
  package func timeline(of state: MembershipState, at instant: Timestamp) -> Timeline {
    Timeline(
      segments: segments(within: Period(start: .distantPast, end: .distantFuture)),
      planned: plans(of: state, after: instant).sorted { ($0.at, $0.kind) < ($1.at, $1.kind) })
  }
}
