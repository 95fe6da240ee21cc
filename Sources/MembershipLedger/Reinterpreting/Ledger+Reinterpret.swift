internal import LedgerStorage

extension Ledger {
  /// Reads the documents of a stretch of the log again, and corrects what was recorded of them.
  ///
  /// Of each event whose document is kept, what the document states today is compared with what
  /// counts: the event, or its last correction. Where they differ,
  /// a correction is appended: an event that names the event whose place it takes (`corrected`). The
  /// record itself stays, and so does what was known before. A second run appends nothing, and one
  /// that was broken off is run again. All corrections of a stretch are durable on return.
  ///
  /// - Parameters:
  ///   - position: Where the stretch begins: after this position.
  ///   - limit: The most events to look at.
  ///   - provider: Whose documents are read again; nil is all.
  ///   - isDryRun: Whether to report alone; then a ledger open for reading will do.
  ///   - reading: Reads a document by today's rules; what it throws is reported, and changes nothing.
  ///     It is called twice for each event, told when the object was seen and not told.
  /// - Returns: What reads otherwise, and where to go on.
  /// - Throws: `LedgerError` with `unknownReference` for a position that the log has not reached, or
  ///   where the ledger cannot be read or written.
  public func reinterpret(
    after position: Position = .start, limit: Int = 1000, provider: Provider? = nil,
    isDryRun: Bool = false, reading: (KeptDocument) throws -> [Event]
  ) throws(LedgerError) -> Reinterpretation {
    try withoutActuallyEscaping(reading) { (reading) throws(LedgerError) in
      var rereading = Rereading(self, provider, after: position, reading)
      try rereading.take(limit: limit)
      let requests = rereading.requests.map(\.request)
      rereading.settle(
        try isDryRun ? rehearse(requests) : append(contentsOf: requests), isDryRun: isDryRun)
      return rereading.result
    }
  }

  /// The corrections of an event, in the order of the log.
  func corrections(of event: Event) throws(LedgerError) -> [RecordedEvent] {
    try withStore { (store, _, snapshot) throws(LedgerError) in
      try store.indexed(.corrections(of: event.id, event.environment)).map {
        (position) throws(LedgerError) in try tables.event(at: position, in: snapshot)
      }
    }
  }
}
