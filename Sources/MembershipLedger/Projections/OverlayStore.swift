internal import LedgerStorage

/// The stored projections with changes on top that are not written yet; without a base, projections
/// in memory alone, as a replay makes them.
struct OverlayStore: StateStore {
  typealias Failure = LedgerError

  let base: (snapshot: Snapshot, tables: ProjectionTables)?
  private let cache: TermsCache?
  private var states: [EntityKey: any EntityState] = [:]
  private var changed: Set<EntityKey> = []
  private var forgotten: Set<EntityKey> = []
  private let loaded = LoadedStates()
  private var rows: [ProjectionTable: [[UInt8]: [UInt8]]] = [:]
  /// Rows of the base that are not to be there any more.
  private var removed: [ProjectionTable: Set<[UInt8]>] = [:]
  /// The positions of the events whose index entries lie on top of the base, by the keys of the
  /// things that they are about; nil until they are asked for.
  private var overlaidPositions: [[UInt8]: [Position]]?
  /// The keys of the deadlines that were set, and of some that were taken out since.
  var deadlines = KeyQueue()

  init(base: (snapshot: Snapshot, tables: ProjectionTables)? = nil, terms cache: TermsCache? = nil)
  {
    self.base = base
    self.cache = cache
  }

  func state<State: EntityState>(
    _ key: EntityKey, as type: State.Type
  ) throws(LedgerError) -> State? {
    if let known = states[key] { return known as? State }
    if forgotten.contains(key) { return nil }
    if key == .terms, let cached = cache?.terms as? State { return cached }
    return try loaded(key) as? State
  }

  /// The stored state of a thing, read once.
  private func loaded(_ key: EntityKey) throws(LedgerError) -> (any EntityState)? {
    guard base != nil else { return nil }
    if let known = loaded.states[key] { return known }
    let state = try decoded(key)
    loaded.states[key] = .some(state)
    return state
  }

  private func decoded(_ key: EntityKey) throws(LedgerError) -> (any EntityState)? {
    guard let bytes = try stored(StoredKey.entity(key), in: .entities) else { return nil }
    do throws(WireError) {
      return try key.kind.decode(bytes)
    } catch {
      throw LedgerError(
        .damaged, "the stored state of \(key.id) cannot be read: \(error); run ledger rebuild")
    }
  }

  private func state(
    decoding bytes: [UInt8], _ kind: EntityKind
  ) throws(LedgerError) -> any EntityState {
    do throws(WireError) {
      return try kind.decode(bytes)
    } catch {
      throw LedgerError(.damaged, "a stored state cannot be read: \(error); run ledger rebuild")
    }
  }

  mutating func set<State: EntityState>(_ key: EntityKey, to state: State) {
    states[key] = state
    changed.insert(key)
    forgotten.remove(key)
  }

  mutating func remove(_ key: EntityKey) {
    states[key] = nil
    changed.remove(key)
    forgotten.insert(key)
  }

  func row(_ key: [UInt8], in table: ProjectionTable) throws(LedgerError) -> [UInt8]? {
    if let row = rows[table]?[key] { return row }
    if removed[table]?.contains(key) == true { return nil }
    return try stored(key, in: table)
  }

  mutating func setRow(_ key: [UInt8], in table: ProjectionTable, to value: [UInt8]) {
    rows[table, default: [:]][key] = value
    removed[table]?.remove(key)
    if table == .deadlines { deadlines.insert(key) }
    if table == .entities, overlaidPositions != nil { note(indexEntry: key) }
  }

  private mutating func note(indexEntry key: [UInt8]) {
    overlaidPositions?[key.dropLast(8), default: []].append(StoredKey.position(ofIndex: key))
  }

  mutating func removeRow(_ key: [UInt8], in table: ProjectionTable) {
    rows[table]?.removeValue(forKey: key)
    if base != nil { removed[table, default: []].insert(key) }
  }

  /// A row that was set on top of the base.
  func overlaidRow(_ key: [UInt8], in table: ProjectionTable) -> [UInt8]? { rows[table]?[key] }

  /// Whether a row was set or taken out on top of the base.
  func isOverlaid(_ key: [UInt8], in table: ProjectionTable) -> Bool {
    rows[table]?[key] != nil || removed[table]?.contains(key) == true
  }

  /// The keys of the rows that were set on top of the base.
  func overlaidKeys(in table: ProjectionTable) -> some Sequence<[UInt8]> {
    (rows[table] ?? [:]).keys
  }

  /// Every row of a table, in no order: the changed ones as they are on top.
  func forEachRow(
    in table: ProjectionTable, _ body: ([UInt8], [UInt8]) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    let overlaid = rows[table] ?? [:]
    for (key, value) in overlaid { try body(key, value) }
    guard let base else { return }
    try base.snapshot.read { (transaction) throws(LedgerError) in
      try forEachEntry(of: base.tables[table], in: transaction) {
        (key, value) throws(LedgerError) in
        if !isOverlaid(key, in: table) { try body(key, value) }
      }
    }
  }

