/// What a fact shares with the whole event: the stamp, and the time where it names none.
struct FactContext {
  let environment: Environment
  let provider: Provider
  let account: AccountID?
  let customer: CustomerID?
  let effectiveAt: Timestamp
  let position: Position
  private(set) var stamp: Stamp

  init(_ record: RecordedEvent) {
    let event = record.event
    environment = event.environment
    provider = event.provider
    account = event.account
    customer = event.customer
    effectiveAt = event.effectiveAt
    position = record.position
    stamp = Stamp(
      time: event.ordering.writtenAt ?? event.effectiveAt,
      decision: event.provider == .manual ? record.position.rawValue : 0,
      event: event.id, state: event.ordering.state, previousState: event.ordering.previousState)
  }

  /// The same for one fact, which its source may have written at another time than the document.
  func of(_ fact: Fact) -> FactContext {
    guard let writtenAt = fact.writtenAt else { return self }
    var copy = self
    copy.stamp.time = writtenAt
    return copy
  }

  /// Whether it was decided by hand, so that its position orders it.
  var isDecision: Bool { provider == .manual }

  /// The instant that a fact names, or the event's effective time.
  func instant(_ named: Timestamp?) -> Timestamp { named ?? effectiveAt }

  /// The instants at which a fact is known to hold that began at the one it names: that one, and
  /// the event's effective time, whatever was said in between.
  func instants(since named: Timestamp?) -> [Timestamp] {
    guard let named, named != effectiveAt else { return [effectiveAt] }
    return named < effectiveAt ? [named, effectiveAt] : [named]
  }
}

/// Which fact wins where a source wrote two at one time: ended over a scheduled end over renewing
/// over starting, taken back over given, and the stricter of two states.
enum Precedence {
  static let starting: Int64 = 0
  static let renewing: Int64 = 1
  static let scheduledEnd: Int64 = 2
  static let ended: Int64 = 3

  static func of(_ standing: Standing) -> Int64 {
    switch standing {
    case .incomplete: starting
    case .trialing, .active: renewing
    case .pastDue, .unpaid, .paused, .unrecognized: scheduledEnd
    case .ended: ended
    }
  }

  static func of(_ state: InvoiceState) -> Int64 {
    switch state {
    case .unrecognized: -1
    case .draft: 0
    case .open: 1
    case .void: 2
    case .uncollectible: 3
    case .paid: 4
    }
  }

  static func of(_ kind: DisputeKind) -> Int64 {
    switch kind {
    case .inquiry: 0
    case .dispute, .unrecognized: 1
    }
  }

  static func of(_ outcome: CheckoutOutcome) -> Int64 {
    switch outcome {
    case .unrecognized: -1
    case .pending: 0
    case .cancelled: 1
    case .declined: 2
    case .paid: 3
    }
  }
}
