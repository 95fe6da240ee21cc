/// What a membership gives, from instant to instant: the one computation behind now, then and next.
package struct MembershipTimeline {
  package let id: MembershipID
  /// Stretches without gaps from the beginning of time to its end, no two neighbours alike.
  let segments: [Segment]
  let coverages: [Coverage]
  let ends: [Cut]
  let interruptions: [Interruption]
  let resolver: SourceResolver

  struct Segment: Hashable {
    var period: Period
    let access: Access
    let status: MembershipStatus
    /// What gives access, or, where access is denied, what gave it last or gives it next.
    let sources: [Source]
    /// What was had before, or is to be had, under other offers, and why it is not had now.
    let absent: [Absent]
    let evidence: [EventID]
  }

  /// Something not had in a stretch, and why.
  struct Absent: Hashable {
    let source: Source
    let reason: DenialReason
    let evidence: [EventID]
  }

  /// Whether access is given.
  enum Access: Hashable {
    case granted
    case grace
    case denied(DenialReason)

    var isGiven: Bool {
      if case .denied = self { false } else { true }
    }
  }

  /// A coverage seen through the catalog.
  struct Source: Hashable {
    let transaction: TransactionID
    let offer: Offer
    let quantity: Int64
    let product: ProductID?
    let plan: PlanID?
    /// What it gives to whom the timeline is of.
    var entitlements: [EntitlementKey]
    let kind: TransactionKind
    let ownership: Ownership
    let isAssumed: Bool
    /// Whether it is had at the time, be it at rest; else it was had last or comes next.
    let isLive: Bool
    /// The store's line of the subscription.
    let item: String
    /// Whether it is sold by the seat.
    let isPerSeat: Bool
    /// Whether it is only kept for a while, although its time is over.
    let isKept: Bool
    /// The events that say under which catalog it is seen.
    let catalog: [EventID]
  }

  /// The timeline of a membership by itself, whoever has what it gives.
  package init(_ id: MembershipID, _ state: MembershipState, _ terms: TermsState) {
    self.init(id, state, terms, for: .everyone, restingBy: [])
  }

  /// The timeline of a share in a membership that what is held against its holder rests as well.
  init(
    _ id: MembershipID, _ state: MembershipState, _ terms: TermsState, for share: MembershipShare,
    restingBy holderInterruptions: [Interruption]
  ) {
    let sweep = TimelineSweep(id, state, terms, restingBy: holderInterruptions)
    self.id = id
    coverages = sweep.coverages
    ends = sweep.ends
    interruptions = sweep.interruptions
    resolver = sweep.resolver
    segments = share.segments(of: sweep.segments())
  }

  func segment(at instant: Timestamp) -> Segment {
    guard let segment = segments.last(where: { $0.period.start <= instant }) else {
      preconditionFailure("a timeline begins at the beginning of time")
    }
    return segment
  }
}

extension MembershipID {
  /// The provider whose prefix the id bears; `manual` where it bears none.
  package var provider: Provider {
    let prefix = rawValue.utf8.prefix { $0 != UInt8(ascii: ":") }
    return Provider.known.first { $0.rawValue.utf8.elementsEqual(prefix) } ?? .manual
  }
}
