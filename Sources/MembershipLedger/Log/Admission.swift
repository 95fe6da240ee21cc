/// The rules at the door: what an event must be like to be recorded.
enum Admission {
  /// Why a record is too large to be kept; nil where it is not.
  static func sizeFault(of record: RecordedEvent, _ bytes: [UInt8]) -> LedgerError? {
    if bytes.count <= RecordedEvent.maximumSize { return nil }
    let revisesCatalog = record.event.facts.contains { fact in
      if case .catalogRevised = fact.body { true } else { false }
    }
    let remedy =
      revisesCatalog
      ? "a catalog is one record: leave out descriptions, titles and names, or products never sold"
      : "state less in one event"
    return LedgerError(
      .invalidEvent,
      "event \(record.event.id): its record has \(bytes.count) bytes, the most is "
        + "\(RecordedEvent.maximumSize); \(remedy)")
  }

  /// Throws an error that names the event, the rule it breaks and the remedy.
  static func check(
    _ event: Event, under policy: Policy, _ recordedAt: Timestamp
  ) throws(LedgerError) {
    func refuse(_ rule: String) -> LedgerError {
      LedgerError(.invalidEvent, "event \(event.id): \(rule); correct it and append it again")
    }
    do throws(WireError) {
      try event.validate()
    } catch {
      throw refuse("\(error)")
    }
    guard event.provider.isKnown else { throw refuse("\(event.provider.rawValue) is no provider") }
    guard event.environment.unrecognizedNumber == nil else {
      throw refuse("environment \(event.environment.name) is not known")
    }
    // The feed is one for all environments, accepted or not.
    let isSettlement = try checkSettlement(event, recordedAt, refuse)
    // Nor do catalog and policy belong to one: a policy can always be put right by another.
    guard
      isSettlement || event.revisesTerms || policy.environments.contains(event.environment)
    else {
      throw LedgerError(
        .invalidEvent,
        "event \(event.id): the policy does not accept \(event.environment.name) events; "
          + "apply a policy that does")
    }
    guard !event.facts.isEmpty else { throw refuse("an event states at least one fact") }
    for instant in [event.effectiveAt, event.ordering.writtenAt].compactMap({ $0 })
    where instant < .earliest || instant > .latest {
      throw refuse("a time lies in the years 1 to 9999")
    }
    for fact in event.facts { try check(fact, of: event, refuse) }
  }

  /// Checks an event that settles the feed; says whether it is one.
  private static func checkSettlement(
    _ event: Event, _ recordedAt: Timestamp, _ refuse: (String) -> LedgerError
  ) throws(LedgerError) -> Bool {
    for case .settled(let settlement) in event.facts.lazy.map(\.body) {
      guard event.provider == .manual, event.facts.count == 1 else {
        throw refuse("settled is a decision of the ledger's own and stands alone in its event")
      }
      guard settlement.upTo <= recordedAt else {
        throw refuse(
          "the clock is at \(recordedAt), what is to come by \(settlement.upTo) is not settled")
      }
      return true
    }
    return false
  }

  private static func check(
    _ fact: Fact, of event: Event, _ refuse: (String) -> LedgerError
  ) throws(LedgerError) {
    switch fact.body {
    case .accessRevoked(let revocation)
    where revocation.transaction != nil && !revocation.entitlements.isEmpty:
      throw refuse(
        "single entitlements are taken from a whole membership; name them or a transaction")
    case .granted where event.customer == nil:
      throw refuse("a grant names its customer")
    case .purchased, .renewed, .extended, .cancellationScheduled, .cancellationWithdrawn, .observed,
      .paused, .resumed, .planChangeScheduled, .planChangeWithdrawn, .planChanged, .invoiced,
      .paymentFailed, .accessRevoked, .seatAssigned, .seatClaimed, .seatReleased:
      if fact.membership == nil { throw refuse("\(fact.body.name) names its membership") }
    case .transferred(let transfer) where fact.membership == nil:
      guard event.provider != .manual, transfer.from != nil else {
        throw refuse("transferred names its membership, or, of a provider, whose all it moves")
      }
    case .catalogRevised(let revision):
      do {
        try revision.catalog.check()
      } catch {
        throw refuse("the catalog: \(error)")
      }
    case .customersMerged(let merge) where merge.from == merge.into:
      throw refuse("a customer is not merged into itself")
    default:
      break
    }
  }
}

extension Event {
  /// Whether it is a decision about the terms alone, which hold for all environments.
  fileprivate var revisesTerms: Bool {
    provider == .manual
      && facts.allSatisfy { fact in
        switch fact.body {
        case .catalogRevised, .policyRevised: true
        default: false
        }
      }
  }
}
