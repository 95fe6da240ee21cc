internal import LedgerCrypto
internal import LedgerStorage

/// What a ledger holds and how it is used, at one instant.
public struct LedgerStatistics: Hashable, Sendable {
  /// How many events the log has.
  public let events: UInt64
  /// The Merkle root over all events, in hexadecimal.
  public let root: String
  /// When the last event was recorded; nil for an empty log.
  public let lastRecordedAt: Timestamp?
  /// How far the clock is behind the last event's recorded time; zero where it is not.
  public let clockLag: Duration
  /// The bytes of the log's file that are in use.
  public let usedBytes: Int
  /// How many documents are kept; nil where none ever were, all were removed, or they cannot be
  /// read.
  public let documents: Int?
  /// Why the documents cannot be read; nil where they can.
  public let documentsFault: String?
  /// Reads under way or waiting to be used again, in all processes.
  public let readers: Int
  /// The most readers that there can be.
  public let maximumReaders: Int
  /// How many commits the oldest reading lies behind; one that grows lets the file grow.
  public let oldestReaderLag: UInt64
  /// The version of the projections.
  public let projectionVersion: UInt32
  /// The rows of each table.
  public let tables: [TableSize]

  /// How many rows a table has.
  public struct TableSize: Hashable, Sendable {
    /// The table's name.
    public let name: String
    /// Its rows.
    public let rows: Int
    /// Its pages.
    public let pages: Int
  }
}

extension Ledger {
  /// What the ledger holds and how it is used now.
  ///
  /// - Returns: The numbers; takes no time to speak of.
  /// - Throws: `LedgerError` where the ledger cannot be read.
  public func statistics() throws(LedgerError) -> LedgerStatistics {
    // The head first: with it the tables are found that the storage counts.
    let head = try tables.withHead { (_, head) in head }
    let storage = try translating { () throws(StorageError) in try environment.statistics() }
    let (documents, fault) = try countedDocuments()
    return LedgerStatistics(
      events: head.last.rawValue, root: head.frontier.root.description,
      lastRecordedAt: head.last == .start ? nil : head.recordedAt,
      clockLag: clock.lag(behind: head.recordedAt), usedBytes: storage.usedBytes,
      documents: documents, documentsFault: fault,
      readers: storage.readerSlots, maximumReaders: storage.maximumReaders,
      oldestReaderLag: storage.oldestReaderLag, projectionVersion: head.projectionVersion,
      tables: storage.tables.map {
        .init(name: $0.name, rows: $0.entries, pages: $0.pages)
      })
  }

  /// How many documents there are, or how they are damaged.
  private func countedDocuments() throws(LedgerError) -> (count: Int?, fault: String?) {
    do throws(LedgerError) {
      return (try documents?.count(), nil)
    } catch  where DocumentStore.isDamage(error) {
      return (nil, error.message)
    }
  }
}
