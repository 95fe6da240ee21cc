import CBaseline
import LedgerStorage
import MembershipLedger
import MembershipModel

/// `isEntitled` beside a bare `mdb_get` of the same keys in the same file.
///
/// C holds one read transaction for good, has the keys as bytes, and reads the row in place. The
/// ledger takes a `String`, builds the key, and answers as of the last commit.
struct CheckWorkload: Workload {
  static let name = "check"
  static let summary = "isEntitled beside a bare mdb_get in C"

  private let options: Options
  private let built: BuiltLedger

  init(_ options: Options, _ scratch: Scratch) throws {
    self.options = options
    built = try BuiltLedger(options, scratch)
  }

  func measure() throws -> [Section] {
    // Asked about the data's own instant, which is the present one to the ledgers.
    let stored = try Ledger.open(
      built.path, LedgerConfiguration(clock: { Population.now }, indexesAccess: false))
    let ledger = try Ledger.open(built.path, LedgerConfiguration(clock: { Population.now }))
    let premium = try ledger.entitlement(Population.entitlements[0])
    // Reads the clock as a service's ledger does.
    let clocked = try Ledger.open(
      built.path,
      LedgerConfiguration {
        _ = Timestamp.now()
        return Population.now
      })
    for indexed in [ledger, clocked] { indexed.fillIndex() }
    let bench = Bench(
      stored: stored, ledger: ledger, clocked: clocked, premium: premium,
      number: try number(of: premium, ledger),
      reader: try BaselineReader(ledger: built.path, table: "access.0"))
    var sections: [Section] = []
    for queries in try querySets() {
      try bench.check(queries)
      for isSerialised in [true, false] {
        sections.append(try bench.measure(queries, isSerialised, options.rounds))
      }
    }
    return sections
  }

  /// The number under which the access table holds an entitlement.
  private func number(of entitlement: Entitlement, _ ledger: Ledger) throws -> UInt32 {
    let storage = try ledger.storage()
    let key = Array(entitlement.key.rawValue.utf8)
    guard let table = try storage.table(named: "entitlements.0"),
      let bytes = try storage.read({ (transaction) throws(StorageError) in
        try transaction.value(for: key.span, in: table)
      })
    else { throw WrongResult("the ledger does not number \(entitlement.key)") }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func querySets() throws -> [Queries] {
    let population = built.population
    let count = options.isSmoke ? 2000 : 300_000
    let hot = min(1000, population.count)
    func indexes(below limit: Int) -> [Int] {
      (0..<count).map { Int(population.mixed($0, .query) % UInt64(limit)) }
    }
    return [
      Queries(
        "hot: \(hot) customers", indexes(below: hot), population.customer, population.customer),
      Queries(
        "all \(population.count) customers", indexes(below: population.count),
        population.customer, population.customer),
      Queries(
        "customers who do not exist", indexes(below: population.count),
        population.stranger, population.stranger),
      Queries(
        "all \(population.count) customers, named to the ledger by the store's account",
        indexes(below: population.count), population.account, population.customer),
    ]
  }
}

/// Names to ask about, in the order of asking; made afresh, so that they lie in that order too.
private struct Queries {
  let title: String
  let names: [String]
  let keys: KeyList

  init(
    _ title: String, _ indexes: [Int], _ name: (Int) -> String, _ keyName: (Int) -> String
  ) {
    self.title = title
    names = indexes.map(name)
    var keys = KeyList()
    for index in indexes { keys.append([1, 1] + keyName(index).utf8) }
    self.keys = keys
  }
}

private struct Bench {
  let stored: Ledger
  let ledger: Ledger
  let clocked: Ledger
  let premium: Entitlement
  let number: UInt32
  let reader: BaselineReader

  /// Compares answers with the slow way, which folds them from the states.
  func check(_ queries: Queries) throws {
    for name in queries.names.prefix(200) {
      let fast = try ledger.isEntitled(name, to: premium, at: Population.now)
      let slow = try ledger.decision(
        for: CustomerID(unchecked: name), on: premium.key, at: Population.now)
      guard fast == slow.isEntitled else {
        throw WrongResult("\(name): isEntitled says \(fast), decision says \(slow.isEntitled)")
      }
    }
  }

  func measure(_ queries: Queries, _ isSerialised: Bool, _ rounds: Int) throws -> Section {
    let count = queries.names.count
    let instant = Population.now.milliseconds
    func baseline(renewed: Bool) -> Int {
      reader.countEntitled(
        queries.keys, to: number, at: instant, renewed: renewed, serialised: isSerialised)
    }
    let expected = baseline(renewed: false)
    let contenders = [
      Contender(name: "C: mdb_get, one transaction for all") { baseline(renewed: false) },
      Contender(name: "C: mdb_get, renewed for each") { baseline(renewed: true) },
      Contender(name: "isEntitled(String, at:), stored row") {
        try countEntitled(queries.names, stored, isSerialised)
      },
      Contender(name: "isEntitled(String, at:), index") {
        try countEntitled(queries.names, ledger, isSerialised)
      },
      Contender(name: "isEntitled(String), index, clock read") {
        try countByClock(queries.names, isSerialised)
      },
    ]
    let rows = try interleave(contenders, rounds: rounds, items: count, expecting: expected)
    let share = Double(expected) / Double(count)
    return Section(
      title: "check, \(queries.title), \(isSerialised ? "one by one" : "plain loop")",
      conditions:
        "\(grouped(Double(count))) checks a round, \(decimal(share * 100, 0)) % entitled, "
        + "\(Clock.processor.rawValue), file in memory, no writer",
      item: "check", rows: rows)
  }

  private func countEntitled(
    _ names: [String], _ ledger: Ledger, _ isSerialised: Bool
  ) throws -> Int {
    isSerialised ? try countSerialised(names, ledger) : try countInLoop(names, ledger)
  }

  // Loops of their own, so that nothing but the call is in them.

  private func countInLoop(_ names: [String], _ ledger: Ledger) throws -> Int {
    var entitled = 0
    for name in names where try ledger.isEntitled(name, to: premium, at: Population.now) {
      entitled += 1
    }
    return entitled
  }

  private func countSerialised(_ names: [String], _ ledger: Ledger) throws -> Int {
    var entitled = 0
    for name in names {
      if try ledger.isEntitled(name, to: premium, at: Population.now) { entitled += 1 }
      baseline_serialise()
    }
    return entitled
  }

  private func countByClock(_ names: [String], _ isSerialised: Bool) throws -> Int {
    var entitled = 0
    for name in names {
      if try clocked.isEntitled(name, to: premium) { entitled += 1 }
      if isSerialised { baseline_serialise() }
    }
    return entitled
  }
}
