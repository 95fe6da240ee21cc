import LedgerStorage
import MembershipLedger
import MembershipModel

/// A ledger with the first purchases of a population.
struct BuiltLedger {
  let path: String
  let population: Population

  static let instant: @Sendable () -> Timestamp = { Population.now }

  init(_ options: Options, _ scratch: Scratch) throws {
    population = Population(seed: options.seed, count: options.customers)
    path = scratch.fresh("ledger")
    let ledger = try Ledger.create(path, LedgerConfiguration(clock: Self.instant))
    try ledger.append(population.catalogEvent)
    var requests: [AppendRequest] = []
    for index in 0..<population.count {
      requests += population.purchases(index).map { AppendRequest($0) }
      if requests.count >= 997 || index == population.count - 1 {
        for outcome in ledger.append(contentsOf: requests) { _ = try outcome.get() }
        requests = []
      }
    }
  }

  func open() throws -> Ledger {
    try Ledger.open(path, LedgerConfiguration(clock: Self.instant))
  }
}

extension Ledger {
  /// The ledger's log as storage shows it, shared with the ledger.
  func storage() throws -> StorageEnvironment {
    try StorageEnvironment.open(
      path + "/log", EnvironmentOptions(application: "membership-ledger", formatVersion: 1))
  }
}