  /// Every state of a kind in an environment, in no order, under its key in the table.
  func forEachState(
    of kind: EntityKind, in environment: Environment,
    _ body: ([UInt8], any EntityState) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    var overlaid: Set<[UInt8]> = []
    for (key, state) in states where key.kind == kind && key.environment == environment {
      let row = StoredKey.entity(key)
      overlaid.insert(row)
      try body(row, state)
    }
    for key in forgotten { overlaid.insert(StoredKey.entity(key)) }
    guard let base else { return }
    let prefix = StoredKey.prefix(kind, environment)
    try base.snapshot.read { (transaction) throws(LedgerError) in
      try forEachEntry(of: base.tables.entities, prefix: prefix, in: transaction) {
        (row, value) throws(LedgerError) in
        if !StoredKey.isEntity(row) || overlaid.contains(row) { return }
        try body(row, state(decoding: value, kind))
      }
    }
  }

  /// The position of the last event indexed under a thing; 0 for none.
  func lastIndexed(_ key: EntityKey) throws(LedgerError) -> Position {
    let prefix = StoredKey.indexPrefix(key)
    var last = Position.start
    for row in (rows[.entities] ?? [:]).keys where row.starts(with: prefix) {
      last = max(last, StoredKey.position(ofIndex: row))
    }
    guard let base else { return last }
    let stored = try translating { () throws(StorageError) in
      try base.snapshot.read { (transaction) throws(StorageError) -> [UInt8]? in
        var entries = try transaction.entries(
          in: base.tables.entities, prefix: prefix.span, order: .descending)
        return try entries.next()?.key.copied()
      }
    }
    return max(last, stored.map(StoredKey.position(ofIndex:)) ?? .start)
  }

  /// The positions of all events indexed under a thing, those on top of the base among them.
  mutating func allIndexed(_ key: EntityKey) throws(LedgerError) -> [Position] {
    try allIndexed(StoredKey.indexPrefix(key))
  }

  /// The positions of all events indexed under the thing with such a prefix, those on top of the
  /// base last.
  mutating func allIndexed(_ prefix: [UInt8]) throws(LedgerError) -> [Position] {
    if overlaidPositions == nil {
      overlaidPositions = [:]
      for row in (rows[.entities] ?? [:]).keys { note(indexEntry: row) }
    }
    return try indexed(prefix) + (overlaidPositions?[prefix] ?? []).sorted()
  }

  /// The positions of all stored events indexed under a thing, in order.
  func indexed(_ key: EntityKey) throws(LedgerError) -> [Position] {
    try indexed(StoredKey.indexPrefix(key))
  }

  private func indexed(_ prefix: [UInt8]) throws(LedgerError) -> [Position] {
    guard let base else { return [] }
    return try translating { () throws(StorageError) in
      try base.snapshot.read { (transaction) throws(StorageError) -> [Position] in
        var positions: [Position] = []
        var entries = try transaction.entries(in: base.tables.entities, prefix: prefix.span)
        while let entry = try entries.next() {
          positions.append(StoredKey.position(ofIndex: entry.key.copied()))
        }
        return positions
      }
    }
  }

  private func stored(_ key: [UInt8], in table: ProjectionTable) throws(LedgerError) -> [UInt8]? {
    guard let base else { return nil }
    return try translating { () throws(StorageError) in
      try base.snapshot.read { (transaction) throws(StorageError) in
        try transaction.row(key, in: base.tables[table])
      }
    }
  }

  /// The keys of the base's rows that were taken out, in their order.
  func removedRows(of table: ProjectionTable) -> [[UInt8]] {
    var keys = removed[table] ?? []
    if table == .entities, base != nil { keys.formUnion(forgotten.lazy.map(StoredKey.entity)) }
    return keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// All changed rows by table, states in their wire form, in the order of their keys.
  func changedRows(of table: ProjectionTable) -> [(key: [UInt8], value: [UInt8])] {
    var found = (rows[table] ?? [:]).map { (key: $0.key, value: $0.value) }
    if table == .entities {
      for key in changed {
        guard let state = states[key] else { continue }
        found.append((StoredKey.entity(key), EntityKind.encode(state)))
      }
    }
    return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }
}

/// The states that a store has read so far; nil for what is not there.
private final class LoadedStates {
  var states: [EntityKey: (any EntityState)?] = [:]
}

/// Runs `body` with each entry of a table from a key on, in the order of the keys, until it says
/// that it has enough.
func forEachEntry(
  of table: Table, from key: [UInt8], in transaction: borrowing ReadTransaction,
  _ body: ([UInt8], [UInt8]) throws(LedgerError) -> Bool
) throws(LedgerError) {
  var failure: LedgerError?
  try translating { () throws(StorageError) in
    var entries = try transaction.entries(in: table, from: key.span)
    var goesOn = true
    while goesOn, let entry = try entries.next() {
      do throws(LedgerError) {
        goesOn = try body(entry.key.copied(), entry.value.copied())
      } catch {
        failure = error
        goesOn = false
      }
    }
  }
  if let failure { throw failure }
}

/// Runs `body` with each entry of a table, in the order of the keys.
func forEachEntry(
  of table: Table, prefix: [UInt8] = [],
  in transaction: borrowing ReadTransaction,
  _ body: ([UInt8], [UInt8]) throws(LedgerError) -> Void
) throws(LedgerError) {
  var failure: LedgerError?
  try translating { () throws(StorageError) in
    var entries = try transaction.entries(in: table, prefix: prefix.span)
    while failure == nil, let entry = try entries.next() {
      do throws(LedgerError) {
        try body(entry.key.copied(), entry.value.copied())
      } catch {
        failure = error
      }
    }
  }
  if let failure { throw failure }
}
