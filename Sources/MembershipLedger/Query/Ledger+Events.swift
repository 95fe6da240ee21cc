internal import LedgerStorage

/// Which events to read.
public struct EventFilter: Hashable, Sendable {
  /// Only events that bear on this customer's access.
  public var customer: CustomerID?
  /// Only events that bear on this membership.
  public var membership: MembershipID?
  /// Only events of this provider.
  public var provider: Provider?
  /// The environment in which the customer or membership is looked for.
  public var environment: Environment

  /// Makes a filter; without arguments it lets all events pass.
  ///
  /// - Parameters:
  ///   - customer: Only events that bear on this customer's access.
  ///   - membership: Only events that bear on this membership.
  ///   - provider: Only events of this provider.
  ///   - environment: The environment in which the customer or membership is looked for.
  public init(
    customer: CustomerID? = nil, membership: MembershipID? = nil, provider: Provider? = nil,
    environment: Environment = .production
  ) {
    self.customer = customer
    self.membership = membership
    self.provider = provider
    self.environment = environment
  }
}

extension Ledger {
  /// Reads a page of events in the order of the log.
  ///
  /// Each page is read from a snapshot of its own, so that long readings keep no space from being
  /// used again.
  ///
  /// - Parameters:
  ///   - position: Where the page begins: after this position.
  ///   - limit: The most events to read.
  ///   - filter: Which events to read.
  /// - Returns: The events; fewer than `limit` where the log has no more.
  /// - Throws: `LedgerError` with `unknownReference` for a position that the log has not reached, or
  ///   where the ledger cannot be read.
  public func events(
    after position: Position = .start, limit: Int = 1000,
    matching filter: EventFilter = EventFilter()
  ) throws(LedgerError) -> [RecordedEvent] {
    try withStore { (store, head, snapshot) throws(LedgerError) in
      var found: [RecordedEvent] = []
      guard position <= head.last else {
        throw LedgerError(
          .unknownReference,
          "the log ends at position \(head.last); there is no position \(position) to go on after")
      }
      if filter.customer == nil, filter.membership == nil {
        var next = Position(position.rawValue + 1)
        while found.count < limit, next <= head.last {
          let event = try tables.event(at: next, in: snapshot)
          if filter.lets(event) { found.append(event) }
          next = Position(next.rawValue + 1)
        }
        return found
      }
      return try events(
        at: try positions(matching: filter, in: store, relatedIn: store).filter { $0 > position },
        limit: limit, matching: filter, snapshot)
    }
  }

  /// The first events at some positions that a filter lets pass.
  func events(
    at positions: [Position], limit: Int, matching filter: EventFilter, _ snapshot: Snapshot
  ) throws(LedgerError) -> [RecordedEvent] {
    var found: [RecordedEvent] = []
    for position in positions {
      if found.count >= limit { break }
      let event = try tables.event(at: position, in: snapshot)
      if filter.lets(event) { found.append(event) }
    }
    return found
  }

  /// The event with an id.
  ///
  /// - Parameter id: The event's id.
  /// - Returns: The event as recorded, or nil.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func event(_ id: EventID) throws(LedgerError) -> RecordedEvent? {
    try tables.withHead { (snapshot, _) throws(LedgerError) in
      let row = try translating { () throws(StorageError) in
        try snapshot.read { (transaction) throws(StorageError) in
          let key = Array(id.rawValue.utf8)
          return try transaction.row(key, in: tables.ids)
        }
      }
      guard let row else { return nil }
      return try tables.event(at: try IDRow(decoding: row, of: id).position, in: snapshot)
    }
  }

  /// The position of the last event; 0 for an empty log.
  ///
  /// - Returns: The position.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func lastPosition() throws(LedgerError) -> Position {
    try tables.withHead { (_, head) in head.last }
  }

  /// The provider's document of an event.
  ///
  /// - Parameter event: The event as recorded.
  /// - Returns: The document's bytes, or nil where none was kept or documents were removed.
  /// - Throws: `LedgerError` where the documents cannot be read.
  public func document(of event: RecordedEvent) throws(LedgerError) -> [UInt8]? {
    let digest = event.event.provenance.document
    if digest.isEmpty { return nil }
    return try documents?.document(digest)
  }

  /// The catalog's newest revision, or the one under which a first purchase at an instant is read.
  ///
  /// - Parameter instant: The instant; nil is for the newest revision, be it in force yet or not.
  /// - Returns: The revision with its start, or nil where there is none.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func catalog(at instant: Timestamp? = nil) throws(LedgerError) -> CatalogRevision? {
    try withStore { (store, _, _) throws(LedgerError) in
      let terms = try store.terms()
      return (instant.map(terms.catalog) ?? terms.latestCatalog)?.value
    }
  }

  /// The policy in force at an instant.
  ///
  /// - Parameter instant: The instant; nil is now.
  /// - Returns: The policy; the default one where none was set.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func policy(at instant: Timestamp? = nil) throws(LedgerError) -> Policy {
    try withStore { (store, _, _) throws(LedgerError) in
      let instant = instant ?? clock.now
      return try store.terms().policy(at: instant)
    }
  }

  /// The customer to whom a grant was given by hand.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - environment: Its environment.
  /// - Returns: The customer, or nil for an unknown grant.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func customer(
    ofGrant grant: GrantID, in environment: Environment = .production
  ) throws(LedgerError) -> CustomerID? {
    try withStore { (store, _, _) throws(LedgerError) in
      try store.grant(grant, environment)?.customer.value
    }
  }

  /// When a grant by hand was taken back.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - environment: Its environment.
  /// - Returns: The instant from which it gives nothing, or nil where it was not taken back.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func revocation(
    ofGrant grant: GrantID, in environment: Environment = .production
  ) throws(LedgerError) -> Timestamp? {
    try withStore { (store, _, _) throws(LedgerError) in
      try store.grant(grant, environment)?.revokedAt
    }
  }

  /// The customer to whom an account at a provider is linked.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - environment: Its environment.
  /// - Returns: The customer, or nil while the account stands for itself.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func customer(
    ofAccount account: AccountID, in environment: Environment = .production
  ) throws(LedgerError) -> CustomerID? {
    try withStore { (store, _, _) throws(LedgerError) in
      try store.account(account, environment)?.linkedCustomer
    }
  }

  /// The positions of the events about a customer or a membership, by the index of one store and
  /// what belongs together in another.
  func positions(
    matching filter: EventFilter, in store: OverlayStore, relatedIn knowledge: OverlayStore
  ) throws(LedgerError) -> [Position] {
    let fold = Fold(knowledge)
    var sets: [Set<Position>] = []
    if let customer = filter.customer {
      sets.append(try indexed(fold.related(to: customer, filter.environment), in: store))
    }
    if let membership = filter.membership {
      sets.append(
        try indexed(fold.related(toMembership: membership, filter.environment), in: store))
    }
    guard let first = sets.first else { return [] }
    return sets.dropFirst().reduce(first) { $0.intersection($1) }.sorted()
  }

  private func indexed(
    _ keys: Set<EntityKey>, in store: OverlayStore
  ) throws(LedgerError) -> Set<Position> {
    var positions: Set<Position> = []
    for key in keys { positions.formUnion(try store.indexed(key)) }
    return positions
  }
}

extension EventFilter {
  fileprivate func lets(_ event: RecordedEvent) -> Bool {
    provider.map { $0 == event.event.provider } ?? true
  }
}
