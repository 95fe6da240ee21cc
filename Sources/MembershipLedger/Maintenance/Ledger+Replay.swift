internal import LedgerCrypto
internal import LedgerStorage

/// What a replay or a verification found.
public struct LedgerReport: Hashable, Sendable {
  /// Whether nothing differs and nothing is damaged.
  public var isSound: Bool { differences.isEmpty }
  /// How many events were read.
  public internal(set) var events: UInt64 = 0
  /// How many rows the projections have.
  public internal(set) var rows: Int = 0
  /// The Merkle root over the events read, in hexadecimal.
  public internal(set) var root = ""
  /// The SHA-256 over all rows of the projections, in hexadecimal: equal digests, equal state.
  public internal(set) var digest = ""
  /// What differs or is damaged, a line each; at most 100.
  public internal(set) var differences: [String] = []
  /// How many events name a document that is not kept any more; this takes nothing away.
  public internal(set) var missingDocuments: Int = 0
  /// The version of projections that another version of the program has made, which are not
  /// compared; nil where they are this one's.
  public internal(set) var foreignProjections: UInt32?

  mutating func note(_ difference: String) {
    if differences.count < 100 { differences.append(difference) }
  }
}

extension Ledger {
  /// Folds the log from nothing and, unless it stops early, compares with the stored projections.
  ///
  /// - Parameters:
  ///   - point: Where to stop; nil is the end of the log. What was folded up to an earlier point has
  ///     nothing stored to be compared with; its digest tells whether two ledgers agree.
  ///   - progress: Called now and then with the events read and the events to read.
  /// - Returns: What was found; takes memory in proportion to the projections.
  /// - Throws: `LedgerError` with `damaged` where pages of the file are, or where the ledger cannot
  ///   be read.
  public func replay(
    until point: KnowledgePoint? = nil, progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(LedgerError) -> LedgerReport {
    // LMDB reads damaged pages without a look and may crash on them.
    if let fault = try translating({ () throws(StorageError) in
      try environment.structureFaults().first
    }) {
      throw LedgerError(.damaged, "log: \(fault); run ledger verify for all that is damaged")
    }
    let stop: Position? =
      if let point { try asKnown(at: point).position } else { nil }
    var pass = LogPass()
    while true {
      let report = try tables.withProjections {
        (snapshot, head, projections) throws(LedgerError) -> LedgerReport? in
        let end = stop ?? head.last
        let page = Position(min(end.rawValue, pass.last.rawValue + LogPass.pageSize))
        try pass.advance(to: page, tables, snapshot) { progress($0, end.rawValue) }
        if page < end { return nil }
        var report = LedgerReport()
        report.events = end.rawValue
        report.root = pass.frontier.root.description
        try summarize(pass.projector.store, &report)
        if stop == nil {
          try compare(pass.projector.store, projections, snapshot, &report)
          if pass.frontier != head.frontier {
            report.note(
              "the root of the log is \(report.root), stored is \(head.frontier.root)")
          }
        }
        return report
      }
      if let report { return report }
    }
  }

  private func summarize(
    _ store: OverlayStore, _ report: inout LedgerReport
  ) throws(LedgerError) {
    var hash = SHA256()
    for table in ProjectionTable.allCases {
      for row in store.changedRows(of: table) {
        report.rows += 1
        for part in [Array(table.rawValue.utf8), row.key, row.value] {
          hash.update(StoredKey.position(Position(UInt64(part.count))))
          hash.update(part)
        }
      }
    }
    report.digest = hash.finalize().description
  }

  /// Compares folded rows with the stored ones, both ways.
  private func compare(
    _ store: OverlayStore, _ projections: ProjectionTables, _ snapshot: Snapshot,
    _ report: inout LedgerReport
  ) throws(LedgerError) {
    for table in ProjectionTable.allCases {
      var folded = store.changedRows(of: table)[...]
      try snapshot.read { (transaction) throws(LedgerError) in
        try forEachEntry(of: projections[table], in: transaction) { key, value in
          while let row = folded.first, row.key.lexicographicallyPrecedes(key) {
            report.note("\(table.rawValue): \(printable(row.key)) is not stored")
            folded = folded.dropFirst()
          }
          guard let row = folded.first, row.key == key else {
            report.note("\(table.rawValue): \(printable(key)) is stored, no event says so")
            return
          }
          if row.value != value {
            report.note("\(table.rawValue): \(printable(key)) is stored with other content")
          }
          folded = folded.dropFirst()
        }
      }
      for row in folded { report.note("\(table.rawValue): \(printable(row.key)) is not stored") }
    }
  }

  private func printable(_ key: [UInt8]) -> String {
    key.map { (0x20..<0x7f).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
  }
}
