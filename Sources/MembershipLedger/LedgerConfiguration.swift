/// How a ledger is opened.
public struct LedgerConfiguration: Sendable {
  /// Whether appends are refused; reading verbs open a ledger so.
  public var isReadOnly: Bool
  /// Whether the providers' documents are kept beside the log.
  public var keepsDocuments: Bool
  /// The ledger's clock: the recorded time of events and the default instant of checks.
  public var clock: @Sendable () -> Timestamp
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
  ///   - busyTimeout: How long an append waits while another process writes.
  public init(
    isReadOnly: Bool = false, keepsDocuments: Bool = true,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    busyTimeout: Duration = .seconds(30)
  ) {
    self.isReadOnly = isReadOnly
    self.keepsDocuments = keepsDocuments
    self.clock = clock
    self.busyTimeout = busyTimeout
  }
}
