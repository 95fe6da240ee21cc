internal import LedgerCrypto
internal import LedgerStorage

/// The providers' documents, compressed, under digests that are salted: without the salt, which
/// lies with them, a digest in the log tells nobody which document it was.
final class DocumentStore: Sendable {
  private static let application = "membership-ledger documents"
  private static let table = "documents"
  private static let largest = 64 << 20

  private let path: String
  private let options: EnvironmentOptions
  private let opened = Lock<Opened?>(nil)

  private struct Opened: Sendable {
    let environment: StorageEnvironment
    let documents: Table
    let salt: [UInt8]
  }

  init(path: String, options configuration: LedgerConfiguration) {
    self.path = path
    var options = EnvironmentOptions(application: Self.application, formatVersion: 1)
    options.isReadOnly = configuration.isReadOnly
    options.busyTimeout = configuration.busyTimeout
    self.options = options
  }

  /// Keeps documents, durably on return, and gives their digests.
  func keep(_ documents: [[UInt8]]) throws(LedgerError) -> [[UInt8]] {
    let store = try openedOrCreated()
    let digests = documents.map { Self.digest($0, store.salt) }
    do {
      try store.environment.write { (transaction) throws(StorageError) in
        for (digest, document) in zip(digests, documents) {
          if try transaction.reader.contains(digest.span, in: store.documents) { continue }
          let compressed = try Compression.compress(document)
          try transaction.putRow(digest, compressed, in: store.documents)
        }
      }
    } catch {
      throw LedgerError(error)
    }
    return digests
  }

  /// The document with a digest; nil where it, or the whole store, was removed.
  func document(_ digest: [UInt8]) throws(LedgerError) -> [UInt8]? {
    guard let store = try existing() else { return nil }
    do {
      let compressed = try store.environment.read { (transaction) throws(StorageError) in
        try transaction.row(digest, in: store.documents)
      }
      guard let compressed else { return nil }
      let document = try translating { () throws(StorageError) in
        try Compression.decompress(compressed, limit: Self.largest)
      }
      guard Self.digest(document, store.salt) == digest else {
        throw LedgerError(.damaged, "a document does not match its digest: the file is damaged")
      }
      return document
    } catch let error as LedgerError {
      throw error
    } catch let error as TransactionError<StorageError> {
      throw LedgerError(error)
    } catch {
      preconditionFailure("no other error is thrown: \(error)")
    }
  }

  /// Copies all documents to a new folder; does nothing where they were removed.
  func backup(to target: String) throws(LedgerError) {
    guard let store = try existing() else { return }
    try translating { () throws(StorageError) in try store.environment.backup(to: target) }
  }

  /// The documents kept, or nil where the store was removed.
  func count() throws(LedgerError) -> Int? {
    guard let store = try existing() else { return nil }
    do {
      return try store.environment.read { (transaction) throws(StorageError) in
        try transaction.count(of: store.documents) - 1  // The salt lies among them.
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// The faults in the structure of the file's pages.
  func structureFaults() throws(LedgerError) -> [StructureFault] {
    guard let store = try existing() else { return [] }
    return try translating { () throws(StorageError) in try store.environment.structureFaults() }
  }

  /// Whether an error tells of the documents themselves, and not of the system around them.
  static func isDamage(_ error: LedgerError) -> Bool {
    error.code == .damaged || error.code == .newerFormat
  }

  private static func digest(_ document: [UInt8], _ salt: [UInt8]) -> [UInt8] {
    HMACSHA256.authenticationCode(for: document, key: salt).bytes
  }

  private func existing() throws(LedgerError) -> Opened? {
    try opened.withLock { (opened) throws(LedgerError) in
      if let opened { return opened }
      do throws(StorageError) {
        opened = try isRemoved() ? nil : try open()
      } catch {
        let plain = LedgerError(error)
        // A ledger's documents are its own: whatever else lies there is damage.
        throw plain.code == .notALedger ? LedgerFolder.damage(path, error) : plain
      }
      return opened
    }
  }

  /// Whether the documents were removed, with the folder or out of it, or never were.
  private func isRemoved() throws(StorageError) -> Bool {
    guard let status = try FileSystem.status(of: path) else { return true }
    guard status.isFolder else { return false }
    return try FileSystem.names(in: path).isEmpty
  }

  private func openedOrCreated() throws(LedgerError) -> Opened {
    if let store = try existing() { return store }
    do {
      _ = try StorageEnvironment.create(path, options) {
        (transaction) throws(StorageError) in
        let table = try transaction.createTable(named: Self.table)
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try transaction.putRow(LogFormat.saltKey, salt, in: table)
      }
    } catch .storage(let error) where error.code == .alreadyExists {
      // Another process was faster: its salt is the one.
    } catch {
      throw LedgerError(error)
    }
    guard let store = try existing() else {
      throw LedgerError(.inputOutput, "\(path): the documents were removed just now; try again")
    }
    return store
  }

  private func open() throws(StorageError) -> Opened {
    let environment = try StorageEnvironment.open(path, options)
    guard let table = try environment.table(named: Self.table) else {
      throw StorageError(.damaged, path, "the table of documents is missing")
    }
    let salt: [UInt8]?
    do {
      salt = try environment.read { (transaction) throws(StorageError) in
        try transaction.row(LogFormat.saltKey, in: table)
      }
    } catch {
      throw error.storageError
    }
    guard let salt else {
      throw StorageError(.damaged, path, "the salt of the documents is missing")
    }
    return Opened(environment: environment, documents: table, salt: salt)
  }
}
