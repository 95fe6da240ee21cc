internal import LedgerStorage

extension KnownLedger {
  /// What access followed from what was known to have happened to a customer, and what was planned.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any name that was the customer's.
  ///   - instant: The instant from which plans are counted; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The timeline; empty for a customer that was not known.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func timeline(
    of customer: CustomerID, at instant: Timestamp? = nil,
    in environment: Environment = .production
  ) throws(LedgerError) -> Timeline {
    try query(customer, environment).access.timeline(at: instant ?? ledger.clock.now)
  }

  /// What access followed from what was known to have happened to one membership.
  ///
  /// - Parameters:
  ///   - membership: The membership.
  ///   - instant: The instant from which plans are counted; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The timeline, or nil for a membership that was not known.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func timeline(
    ofMembership membership: MembershipID, at instant: Timestamp? = nil,
    in environment: Environment = .production
  ) throws(LedgerError) -> Timeline? {
    let instant = instant ?? ledger.clock.now
    let store = try ledger.withStore { (store, _, snapshot) throws(LedgerError) in
      try refold(membership, environment, store, snapshot)
    }
    guard let state = try store.membership(membership, environment) else { return nil }
    return MembershipTimeline(membership, state, try store.terms()).timeline(of: state, at: instant)
  }

  /// Who held a membership, by what was known; see `Ledger.lineage`.
  ///
  /// - Parameters:
  ///   - membership: The membership.
  ///   - environment: Whether real or test purchases are meant.
  /// - Returns: Its holders in the order of time, or nil for a membership that was not known.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func lineage(
    of membership: MembershipID, in environment: Environment = .production
  ) throws(LedgerError) -> Lineage? {
    let store = try ledger.withStore { (store, _, snapshot) throws(LedgerError) in
      try ledger.refold(
        try Fold(store).related(toHoldersOf: membership, environment), until: position, store,
        snapshot)
    }
    return try Fold(store).lineage(of: membership, environment)
  }

  /// All customers that were known, each by the name that all of its names led to.
  ///
  /// - Parameter environment: Whose customers are looked at.
  /// - Returns: The customers, sorted; takes time in proportion to the log.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func customers(
    in environment: Environment = .production
  ) throws(LedgerError) -> [CustomerID] {
    try ledger.withStore { (_, _, snapshot) throws(LedgerError) in
      try ledger.customers(
        environment, in: try ledger.project(until: position, snapshot).store)
    }
  }

  /// Reads a page of the events that were known, in the order of the log; see `Ledger.events`.
  ///
  /// - Parameters:
  ///   - start: Where the page begins: after this position.
  ///   - limit: The most events to read.
  ///   - filter: Which events to read.
  /// - Returns: The events; fewer than `limit` where no more were known.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func events(
    after start: Position = .start, limit: Int = 1000,
    matching filter: EventFilter = EventFilter()
  ) throws(LedgerError) -> [RecordedEvent] {
    if filter.customer == nil, filter.membership == nil {
      let page = try ledger.events(after: start, limit: limit, matching: filter)
      return Array(page.prefix { $0.position <= position })
    }
    return try ledger.withStore { (store, _, snapshot) throws(LedgerError) in
      // What belonged to whom is judged by what was known, too.
      let knowledge = try knowledge(for: filter, store, snapshot)
      let positions = try ledger.positions(matching: filter, in: store, relatedIn: knowledge)
      return try ledger.events(
        at: positions.filter { $0 > start && $0 <= position }, limit: limit, matching: filter,
        snapshot)
    }
  }

  private func knowledge(
    for filter: EventFilter, _ store: OverlayStore, _ snapshot: Snapshot
  ) throws(LedgerError) -> OverlayStore {
    switch (filter.customer, filter.membership) {
    case (let customer?, nil):
      try ledger.refold(about: customer, filter.environment, until: position, store, snapshot)
    case (nil, let membership?):
      try refold(membership, filter.environment, store, snapshot)
    default:
      try ledger.project(until: position, snapshot).store
    }
  }

  /// The states that the timeline of a membership followed from.
  private func refold(
    _ membership: MembershipID, _ environment: Environment, _ store: OverlayStore,
    _ snapshot: Snapshot
  ) throws(LedgerError) -> OverlayStore {
    var keys = try Fold(store).foundation(ofMembership: membership, environment).union([.terms])
    // Another account may have been the owner at the time.
    for place in try store.indexed(.membership(membership, environment)) where place <= position {
      let account = try ledger.tables.event(at: place, in: snapshot).event.account
      if let account { keys.insert(.account(account, environment)) }
    }
    return try ledger.refold(keys, until: position, store, snapshot)
  }
}
