internal import LedgerStorage
internal import Synchronization

/// An entitlement resolved once, for checks that cost no look-up of its key.
public struct Entitlement: Hashable, Sendable {
  /// The key.
  public let key: EntitlementKey
  /// Its number in the ledger that resolved it.
  let number: UInt32
}

extension Ledger {
  /// Resolves an entitlement for `isEntitled`; it stays good as long as the ledger exists.
  ///
  /// - Parameter key: The entitlement's key.
  /// - Returns: The entitlement.
  /// - Throws: `LedgerError` with `unknownEntitlement` where neither a revision of the catalog nor
  ///   a grant has it.
  public func entitlement(_ key: EntitlementKey) throws(LedgerError) -> Entitlement {
    let row = try withStore { (store, _, _) throws(LedgerError) in
      try store.row(Array(key.rawValue.utf8), in: .entitlements)
    }
    guard let number = row.flatMap(EntitlementNumber.decode) else {
      throw LedgerError(
        .unknownEntitlement,
        "no revision of the catalog has the entitlement \(key); apply one that does")
    }
    return Entitlement(key: key, number: number)
  }

  /// Whether a customer may use an entitlement now, as of the last commit of any process.
  ///
  /// An unknown customer is not entitled. Takes no lock and waits for nobody.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any of its names.
  ///   - entitlement: The entitlement.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: Whether access is given.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func isEntitled(
    _ customer: String, to entitlement: Entitlement, in environment: Environment = .production
  ) throws(LedgerError) -> Bool {
    let instant = clock.now
    let isGiven = try isEntitled(customer, to: entitlement, at: instant, in: environment)
    // What was read may be recorded at a later time than this process's clock shows.
    if clock.isLatest(instant) { return isGiven }
    return try isEntitled(customer, to: entitlement, at: clock.now, in: environment)
  }

  /// Whether a customer may use an entitlement at an instant, by all that is known now.
  ///
  /// - Parameters:
  ///   - customer: The customer, by any of its names.
  ///   - entitlement: The entitlement.
  ///   - instant: The instant.
  ///   - environment: Whether real or test purchases are asked about.
  /// - Returns: Whether access is given.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func isEntitled(
    _ customer: String, to entitlement: Entitlement, at instant: Timestamp,
    in environment: Environment = .production
  ) throws(LedgerError) -> Bool {
    let number = entitlement.number
    if let index {
      let known = try isGiven(number, to: customer, at: instant, in: environment, by: index)
      if let known { return known }
    }
    switch try look(up: customer, number, instant.milliseconds, environment) {
    case .answer(let given): return given
    case .alias(var name):
      // A name leads to the one that all of a customer's names lead to, and that one to no other;
      // it takes one more step for each merge that is recorded between two steps.
      for _ in 0..<Self.longestChain {
        switch try look(up: name, number, instant.milliseconds, environment) {
        case .answer(let given): return given
        case .alias(let other): name = other
        }
      }
      throw LedgerError(
        .damaged, "the names of \(customer) lead to each other; run ledger rebuild")
    }
  }

  /// What the index in memory says; nil where it cannot.
  @inline(__always)
  private func isGiven(
    _ number: UInt32, to customer: String, at instant: Timestamp, in environment: Environment,
    by index: AccessIndex
  ) throws(LedgerError) -> Bool? {
    let known = index.gives(
      number, to: customer.utf8Span.span, at: instant.milliseconds,
      in: StoredKey.byte(of: environment), asOf: self.environment.lastTransactionID)
    if let known { return known }
    return try isGivenAfterCatchingUp(number, to: customer, at: instant, in: environment, by: index)
  }

  @inline(never)
  private func isGivenAfterCatchingUp(
    _ number: UInt32, to customer: String, at instant: Timestamp, in environment: Environment,
    by index: AccessIndex
  ) throws(LedgerError) -> Bool? {
    guard let commit = try index.catchUp(tables, clock) else {
      if index.isWanted() { fill(index) }
      return nil
    }
    return index.gives(
      number, to: customer.utf8Span.span, at: instant.milliseconds,
      in: StoredKey.byte(of: environment), asOf: commit)
  }

  private static var longestChain: Int { 1000 }

  private enum LookUp {
    case answer(Bool)
    case alias(String)
  }

  private func look(
    up name: String, _ number: UInt32, _ instant: Int64, _ environment: Environment
  ) throws(LedgerError) -> LookUp {
    let length = name.utf8.count
    if length > CustomerID.maximumLength || length == 0 { return .answer(false) }
    if length > StoredKey.longestPart {
      return try lookUpSlowly(name, number, instant, environment)
    }
    let current = tables.generation.load(ordering: .acquiring)
    var found = LookUp.answer(false)
    do throws(StorageError) {
      let snapshot = try self.environment.lookup(
        StoredKey.byte(of: environment), StoredKey.plain, name,
        in: tables.projections(current).access
      ) { row in
        found = Self.answer(row, number, instant)
      }
      if tables.isRead(snapshot) { return found }
    } catch  where error.code == .tableMissing {
      // Not opened yet, or another process has rebuilt the projections: the head says where.
      return try lookUpSlowly(name, number, instant, environment)
    } catch {
      throw LedgerError(error)
    }
    // The first look-up since a commit: its head says at which time it was recorded.
    try tables.refreshGeneration()
    return found
  }

  private func lookUpSlowly(
    _ name: String, _ number: UInt32, _ instant: Int64, _ environment: Environment
  ) throws(LedgerError) -> LookUp {
    try tables.withProjections { (snapshot, _, projections) throws(LedgerError) in
      let key = StoredKey.access(CustomerID(unchecked: name), environment)
      let row = try translating { () throws(StorageError) in
        try snapshot.read { (transaction) throws(StorageError) in
          try transaction.row(key, in: projections.access)
        }
      }
      return Self.answer(row?.span, number, instant)
    }
  }

  @inline(__always)
  private static func answer(_ row: Span<UInt8>?, _ number: UInt32, _ instant: Int64) -> LookUp {
    guard let row else { return .answer(false) }
    if let other = AccessRow.alias(in: row) { return .alias(other) }
    return .answer(AccessRow.gives(number, at: instant, in: row))
  }
}
