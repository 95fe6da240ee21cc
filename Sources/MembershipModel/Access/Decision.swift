/// The answer to a check, with its reason and how long it stays true.
public struct Decision: Hashable, Sendable {
  /// The customer asked about, by the name given.
  public let customer: CustomerID
  /// The entitlement asked about.
  public let entitlement: EntitlementKey
  /// Whether the customer may use it.
  public let isEntitled: Bool
  /// Why.
  public let reason: DecisionReason
  /// Whether access rests on a store's word alone: no payment for it was seen.
  public let isAssumed: Bool
  /// The unbroken stretch of access around the instant: its start; nil where there is no access or
  /// no start.
  public let from: Timestamp?
  /// The first instant after that stretch; nil where there is no access or no end.
  public let until: Timestamp?
  /// Since when neither the answer nor its reason has changed; nil is since ever.
  public let validFrom: Timestamp?
  /// Until when neither will change if nothing new is recorded; nil is for ever.
  public let validUntil: Timestamp?
  /// The memberships that the answer rests on.
  public let memberships: [MembershipID]
  /// The grants by hand that the answer rests on.
  public let grants: [GrantID]
  /// The events that the answer rests on; filled where an explanation was asked for.
  public internal(set) var evidence: [EventID]
  /// The position up to which the log was read.
  public package(set) var position: Position
  /// The instant asked about.
  public let at: Timestamp
  /// The position that the question was limited to; nil for all that is known.
  public package(set) var knownAt: Position?
  /// The environment asked about.
  public let environment: Environment

  /// The same answer without its evidence.
  package var withoutEvidence: Decision {
    var copy = self
    copy.evidence = []
    return copy
  }
}
