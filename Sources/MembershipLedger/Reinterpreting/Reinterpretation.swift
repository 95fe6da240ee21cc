/// What came of reading a stretch of the log's documents again.
public struct Reinterpretation: Sendable {
  /// What reads otherwise today than it is recorded, in the order of the log.
  public internal(set) var findings: [Finding] = []
  /// How many events read as they are recorded.
  public internal(set) var unchanged = 0
  /// How many events had a document that is not kept any more.
  public internal(set) var missing = 0
  /// How many events are not read again: those made by hand, and those of which the ledger never had
  /// a document.
  public internal(set) var leftOut = 0
  /// The position up to which the log was read: where the next stretch begins, if there is one.
  public internal(set) var last: Position

  init(after position: Position) {
    last = position
  }

  /// An event that reads otherwise today.
  public struct Finding: Sendable {
    /// The event's id.
    public let event: EventID
    /// Where the event stands in the log; nil for one that is new.
    public let position: Position?
    /// What is different.
    public let verdict: Verdict
    /// What counts of it so far; nil for one that is new.
    public let before: Event?
    /// What its document states today; nil where it states nothing, or is not understood.
    public let after: Event?
    /// What came of recording it: the correction's receipt or the new event's, or why it was refused.
    ///
    /// Nil where there is nothing to record, and in a dry run, unless it would be refused.
    public internal(set) var outcome: Result<Receipt, LedgerError>?
  }

  /// In which way an event reads otherwise.
  @nonexhaustive public enum Verdict: Hashable, Sendable {
    /// It states something else.
    case differs
    /// Its document does not state it any more.
    case withdrawn
    /// Its document states it, and the log does not have it.
    case new
    /// Its document cannot be read as it was, for this reason; nothing is recorded.
    case unreadable(String)
  }
}

/// A provider's document as the ledger keeps it, to be read again.
public struct KeptDocument: Sendable {
  /// The bytes as they came.
  public let body: [UInt8]
  /// The event for which it is read, as it was recorded.
  public let record: RecordedEvent
  /// When the object in it counts as seen, where it does not say that itself: as recorded, or nil to
  /// ask what it says without being told.
  public let observedAt: Timestamp?
}
