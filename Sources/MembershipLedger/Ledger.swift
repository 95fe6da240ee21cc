internal import LedgerStorage
internal import Synchronization

/// A ledger: the log of all that happened to memberships, and what follows from it.
///
/// Any thread or task may use it, and any number of processes may have the same ledger open. Every
/// read sees one state of the log as a whole, is never blocked by appends and never blocks them.
/// When an append returns, the event and everything that follows from it are on disk.
public final class Ledger: Sendable {
  let environment: StorageEnvironment
  let documents: DocumentStore?
  let configuration: LedgerConfiguration
  let clock: LedgerClock
  let tables: LogTables
  private let termsCache = Lock<TermsCache?>(nil)
  let queue: AppendQueue
  /// Nil where checks read the stored rows only.
  let index: AccessIndex?
  /// The ledger's folder.
  public let path: String

  init(
    path: String, _ environment: StorageEnvironment, _ configuration: LedgerConfiguration
  ) throws(LedgerError) {
    self.path = path
    self.environment = environment
    self.configuration = configuration
    let clock = LedgerClock(configuration.clock)
    self.clock = clock
    let tables = try translating { () throws(StorageError) in
      try LogTables(environment, clock, makeID: configuration.makeID)
    }
    self.tables = tables
    let documents =
      configuration.keepsDocuments
      ? DocumentStore(
        path: LedgerFolder.documentsPath(path), options: configuration) : nil
    self.documents = documents
    index = try translating { () throws(StorageError) in
      configuration.indexesAccess ? try AccessIndex() : nil
    }
    let writer = Writer(environment, tables, documents, clock)
    queue = AppendQueue { writer.write($0) }
    let head = try tables.withHead { (_, head) in head }
    tables.generation.store(head.generation, ordering: .releasing)
    if head.projectionVersion != LogFormat.projectionVersion { try migrate() }
  }

  /// Opens the ledger at a path.
  ///
  /// A second opening in one process shares the first one's files. Where the projections were made
  /// by another version they are rebuilt first, which takes time in proportion to the log.
  ///
  /// - Parameters:
  ///   - path: The ledger's folder.
  ///   - configuration: How to open it.
  /// - Returns: The open ledger, which closes when the last reference to it goes.
  /// - Throws: `LedgerError` with `notFound`, `notALedger`, `newerFormat`, `unsupportedFileSystem`,
  ///   `damaged` or a failure of the system.
  public static func open(
    _ path: String, _ configuration: LedgerConfiguration = LedgerConfiguration()
  ) throws(LedgerError) -> Ledger {
    let environment = try LedgerFolder.openLog(path, options(configuration))
    return try Ledger(path: path, environment, configuration)
  }

  /// Makes an empty ledger at a path and opens it.
  ///
  /// - Parameters:
  ///   - path: The ledger's folder, which is new or empty.
  ///   - configuration: How to open it.
  /// - Returns: The open ledger.
  /// - Throws: `LedgerError` with `alreadyExists` where something lies there, or a failure of the
  ///   system.
  public static func create(
    _ path: String, _ configuration: LedgerConfiguration = LedgerConfiguration()
  ) throws(LedgerError) -> Ledger {
    try translating { () throws(StorageError) in try prepareFolder(path) }
    let environment: StorageEnvironment
    do {
      environment = try StorageEnvironment.create(
        LedgerFolder.logPath(path), options(configuration)
      ) { (transaction) throws(StorageError) in
        try LogTables.create(in: &transaction)
      }
    } catch {
      throw LedgerError(error)
    }
    return try Ledger(path: path, environment, configuration)
  }

  /// Opens the ledger at a path, or makes an empty one where there is nothing.
  ///
  /// - Parameters:
  ///   - path: The ledger's folder.
  ///   - configuration: How to open it.
  /// - Returns: The open ledger.
  /// - Throws: As `open` and `create` do.
  public static func openOrCreate(
    _ path: String, _ configuration: LedgerConfiguration = LedgerConfiguration()
  ) throws(LedgerError) -> Ledger {
    do throws(LedgerError) {
      return try open(path, configuration)
    } catch  where error.code == .notFound {
      do throws(LedgerError) {
        return try create(path, configuration)
      } catch  where error.code == .alreadyExists {
        // Another process may have been faster.
        let taken = error
        do throws(LedgerError) {
          return try open(path, configuration)
        } catch  where error.code == .notFound {
          throw taken
        }
      }
    }
  }

  /// Makes the ledger's folder, or takes an empty one.
  ///
  /// What a creation left behind that was killed, or another one is about to finish, is not in the
  /// way: the log appears whole or not at all.
  private static func prepareFolder(_ path: String) throws(StorageError) {
    let status = try FileSystem.status(of: path)
    if status == nil {
      try FileSystem.makeFolder(path)
      try FileSystem.synchronizeFolder(FileSystem.parent(of: path))
      return
    }
    let names = status?.isFolder == true ? try FileSystem.names(in: path) : [""]
    guard names.allSatisfy({ $0.hasPrefix("log.creating-") }) else {
      throw StorageError(.alreadyExists, path, "there is something already: choose a new folder")
    }
  }

  /// Runs `body` with the stored projections of one state, and where its log ends.
  func withStore<Result: ~Copyable>(
    _ body: (OverlayStore, LogHead, Snapshot) throws(LedgerError) -> Result
  ) throws(LedgerError) -> Result {
    try tables.withProjections { (snapshot, head, projections) throws(LedgerError) in
      let cached = termsCache.withLock { $0 }
      if let cached, cached.version == head.termsVersion {
        return try body(OverlayStore(base: (snapshot, projections), terms: cached), head, snapshot)
      }
      let store = OverlayStore(base: (snapshot, projections))
      let fresh = TermsCache(version: head.termsVersion, terms: try store.terms())
      termsCache.withLock { $0 = fresh }
      return try body(OverlayStore(base: (snapshot, projections), terms: fresh), head, snapshot)
    }
  }

  static func options(_ configuration: LedgerConfiguration) -> EnvironmentOptions {
    var options = EnvironmentOptions(
      application: LogFormat.application, formatVersion: LogFormat.version)
    options.isReadOnly = configuration.isReadOnly
    options.busyTimeout = configuration.busyTimeout
    return options
  }
}
