extension CoverageBuilder {
  /// Ends in effect: stated ones, what the store took back as a whole, and planned ones that came
  /// about because nothing had withdrawn them by then.
  static func ends(of state: MembershipState) -> [Cut] {
    var ends: [Cut] = []
    for registers in [state.ends, state.inherited.ends] {
      for winner in registers.values.compactMap(\.winner) {
        ends.append(
          Cut(
            at: winner.value.at, reason: winner.value.reason.denial,
            evidence: [winner.stamp.event],
            isForNonPayment: winner.value.reason == .paymentFailed))
      }
    }
    for entry in state.revocations.entries {
      guard let winner = entry.value.winner else { continue }
      ends.append(Cut(at: entry.key, reason: .revoked, evidence: [winner.stamp.event]))
    }
    for (period, entry) in state.intents.flatMap(\.stretches) {
      guard let planned = entry.value.endsAt, planned < period.end else { continue }
      ends.append(Cut(at: planned, reason: .cancelled, evidence: [entry.stamp.event]))
    }
    return ends.sorted { ($0.at, $0.reason.severity) < ($1.at, $1.reason.severity) }
  }
}

extension [Cut] {
  /// The first end since the membership last began, if it is in effect by an instant: what follows
  /// an end ends nothing any more, and only a later period brings the membership back.
  func inEffect(at instant: Timestamp, _ coverages: [Coverage]) -> Cut? {
    let begun = coverages.filter { $0.period.start <= instant && !$0.period.isEmpty }
    let latest = begun.map(\.period.start).max() ?? .distantPast
    return first { $0.at > latest && $0.at <= instant }
  }
}

extension EndReason {
  /// What the end means for whoever asks afterwards.
  var denial: DenialReason {
    switch self {
    case .cancelled, .accountDeleted, .replaced: .cancelled
    case .expired, .paymentFailed, .neverStarted: .expired
    case .refunded: .refunded
    case .unrecognized: .cancelled
    }
  }
}
