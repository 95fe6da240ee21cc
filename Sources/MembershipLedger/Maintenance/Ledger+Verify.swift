internal import LedgerStorage

extension Ledger {
  /// Reads every record, recomputes every hash, and checks indexes and projections.
  ///
  /// - Parameter progress: Called now and then with the events read and the events to read.
  /// - Returns: What was found; every fault is listed, none stops the verification of what can
  ///   still be read.
  /// - Throws: `LedgerError` where the ledger cannot be read at all.
  public func verify(
    progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(LedgerError) -> LedgerReport {
    try Self.verify(environment, tables, documents, progress) { () throws(LedgerError) in self }
  }

  /// Verifies the ledger at a path, be it so damaged that it cannot be opened for use.
  ///
  /// - Parameters:
  ///   - path: The ledger's folder.
  ///   - configuration: How to open it; nothing is written.
  ///   - progress: Called now and then with the events read and the events to read.
  /// - Returns: What was found; every fault is listed, none stops the verification of what can
  ///   still be read.
  /// - Throws: `LedgerError` where there is no ledger, or nothing of its log can be read.
  public static func verify(
    _ path: String, _ configuration: LedgerConfiguration = LedgerConfiguration(),
    progress: (UInt64, UInt64) -> Void = { _, _ in }
  ) throws(LedgerError) -> LedgerReport {
    var configuration = configuration
    configuration.isReadOnly = true
    var options = options(configuration)
    options.toleratesDamagedTables = true
    let environment = try LedgerFolder.openLog(path, options)
    let tables = try translating { () throws(StorageError) in
      try LogTables(
        environment, LedgerClock(configuration.clock), makeID: configuration.makeID)
    }
    let documents = DocumentStore(
      path: LedgerFolder.documentsPath(path), options: configuration)
    return try verify(environment, tables, documents, progress) { () throws(LedgerError) in
      try Ledger(path: path, environment, configuration)
    }
  }

  private static func verify(
    _ environment: StorageEnvironment, _ tables: LogTables, _ documents: DocumentStore?,
    _ progress: (UInt64, UInt64) -> Void, _ opened: () throws(LedgerError) -> Ledger
  ) throws(LedgerError) -> LedgerReport {
    var verification = Verification(environment, tables, documents)
    return try verification.run(progress) { () throws(LedgerError) in try opened().replay() }
  }
}
