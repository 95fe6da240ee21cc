import LedgerStorage
import MembershipLedger
import MembershipModel

/// What an append of paid invoices writes: read from the ledger, to be put again by hand in C.
///
/// The keys are those of the ledger's format. Whether they are all is checked at the end, when the
/// file that C has written must hold the same tables.
struct LedgerRows {
  static let tables = [
    "log", "ids", "entities.0", "access.0", "changes.0", "head", "feed.0", "customerFeeds.0",
    "deadlines.0",
  ]

  private let environment: StorageEnvironment
  private let tables: [Table]

  init(_ ledger: Ledger) throws {
    let environment = try ledger.storage()
    self.environment = environment
    tables = try Self.tables.map { name in
      guard let table = try environment.table(named: name) else {
        throw WrongResult("the ledger has no table \(name)")
      }
      return table
    }
  }

  /// Appends the events by `body`; the rows that this added or changed, by table and key.
  func recording(_ events: [Event], after last: Position, _ body: () throws -> Void) throws
    -> RowList
  {
    let positions = (1...UInt64(events.count)).map { Self.number(last.rawValue + $0) }
    var keys: [Set<[UInt8]>] = [
      Set(positions), Set(events.map { Array($0.id.rawValue.utf8) }), [], [], [],
      [Array("head".utf8)], [], [], [],
    ]
    for (event, position) in zip(events, positions) {
      add(event, position, to: &keys)
    }
    let feedLength = try self.feedLength()
    keys[8].formUnion(try deadlines(of: keys[7]))
    let before = try values(keys)
    try body()
    for index in positions.indices {
      keys[4].formUnion(try changes(at: positions[index]))
    }
    for number in feedLength..<(try self.feedLength()) {
      keys[6].insert(Self.number(number + 1))
      // The number of a change stands behind the name that it is about.
      for name in keys[3] { keys[7].insert(name + [0] + Self.number(number + 1)) }
    }
    keys[8].formUnion(try deadlines(of: keys[7]))
    let after = try values(keys)
    var rows = RowList()
    for table in keys.indices {
      for key in keys[table].sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        if let value = after[table][key] {
          if before[table][key] == value { continue }
          rows.append(
            table: table, key: key, value: value, appended: table == 0 || table == 6)
        } else if before[table][key] != nil {
          rows.remove(table: table, key: key)
        }
      }
    }
    return rows
  }

  /// The rows of one table alone.
  func records(after last: Position, count: Int) throws -> RowList {
    var rows = RowList()
    let keys = (1...UInt64(count)).map { Self.number(last.rawValue + $0) }
    let found = try values([Set(keys)])
    for key in keys {
      guard let value = found[0][key] else { throw WrongResult("the log has a hole") }
      rows.append(table: 0, key: key, value: value, appended: true)
    }
    return rows
  }

  private func add(_ event: Event, _ position: [UInt8], to keys: inout [Set<[UInt8]>]) {
    var names: [String] = []
    if let customer = event.customer { names.append(customer.rawValue) }
    if let account = event.account { names.append(account.rawValue) }
    for name in names {
      keys[3].insert([1, 1] + name.utf8)
      keys[7].insert([1, 1] + name.utf8 + [0])
      keys[2].insert(Self.entity(.customer, name))
      keys[2].insert(Self.entity(.account, name))
    }
    for fact in event.facts {
      for reference in fact.references {
        keys[2].insert(Self.entity(.payment, reference.rawValue))
      }
      guard let membership = fact.membership else { continue }
      let key = Self.entity(.membership, membership.rawValue)
      keys[2].insert(key)
      keys[2].insert(key + [1] + position)
    }
  }

  private func values(_ keys: [Set<[UInt8]>]) throws -> [[[UInt8]: [UInt8]]] {
    try environment.read { (transaction) throws(StorageError) in
      var found: [[[UInt8]: [UInt8]]] = []
      for (table, keys) in zip(tables, keys) {
        var values: [[UInt8]: [UInt8]] = [:]
        for key in keys { values[key] = try transaction.value(for: key.span, in: table) }
        found.append(values)
      }
      return found
    }
  }

  /// The keys of the change index at a position.
  private func changes(at position: [UInt8]) throws -> Set<[UInt8]> {
    try environment.read { (transaction) throws(StorageError) in
      var keys: Set<[UInt8]> = []
      var entries = try transaction.entries(in: tables[4], prefix: position.span)
      while let entry = try entries.next() { keys.insert(entry.key.copied()) }
      return keys
    }
  }

  /// How many changes the feed has.
  private func feedLength() throws -> UInt64 {
    let last = try environment.read { (transaction) throws(StorageError) in
      try transaction.lastKey(in: tables[6])
    }
    return last?.reduce(0) { $0 << 8 | UInt64($1) } ?? 0
  }

  /// The keys of the next changes by time alone of the names with these states of their feeds.
  private func deadlines(of keys: Set<[UInt8]>) throws -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    for key in keys {
      let state = try environment.read { (transaction) throws(StorageError) in
        try transaction.value(for: key.span, in: tables[7])
      }
      // A row of a change has nothing, one of a state two numbers; the second is the instant.
      if let state, state.count == 16 { found.insert(state.suffix(8) + key.dropLast()) }
    }
    return found
  }

  private static func entity(_ kind: EntityKind, _ id: String) -> [UInt8] {
    [kind.rawValue, 1, 1] + id.utf8 + [0]
  }

  private static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
