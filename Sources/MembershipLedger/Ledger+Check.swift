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
  /// - Throws: `LedgerError` with `unknownEntitlement` where neither a revision of the catalog nor a
  ///   grant has it.
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
    try isEntitled(customer, to: entitlement, at: configuration.clock(), in: environment)
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
    var name = customer
    while true {
      switch try look(up: name, entitlement.number, instant.milliseconds, environment) {
      case .answer(let given): return given
      case .alias(let other): name = other
      }
    }
  }

  private enum LookUp {
    case answer(Bool)
    case alias(String)
  }

  private func look(
    up name: String, _ number: UInt32, _ instant: Int64, _ environment: Environment
  ) throws(LedgerError) -> LookUp {
    if name.utf8.count > CustomerID.maximumLength || name.isEmpty { return .answer(false) }
    let current = generation.load(ordering: .acquiring)
    do throws(StorageError) {
      return try lookUp(name, number, instant, environment, generation: current)
    } catch  where error.code == .tableMissing {
      // Another process has rebuilt the projections: what holds them now, the head says.
      try refreshGeneration()
      return try translating { () throws(StorageError) in
        try lookUp(
          name, number, instant, environment, generation: generation.load(ordering: .acquiring))
      }
    } catch {
      throw LedgerError(error)
    }
  }

  private func lookUp(
    _ name: String, _ number: UInt32, _ instant: Int64, _ environment: Environment,
    generation: Int
  ) throws(StorageError) -> LookUp {
    let table = try tables.projections(generation).access
    var key = KeyEncoder()
    StoredKey.append(access: name, environment, to: &key)
    return try self.environment.lookup(key.bytes, in: table) { row in
      guard let row else { return .answer(false) }
      if let other = AccessRow.alias(in: row) { return .alias(other) }
      return .answer(AccessRow.gives(number, at: instant, in: row))
    }
  }

  /// Reads anew which generation of the projections is current.
  func refreshGeneration() throws(LedgerError) {
    let head = try withSnapshot { (snapshot) throws(LedgerError) in
      try tables.head(in: snapshot)
    }
    generation.store(head.generation, ordering: .releasing)
  }
}
