/// What a transaction is worth to its holder at an instant.
package enum Worth: Hashable, Sendable {
  /// It gives access.
  case live
  /// It is paid for, and a pause or a hold rests it, or it begins later.
  case resting(DecisionReason)
  /// It was taken back.
  case takenBack(DecisionReason)
  /// It is over, or never gave anything.
  case over(DecisionReason)

  /// Whether there is something to restore.
  package var isHeld: Bool {
    switch self {
    case .live, .resting: true
    case .takenBack, .over: false
    }
  }

  /// Why it gives access, or why it does not.
  package var reason: DecisionReason {
    switch self {
    case .live: .granted
    case .resting(let reason), .takenBack(let reason), .over(let reason): reason
    }
  }
}

extension MembershipTimeline {
  /// What the membership as a whole is worth.
  package func worth(at instant: Timestamp) -> Worth {
    switch segment(at: instant).access {
    case .granted, .grace: .live
    case .denied(let reason): Worth(reason)
    }
  }

  /// What one transaction is worth: what is shown at the instant stands for the whole, what lies
  /// before or behind it for itself.
  package func worth(of transaction: TransactionID, at instant: Timestamp) -> Worth {
    let own = coverages.filter { $0.transaction == transaction }
    let isShown = segment(at: instant).sources.contains { $0.transaction == transaction }
    if isShown { return worth(at: instant) }
    if own.contains(where: { $0.period.start > instant && !$0.period.isEmpty }) {
      return .resting(.notStarted)
    }
    return Worth(own.compactMap(\.cut).last?.reason ?? .expired)
  }

  /// Whether anything is had by the transaction itself; another may stand for its period.
  package func counts(_ transaction: TransactionID) -> Bool {
    coverages.contains { $0.transaction == transaction }
  }

  /// The transaction that the membership shows at an instant: what gives access, or gave it last.
  package func shownTransaction(at instant: Timestamp) -> TransactionID? {
    segment(at: instant).sources.first?.transaction
  }
}

extension Worth {
  fileprivate init(_ reason: DenialReason) {
    self =
      switch reason {
      case .paused, .held, .notStarted: .resting(reason.decision)
      case .revoked, .refunded: .takenBack(reason.decision)
      case .none, .expired, .cancelled: .over(reason.decision)
      }
  }
}
