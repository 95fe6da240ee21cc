/// Walks through time from turning point to turning point, and says what holds in between.
///
/// A walk is made once; it is a class so that its steps share what they look at.
final class TimelineSweep {
  let id: MembershipID
  let state: MembershipState
  let coverages: [Coverage]
  let graces: [Grace]
  let interruptions: [Interruption]
  let ends: [Cut]
  let failures: [OpenFailure]
  /// The periods that are to be paid.
  let awaited: [Period]
  private(set) var resolver: SourceResolver
  private let turningPoints: [Timestamp]
  /// The different offers, by number.
  private let offers: [Offer]
  /// The number of each coverage's offer.
  private let offerOf: [Int]

  /// The first coverage that has not begun.
  private var next = 0
  /// The coverages that have begun and not ended.
  private var open: [Int] = []
  /// The coverages that ended last under each offer.
  private var last: [[Int]]

  /// The interruptions given are those of the holder; they rest the membership like its own.
  init(
    _ id: MembershipID, _ state: MembershipState, _ terms: TermsState,
    restingBy holderInterruptions: [Interruption]
  ) {
    let state = state.withPeriodStarts
    let builder = CoverageBuilder(id, state, terms)
    (self.id, self.state, ends) = (id, state, builder.ends)
    coverages = builder.coverages()
    interruptions = Interruption.all(state, terms) + holderInterruptions
    graces = Grace.all(state, coverages, ends, terms, id.provider)
    failures = OpenFailure.all(of: state, coverages)
    awaited = state.awaitedPeriods
    resolver = SourceResolver(id, state, terms, coverages)
    var offers: [Offer] = []
    offerOf = coverages.map { coverage in
      if let known = offers.firstIndex(of: coverage.offer) { return known }
      offers.append(coverage.offer)
      return offers.count - 1
    }
    self.offers = offers
    last = offers.map { _ in [] }
    turningPoints = Self.turningPoints(
      [Period(start: .distantPast, end: state.firstSeenAt)] + coverages.map(\.period)
        + graces.map(\.period) + interruptions.map(\.period) + failures.map(\.period) + awaited,
      ends.map(\.at) + state.ends.values.compactMap(\.winner?.stamp.time)
        + state.intents.flatMap { Array($0.moments.keys) }
        + Array(state.standing.moments.keys)
        + state.takenEntitlements.values.flatMap { Array($0.moments.keys) } + terms.turningPoints)
  }

  private static func turningPoints(
    _ periods: [Period], _ others: [Timestamp]
  ) -> [Timestamp] {
    var instants: [Timestamp] = []
    for instant in (others + periods.flatMap { [$0.start, $0.end] }).sorted()
    where instant != instants.last && instant < .distantFuture {
      instants.append(instant)
    }
    return instants
  }

  func segments() -> [MembershipTimeline.Segment] {
    var segments: [MembershipTimeline.Segment] = []
    for (index, start) in turningPoints.enumerated() {
      let end = index + 1 < turningPoints.count ? turningPoints[index + 1] : .distantFuture
      advance(to: start)
      segments.add(segment(Period(start: start, end: end)))
    }
    return segments
  }

  /// The stretches in which access is given, with what is had: what a check needs of `segments`,
  /// for a fraction of the work.
  func stretchesOfAccess(
    of share: MembershipShare
  ) -> [(period: Period, entitlements: [EntitlementKey])] {
    var stretches: [(period: Period, entitlements: [EntitlementKey])] = []
    for (index, start) in turningPoints.enumerated() {
      advance(to: start)
      if interruptions.contains(where: { $0.period.contains(start) }) { continue }
      let having = having(at: start)
      if having.covering.isEmpty, having.graces.isEmpty { continue }
      let end = index + 1 < turningPoints.count ? turningPoints[index + 1] : .distantFuture
      let lines = (having.covering + having.graces.map(\.kept)).compactMap { coverage in
        resolver.product(of: coverage, at: start).map { (coverage, $0) }
      }
      stretches += share.stretches(of: lines, within: Period(start: start, end: end))
    }
    return stretches
  }

  /// What is had at the instant reached: by what was bought, and by grace where nothing has taken
  /// its place.
  private func having(at instant: Timestamp) -> (covering: [Coverage], graces: [Grace]) {
    let covering = open.map { coverages[$0] }
    let graces = graces.filter { grace in
      grace.period.contains(instant) && !covering.contains(where: grace.isSettled)
    }
    return (covering, graces)
  }

  /// Moves coverages that have begun or ended by an instant to where they belong.
  private func advance(to instant: Timestamp) {
    while next < coverages.count, coverages[next].period.start <= instant {
      open.append(next)
      next += 1
    }
    let ended = open.filter { coverages[$0].period.end <= instant }
    if ended.isEmpty { return }
    open.removeAll(where: ended.contains)
    for index in ended {
      last[offerOf[index]] = latest(of: last[offerOf[index]] + [index])
    }
  }

  /// Those of the coverages that end last.
  private func latest(of indices: [Int]) -> [Int] {
    let end = indices.map { coverages[$0].period.end }.max()
    return indices.filter { coverages[$0].period.end == end }
  }

