/// What a membership gives, from instant to instant: the one computation behind now, then and next.
package struct MembershipTimeline {
  package let id: MembershipID
  /// Stretches without gaps from the beginning of time to its end, no two neighbours alike.
  let segments: [Segment]
  let coverages: [Coverage]
  let ends: [Cut]
  let interruptions: [Interruption]

  struct Segment: Hashable {
    var period: Period
    let access: Access
    let status: MembershipStatus
    /// What gives access, or, where access is denied, what gave it last or gives it next.
    let sources: [Source]
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
    let entitlements: [EntitlementKey]
    let isAssumed: Bool
    let catalog: EventID?
  }

  package init(_ id: MembershipID, _ state: MembershipState, _ terms: TermsState) {
    let sweep = TimelineSweep(id, state, terms)
    self.id = id
    coverages = sweep.coverages
    ends = sweep.ends
    interruptions = sweep.interruptions
    segments = sweep.segments()
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
