/// Folds records into projections: the one code behind appending, rebuilding and replaying.
struct Projector {
  var fold: Fold<OverlayStore>
  /// The names that the record folded last may have changed something for.
  private(set) var touched: Set<CustomerID> = []
  /// How many changes the feed has; nil until one is written.
  var feedLength: UInt64?
  /// The entitlements by number; nil until one is written into the feed.
  var entitlements: [UInt32: EntitlementKey]?
  /// Where corrections find what was recorded before.
  var source: RecordSource?

  init(_ store: OverlayStore) {
    fold = Fold(store)
  }

  var store: OverlayStore { fold.store }

  /// Folds one record; says whether the terms changed.
  mutating func project(_ record: RecordedEvent) throws(LedgerError) -> Bool {
    for case .settled(let settlement) in record.event.facts.lazy.map(\.body) {
      try settle(settlement, by: record)
    }
    let effect =
      if let correction = record.event.correction {
        try correct(by: record, correction)
      } else {
        try fold.apply(record)
      }
    source?.note(record)
    touched = effect.names
    for subject in effect.subjects {
      fold.store.setRow(StoredKey.index(subject, record.position), in: .entities, to: [])
    }
    try number(record.event)
    var changes = Changes(position: record.position)
    if effect.changesTerms {
      for (name, environment) in try allNames() {
        try refresh(name, environment, &changes)
      }
    }
    for name in effect.names.sorted() {
      try refresh(name, record.event.environment, &changes)
    }
    try announce(changes.rewritten, by: record)
    return effect.changesTerms
  }

  /// What one record changes: its entries of the change index, numbered, and the rows that they are
  /// about.
  private struct Changes {
    let position: Position
    var count = 0
    var seen: Set<[UInt8]> = []
    let pools = SeatPools()
    var rewritten: [[UInt8]: FormerRow] = [:]
  }

  /// Computes anew what the hot path reads of a name and of the name that it leads to.
  private mutating func refresh(
    _ name: CustomerID, _ environment: Environment, _ changes: inout Changes
  ) throws(LedgerError) {
    let canonical = try fold.canonicalName(of: name, environment)
    if let former = try formerName(of: name, environment), former != canonical {
      // The one that the name led to until now has lost what is the name's.
      try refresh(former, environment, &changes)
    }
    if canonical != name {
      try write(AccessRow.encode(aliasOf: canonical), name, environment, &changes)
    }
    let key = StoredKey.access(canonical, environment)
    if !changes.seen.insert(key).inserted { return }
    let dossier = try fold.dossier(of: canonical, environment, sharing: changes.pools)
    let access = AccessStretches(dossier, try fold.store.terms())
    var entries: [AccessRow.Entry] = []
    for entitlement in access.entitlements {
      guard let number = try number(of: entitlement) else { continue }
      for period in access[entitlement] {
        entries.append(AccessRow.Entry(entitlement: number, period: period))
      }
    }
    try write(AccessRow.encode(entries), canonical, environment, &changes)
  }

  /// The name that a name led to before this record.
  private func formerName(
    of name: CustomerID, _ environment: Environment
  ) throws(LedgerError) -> CustomerID? {
    let row = try fold.store.row(StoredKey.access(name, environment), in: .access)
    return row.flatMap { AccessRow.alias(in: $0.span) }.map { CustomerID(unchecked: $0) }
  }

  private mutating func write(
    _ row: [UInt8], _ name: CustomerID, _ environment: Environment, _ changes: inout Changes
  ) throws(LedgerError) {
    let key = StoredKey.access(name, environment)
    let former = try fold.store.row(key, in: .access)
    if former == row { return }
    fold.store.setRow(key, in: .access, to: row)
    let named = CustomerName(name: name, environment: environment)
    if changes.rewritten[key] == nil {
      changes.rewritten[key] = FormerRow(named: named, row: former)
    }
    fold.store.setRow(
      StoredKey.change(changes.position, changes.count), in: .changes, to: named.encoded())
    changes.count += 1
  }

  /// Every name that anything is known of; the access table has a row for each.
  private func allNames() throws(LedgerError) -> [(CustomerID, Environment)] {
    var found: [(CustomerID, Environment)] = []
    try fold.store.forEachRow(in: .changes) { (_, value) throws(LedgerError) in
      let named = try CustomerName(stored: value)
      found.append((named.name, named.environment))
    }
    var seen: Set<CustomerName> = []
    return found.filter { seen.insert(CustomerName(name: $0.0, environment: $0.1)).inserted }
      .sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }
  }
}

extension Projector {
  /// Gives each entitlement that an event names a number, if it has none.
  private mutating func number(_ event: Event) throws(LedgerError) {
    for fact in event.facts {
      switch fact.body {
      case .catalogRevised(let revision):
        for entitlement in revision.catalog.entitlements { try assign(entitlement.key) }
      case .granted(let grant):
        try assign(grant.entitlement)
      default:
        break
      }
    }
  }

  private mutating func assign(_ key: EntitlementKey) throws(LedgerError) {
    if try number(of: key) != nil { return }
    var next: UInt32 = 1
    try fold.store.forEachRow(in: .entitlements) { (_, _) throws(LedgerError) in next += 1 }
    fold.store.setRow(
      Array(key.rawValue.utf8), in: .entitlements, to: EntitlementNumber.encode(next))
    entitlements = nil
  }

  private func number(of key: EntitlementKey) throws(LedgerError) -> UInt32? {
    try fold.store.row(Array(key.rawValue.utf8), in: .entitlements).flatMap(
      EntitlementNumber.decode)
  }
}

/// The stored form of an entitlement's number.
enum EntitlementNumber {
  static func encode(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  static func decode(_ bytes: [UInt8]) -> UInt32? {
    bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
  }
}

/// A name in an environment, as the change index holds it: the environment's number in one byte,
/// then the name in UTF-8.
struct CustomerName: Hashable {
  let name: CustomerID
  let environment: Environment

  init(name: CustomerID, environment: Environment) {
    self.name = name
    self.environment = environment
  }

  init(stored bytes: [UInt8]) throws(LedgerError) {
    guard let first = bytes.first,
      let text = String(validating: bytes.dropFirst(), as: UTF8.self),
      Identifier<IdentifierKind.Customer>.fault(in: text) == nil
    else { throw LedgerError(.damaged, "the change index cannot be read; run ledger rebuild") }
    name = CustomerID(unchecked: text)
    environment = Environment(number: Int64(first))
  }

  func encoded() -> [UInt8] {
    [UInt8(clamping: environment.number)] + name.rawValue.utf8
  }
}
