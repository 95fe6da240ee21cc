/// Cuts time at every instant at which something changes, and says what holds in between.
struct TimelineSweep {
  let id: MembershipID
  let state: MembershipState
  let terms: TermsState
  let coverages: [Coverage]
  let graces: [Grace]
  let interruptions: [Interruption]
  let ends: [Cut]

  init(_ id: MembershipID, _ state: MembershipState, _ terms: TermsState) {
    let builder = CoverageBuilder(id, state, terms)
    (self.id, self.state, self.terms) = (id, state, terms)
    coverages = builder.coverages()
    ends = builder.ends
    interruptions = Interruption.all(state, terms)
    graces = Grace.all(state, coverages, ends, terms, id.provider)
  }

  func segments() -> [MembershipTimeline.Segment] {
    var segments: [MembershipTimeline.Segment] = []
    let instants = turningPoints
    for (index, start) in instants.enumerated() {
      let end = index + 1 < instants.count ? instants[index + 1] : .distantFuture
      var segment = segment(at: start)
      segment.period.end = end
      if let last = segments.last, last.isLike(segment) {
        segments[segments.count - 1].period.end = end
      } else {
        segments.append(segment)
      }
    }
    return segments
  }

  /// The stretches in which access is given, with what is had: what a check needs of `segments`, for
  /// a fraction of the work.
  func stretchesOfAccess() -> [(period: Period, entitlements: [EntitlementKey])] {
    var stretches: [(period: Period, entitlements: [EntitlementKey])] = []
    let instants = turningPoints
    for (index, start) in instants.enumerated() {
      if interruptions.contains(where: { $0.period.contains(start) }) { continue }
      let having = having(at: start).coverages
      if having.isEmpty { continue }
      let end = index + 1 < instants.count ? instants[index + 1] : .distantFuture
      let keys = having.flatMap { coverage in
        revision(for: coverage, at: start)?.value.catalog
          .product(for: coverage.offer, of: id.provider)?.entitlements ?? []
      }
      stretches.append((Period(start: start, end: end), keys))
    }
    return stretches
  }

  /// What is had at an instant: by what was bought, or else by grace.
  private func having(at instant: Timestamp) -> (coverages: [Coverage], graces: [Grace]) {
    let covering = coverages.filter { $0.period.contains(instant) }
    if !covering.isEmpty { return (covering, []) }
    let graces = graces.filter { $0.period.contains(instant) }
    return (graces.map(\.kept), graces)
  }

  private var turningPoints: [Timestamp] {
    var instants: Set<Timestamp> = [.distantPast, state.firstSeenAt]
    for coverage in coverages { instants.formUnion([coverage.period.start, coverage.period.end]) }
    for grace in graces { instants.formUnion([grace.period.start, grace.period.end]) }
    for stop in interruptions { instants.formUnion([stop.period.start, stop.period.end]) }
    instants.formUnion(ends.map(\.at))
    instants.formUnion(state.intent.stretches.map(\.period.start))
    instants.formUnion(state.standing.stretches.map(\.period.start))
    instants.formUnion(failures.map(\.failedAt))
    instants.formUnion(terms.turningPoints)
    instants.remove(.distantFuture)
    return instants.sorted()
  }

  private func segment(at instant: Timestamp) -> MembershipTimeline.Segment {
    let (having, grace) = having(at: instant)
    let covering = grace.isEmpty ? having : []
    let stop = interruptions.filter { $0.period.contains(instant) }
      .max { ($0.reason.severity, $0.cause) < ($1.reason.severity, $1.cause) }
    var evidence = having.flatMap(\.evidence) + grace.flatMap(\.evidence)
    let access: MembershipTimeline.Access
    var shown = having
    if !having.isEmpty {
      access = stop.map { .denied($0.reason) } ?? (covering.isEmpty ? .grace : .granted)
      evidence += stop?.evidence ?? []
    } else {
      let gap = gap(at: instant, stop)
      (access, shown) = (.denied(gap.reason), gap.shown)
      evidence += gap.evidence
    }
    let sources = shown.map { source($0, at: instant) }
    evidence += sources.compactMap(\.catalog)
    return MembershipTimeline.Segment(
      period: Period(start: instant, end: instant), access: access,
      status: status(at: instant, access, covering), sources: sources,
      evidence: Set(evidence).sorted())
  }

  /// Why nothing is had at an instant, and what was had last or is had next.
  private func gap(
    at instant: Timestamp, _ stop: Interruption?
  ) -> (reason: DenialReason, shown: [Coverage], evidence: [EventID]) {
    let past = coverages.filter { $0.period.start <= instant && $0.period.end <= instant }
    let end = ends.last { $0.at <= instant }
    guard let latest = past.map(\.period.end).max() else {
      if let end { return (end.reason, [], end.evidence) }
      let next = coverages.first { $0.period.start > instant && !$0.period.isEmpty }
      return (next == nil ? .none : .notStarted, next.map { [$0] } ?? [], next?.evidence ?? [])
    }
    let last = past.filter { $0.period.end == latest }
    let evidence = last.flatMap(\.evidence)
    let isOver = end.map { end in last.allSatisfy { $0.period.start < end.at } } ?? false
    if !isOver, let stop, stop.reason == .paused {
      return (.paused, last, evidence + stop.evidence)
    }
    if let cut = last.compactMap(\.cut).max(by: { $0.reason.severity < $1.reason.severity }) {
      return (cut.reason, last, evidence)
    }
    if isOver, let end { return (end.reason, last, evidence + end.evidence) }
    return (.expired, last, evidence)
  }

  /// The revision of the catalog under which a coverage is read at an instant.
  private func revision(
    for coverage: Coverage, at instant: Timestamp
  ) -> Stamped<CatalogRevision>? {
    let bought = coverages.first?.transactedAt ?? coverage.transactedAt
    return terms.revision(pinned: coverage.pinnedRevision)
      ?? terms.revision(bought: bought, transacted: coverage.transactedAt, at: instant)
  }

  private func source(_ coverage: Coverage, at instant: Timestamp) -> MembershipTimeline.Source {
    let revision = revision(for: coverage, at: instant)
    let catalog = revision?.value.catalog
    let product = catalog?.product(for: coverage.offer, of: id.provider)
    return MembershipTimeline.Source(
      transaction: coverage.transaction, offer: coverage.offer, quantity: coverage.quantity,
      product: product?.id, plan: catalog?.plan(for: coverage.offer, of: id.provider)?.id,
      entitlements: product?.entitlements ?? [], isAssumed: coverage.isAssumed,
      catalog: revision?.stamp.event)
  }
}

extension MembershipTimeline.Segment {
  /// Whether nothing that anyone asks for differs.
  fileprivate func isLike(_ other: MembershipTimeline.Segment) -> Bool {
    access == other.access && status == other.status && sources == other.sources
      && evidence == other.evidence
  }
}
