/// How a ledger is opened.
public struct LedgerConfiguration: Sendable {
  /// Whether appends are refused; reading verbs open a ledger so.
  public var isReadOnly: Bool
  /// Whether the providers' documents are kept beside the log.
  public var keepsDocuments: Bool
  /// The ledger's clock: the recorded time of events and the default instant of checks.
  public var clock: @Sendable () -> Timestamp
  /// Where the ids of the events that state decisions, such as a transfer or a settlement, come
  /// from, by the instants at which they are made.
  ///
  /// An id that an event with other content has already is refused.
  public var makeID: @Sendable (Timestamp) -> EventID
  /// Whether a process that checks often holds in memory who has what.
  ///
  /// It takes 48 bytes for each customer name and makes `isEntitled` several times as fast; answers
  /// are the same. It is made beside the checks from the thousandth on.
  public var indexesAccess: Bool
  /// How long an append waits while another process writes, before it fails with `busy`.
  ///
  /// Threads of one process wait for each other without end, each for the writes before its own.
  public var busyTimeout: Duration

  /// Makes a configuration; without arguments, one for a service.
  ///
  /// - Parameters:
  ///   - isReadOnly: Whether appends are refused.
  ///   - keepsDocuments: Whether the providers' documents are kept beside the log.
  ///   - clock: The ledger's clock.
  ///   - makeID: Where the ids of events that state decisions come from; by itself a UUID of
  ///     version 7 with the prefix `manual:`.
  ///   - indexesAccess: Whether a process that checks often holds in memory who has what.
  ///   - busyTimeout: How long an append waits while another process writes.
  public init(
    isReadOnly: Bool = false, keepsDocuments: Bool = true,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    makeID: @escaping @Sendable (Timestamp) -> EventID = { EventID.decision(at: $0) },
    indexesAccess: Bool = true, busyTimeout: Duration = .seconds(30)
  ) {
    self.isReadOnly = isReadOnly
    self.keepsDocuments = keepsDocuments
    self.clock = clock
    self.makeID = makeID
    self.indexesAccess = indexesAccess
    self.busyTimeout = busyTimeout
  }
}

extension EventID {
  /// A new id for an event that states a decision: a UUID of version 7 with our prefix.
  public static func decision(at instant: Timestamp) -> EventID {
    EventID(unchecked: "manual:\(EventID.make(at: instant))")
  }
}
