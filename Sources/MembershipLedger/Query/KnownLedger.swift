internal import LedgerStorage

/// A point up to which something was known.
@nonexhaustive public enum KnowledgePoint: Hashable, Sendable {
  /// After the event at a position.
  case position(Position)
  /// After all events that were recorded at or before an instant.
  case time(Timestamp)
}

/// The ledger as it was known at a position: the same answer for the same question, for ever.
public struct KnownLedger: Sendable {
  let ledger: Ledger
  /// The position up to which it is read.
  public let position: Position

  /// Decides as the ledger would have at the position; see `Ledger.decision`.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any name that was the customer's.
  ///   - entitlement: The entitlement's key.
  ///   - instant: The instant; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  ///   - explained: Whether to name the events that the answer rests on.
  /// - Returns: The decision.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func decision(
    for customer: CustomerID, on entitlement: EntitlementKey, at instant: Timestamp? = nil,
    in environment: Environment = .production, explained: Bool = false
  ) throws(LedgerError) -> Decision {
    let decision = try query(customer, environment).decision(
      on: entitlement, at: instant ?? ledger.clock.now)
    return explained ? decision : decision.withoutEvidence
  }

  /// The memberships that a customer held at an instant, by what was known.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any name that was the customer's.
  ///   - instant: The instant; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The memberships, sorted by id.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func memberships(
    of customer: CustomerID, at instant: Timestamp? = nil,
    in environment: Environment = .production
  ) throws(LedgerError) -> [Membership] {
    try query(customer, environment).access.memberships(
      at: instant ?? ledger.clock.now)
  }

  /// What gave a customer access at an instant, by what was known.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any name that was the customer's.
  ///   - instant: The instant; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: One entry for each entitlement and source.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func entitlements(
    of customer: CustomerID, at instant: Timestamp? = nil,
    in environment: Environment = .production
  ) throws(LedgerError) -> [EntitlementHolding] {
    try query(customer, environment).access.holdings(at: instant ?? ledger.clock.now)
  }

  /// All memberships at an instant, by what was known; see `Ledger.memberships(at:in:)`.
  ///
  /// - Parameters:
  ///   - instant: The instant; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The memberships, sorted by customer and id, and after them those of which nothing
  ///   says whose they are.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func memberships(
    at instant: Timestamp? = nil, in environment: Environment = .production
  ) throws(LedgerError) -> [Membership] {
    try ledger.withStore { (_, _, snapshot) throws(LedgerError) in
      let instant = instant ?? ledger.clock.now
      let store = try ledger.project(until: position, snapshot).store
      return try ledger.memberships(environment, at: instant, in: store, position, snapshot)
    }
  }

  func query(
    _ customer: CustomerID, _ environment: Environment
  ) throws(LedgerError) -> CustomerQuery {
    try ledger.withStore { (store, _, snapshot) throws(LedgerError) in
      let refolded = try ledger.refold(
        about: customer, environment, until: position, store, snapshot)
      return try CustomerQuery(
        customer, environment, in: refolded, position: position, knownAt: position)
    }
  }
}

extension Ledger {
  /// The ledger as it was known at a point.
  ///
  /// - Parameter point: A position, or an instant of the ledger's clock.
  /// - Returns: The view; what it answers never changes.
  /// - Throws: `LedgerError` with `unknownReference` for a position that the log has not reached.
  public func asKnown(at point: KnowledgePoint) throws(LedgerError) -> KnownLedger {
    try tables.withHead { (snapshot, head) throws(LedgerError) in
      switch point {
      case .position(let position):
        guard position <= head.last else {
          throw LedgerError(
            .unknownReference,
            "the log ends at position \(head.last); position \(position) is not known yet")
        }
        return KnownLedger(ledger: self, position: position)
      case .time(let instant):
        return KnownLedger(
          ledger: self, position: try lastPosition(recordedBy: instant, head.last, snapshot))
      }
    }
  }

  /// The last position that was recorded at or before an instant; recorded times never go back.
  private func lastPosition(
    recordedBy instant: Timestamp, _ last: Position, _ snapshot: Snapshot
  ) throws(LedgerError) -> Position {
    var (low, high) = (UInt64(0), last.rawValue)
    while low < high {
      let middle = (low + high + 1) / 2
      let event = try tables.event(at: Position(middle), in: snapshot)
      if event.recordedAt <= instant { low = middle } else { high = middle - 1 }
    }
    return Position(low)
  }

  /// Folds, from nothing, the events up to a position that bear on a customer's access.
  func refold(
    about customer: CustomerID, _ environment: Environment, until position: Position,
    _ store: OverlayStore, _ snapshot: Snapshot
  ) throws(LedgerError) -> OverlayStore {
    try refold(
      try Fold(store).related(to: customer, environment).union([.terms]), until: position, store,
      snapshot)
  }

  /// Folds, from nothing, the events up to a position that are about some things.
  func refold(
    _ keys: Set<EntityKey>, until position: Position, _ store: OverlayStore, _ snapshot: Snapshot
  ) throws(LedgerError) -> OverlayStore {
    var positions: Set<Position> = []
    for key in keys {
      positions.formUnion(try store.indexed(key).prefix { $0 <= position })
    }
    var records: [RecordedEvent] = []
    for position in positions.sorted() {
      records.append(try tables.event(at: position, in: snapshot))
    }
    var refold = Fold(OverlayStore())
    try refold.apply(all: records)
    return refold.store
  }
}
