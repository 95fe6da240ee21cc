internal import LedgerStorage

extension Ledger {
  /// Decides whether a customer may use an entitlement at an instant, and says why and for how
  /// long.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any of its names.
  ///   - entitlement: The entitlement's key.
  ///   - instant: The instant; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  ///   - explained: Whether to fold the customer's events anew and name those that the answer rests
  ///     on; costs time in proportion to the customer's history.
  /// - Returns: The decision; a denial is an answer, not an error.
  /// - Throws: `LedgerError` where the ledger cannot be read, or, explained, where the events and
  ///   the projections disagree.
  public func decision(
    for customer: CustomerID, on entitlement: EntitlementKey, at instant: Timestamp? = nil,
    in environment: Environment = .production, explained: Bool = false
  ) throws(LedgerError) -> Decision {
    try withStore { (store, head, snapshot) throws(LedgerError) in
      let instant = instant ?? clock.now
      let stored = try CustomerQuery(customer, environment, in: store, position: head.last)
        .decision(on: entitlement, at: instant)
      if !explained { return stored.withoutEvidence }
      let refolded = try refold(about: customer, environment, until: head.last, store, snapshot)
      let decision = try CustomerQuery(customer, environment, in: refolded, position: head.last)
        .decision(on: entitlement, at: instant)
      guard decision == stored else {
        throw LedgerError(
          .damaged,
          "the stored state of \(customer) is not what its events say; run ledger rebuild")
      }
      return decision
    }
  }

  /// The memberships that a customer holds at an instant.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any of its names.
  ///   - instant: The instant; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The memberships, sorted by id; empty for an unknown customer.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func memberships(
    of customer: CustomerID, at instant: Timestamp? = nil,
    in environment: Environment = .production
  ) throws(LedgerError) -> [Membership] {
    try withStore { (store, head, _) throws(LedgerError) in
      let instant = instant ?? clock.now
      return try CustomerQuery(customer, environment, in: store, position: head.last)
        .access.memberships(at: instant)
    }
  }

  /// All memberships of the ledger at an instant.
  ///
  /// - Parameters:
  ///   - instant: The instant; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The memberships, sorted by customer and id, and after them those of which nothing
  ///   says whose they are; takes time and memory in proportion to the ledger.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func memberships(
    at instant: Timestamp? = nil, in environment: Environment = .production
  ) throws(LedgerError) -> [Membership] {
    try withStore { (store, head, snapshot) throws(LedgerError) in
      try memberships(
        environment, at: instant ?? clock.now, in: store, head.last, snapshot)
    }
  }

  /// What gives a customer access at an instant, and to what.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any of its names.
  ///   - instant: The instant; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: One entry for each entitlement and source; empty for an unknown customer.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func entitlements(
    of customer: CustomerID, at instant: Timestamp? = nil,
    in environment: Environment = .production
  ) throws(LedgerError) -> [EntitlementHolding] {
    try withStore { (store, head, _) throws(LedgerError) in
      let instant = instant ?? clock.now
      return try CustomerQuery(customer, environment, in: store, position: head.last)
        .access.holdings(at: instant)
    }
  }

  /// What access followed from what happened to a customer, and what is planned.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any of its names.
  ///   - instant: The instant from which plans are counted; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The timeline; empty for an unknown customer.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func timeline(
    of customer: CustomerID, at instant: Timestamp? = nil,
    in environment: Environment = .production
  ) throws(LedgerError) -> Timeline {
    try withStore { (store, head, _) throws(LedgerError) in
      let instant = instant ?? clock.now
      return try CustomerQuery(customer, environment, in: store, position: head.last)
        .access.timeline(at: instant)
    }
  }

  /// What access followed from what happened to one membership, whoever held it.
  ///
  /// - Parameters:
  ///   - membership: The membership.
  ///   - instant: The instant from which plans are counted; nil is now.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: The timeline, or nil for an unknown membership.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func timeline(
    ofMembership membership: MembershipID, at instant: Timestamp? = nil,
    in environment: Environment = .production
  ) throws(LedgerError) -> Timeline? {
    try withStore { (store, _, _) throws(LedgerError) in
      let instant = instant ?? clock.now
      guard let state = try store.membership(membership, environment) else { return nil }
      return MembershipTimeline(membership, state, try store.terms())
        .timeline(of: state, at: instant)
    }
  }

  /// All customers, each by the name that all of its names lead to.
  ///
  /// - Parameter environment: Whose customers are looked at.
  /// - Returns: The customers, sorted; takes time and memory in proportion to their number.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func customers(
    in environment: Environment = .production
  ) throws(LedgerError) -> [CustomerID] {
    try withStore { (store, _, _) throws(LedgerError) in try customers(environment, in: store) }
  }

  /// The customers of an environment by the names that all of theirs lead to, sorted.
  func customers(
    _ environment: Environment, in store: OverlayStore
  ) throws(LedgerError) -> [CustomerID] {
    var names: Set<CustomerID> = []
    try store.forEachRow(in: .changes) { (_, value) throws(LedgerError) in
      let named = try CustomerName(stored: value)
      if named.environment == environment { names.insert(named.name) }
    }
    let fold = Fold(store)
    var canonical: Set<CustomerID> = []
    for name in names { canonical.insert(try fold.canonicalName(of: name, environment)) }
    return canonical.sorted()
  }
}