  private func segment(_ period: Period) -> MembershipTimeline.Segment {
    let instant = period.start
    let (covering, grace) = having(at: instant)
    let stop = interruptions.filter { $0.period.contains(instant) }
      .max { ($0.reason.severity, $0.cause) < ($1.reason.severity, $1.cause) }
    let kept = grace.map(\.kept)
    var shown = covering + kept
    var evidence = shown.flatMap(\.evidence) + grace.flatMap(\.evidence)
    if shown.contains(where: \.isAssumed), let word = state.standing.entry(at: instant) {
      evidence.append(word.stamp.event)
    }
    let access: MembershipTimeline.Access
    let isLive = !shown.isEmpty
    if isLive {
      access = stop.map { .denied($0.reason) } ?? (covering.isEmpty ? .grace : .granted)
      evidence += stop?.evidence ?? []
    } else {
      let gap = gap(at: instant, stop)
      (access, shown) = (.denied(gap.reason), gap.shown)
      evidence += gap.evidence
    }
    let absent =
      absent(at: instant, besides: shown) + shown.flatMap { taken(from: $0, at: instant) }
    let sources = shown.enumerated().map { index, coverage in
      resolver.source(
        coverage, at: instant, isLive: isLive, isKept: !kept.isEmpty && index >= covering.count)
    }
    evidence += sources.flatMap(\.catalog)
    // However the store sees it: what is not known, or was taken, gives nothing.
    let givesNothing = access.isGiven && sources.allSatisfy(\.entitlements.isEmpty)
    let isTaken = givesNothing && absent.contains { $0.reason == .revoked }
    return MembershipTimeline.Segment(
      period: period, access: givesNothing ? .denied(isTaken ? .revoked : .none) : access,
      status: isTaken ? .revoked : status(at: instant, access, covering), sources: sources,
      absent: absent, evidence: Set(evidence).sorted())
  }

  /// Why nothing is had at an instant, and what was had last or is had next.
  private func gap(
    at instant: Timestamp, _ stop: Interruption?
  ) -> (reason: DenialReason, shown: [Coverage], evidence: [EventID]) {
    let last = latest(of: last.flatMap { $0 }.sorted()).map { coverages[$0] }
    if last.isEmpty {
      if let end = ends.last(where: { $0.at <= instant }) { return (end.reason, [], end.evidence) }
      let coming = coverages[next...].first { !$0.period.isEmpty }
      return (
        coming == nil ? .none : .notStarted, coming.map { [$0] } ?? [], coming?.evidence ?? []
      )
    }
    let over = reason(at: instant, after: last, stop)
    return (over.reason, last, over.evidence)
  }

  /// What other offers than those shown once gave, or will give, and why they do not now.
  private func absent(
    at instant: Timestamp, besides shown: [Coverage]
  ) -> [MembershipTimeline.Absent] {
    if offers.count == 1, !shown.isEmpty { return [] }
    return offers.indices.compactMap { number in
      let offer = offers[number]
      if shown.contains(where: { $0.offer == offer }) { return nil }
      let former = last[number].map { coverages[$0] }
      if let first = former.first {
        let over = reason(at: instant, after: former, nil)
        return absent(first, at: instant, over.reason, over.evidence)
      }
      let coming = coverages[next...].first { $0.offer == offer && !$0.period.isEmpty }
      return coming.map { absent($0, at: instant, .notStarted, $0.evidence) }
    }
  }

  /// What would be had, if it had not been taken from the membership by itself.
  private func taken(from coverage: Coverage, at instant: Timestamp) -> [MembershipTimeline.Absent]
  {
    resolver.taken(from: coverage, at: instant).map { key, event in
      var source = resolver.source(coverage, at: instant, isLive: false, isKept: false)
      source.entitlements = [key]
      return MembershipTimeline.Absent(
        source: source, reason: .revoked,
        evidence: Set(coverage.evidence + source.catalog + [event]).sorted())
    }
  }

  private func absent(
    _ coverage: Coverage, at instant: Timestamp, _ reason: DenialReason, _ evidence: [EventID]
  ) -> MembershipTimeline.Absent {
    let source = resolver.source(coverage, at: instant, isLive: false, isKept: false)
    return MembershipTimeline.Absent(
      source: source, reason: reason,
      evidence: Set(evidence + source.catalog).sorted())
  }

  /// Why coverages that ended are not had any more.
  private func reason(
    at instant: Timestamp, after last: [Coverage], _ stop: Interruption?
  ) -> (reason: DenialReason, evidence: [EventID]) {
    let end = ends.last { $0.at <= instant }
    let evidence = last.flatMap(\.evidence)
    let isOver = end.map { end in last.allSatisfy { $0.period.start < end.at } } ?? false
    if !isOver, let stop, stop.reason == .paused {
      return (.paused, evidence + stop.evidence)
    }
    let cut = last.compactMap(\.cut).max { $0.reason.severity < $1.reason.severity }
    if let cut, cut.reason != .none { return (cut.reason, evidence) }
    if isOver, let end { return (end.reason, evidence + end.evidence) }
    return (cut?.reason ?? .expired, evidence)
  }
}

extension [MembershipTimeline.Segment] {
  /// Adds a segment, which goes on with the last one if nothing that anyone asks for differs.
  mutating func add(_ segment: MembershipTimeline.Segment) {
    if let index = indices.last, self[index].isLike(segment) {
      self[index].period.end = segment.period.end
    } else {
      append(segment)
    }
  }
}

extension MembershipTimeline.Segment {
  fileprivate func isLike(_ other: MembershipTimeline.Segment) -> Bool {
    access == other.access && status == other.status && sources == other.sources
      && absent == other.absent && evidence == other.evidence
  }
}
