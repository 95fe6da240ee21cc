/// Finds what of a stretch of records reads otherwise today; writes nothing.
struct Rereading {
  let ledger: Ledger
  let provider: Provider?
  let read: (KeptDocument) throws -> [Event]
  private(set) var result: Reinterpretation
  /// What is to be appended, and for which finding.
  private(set) var requests: [(finding: Int, request: AppendRequest)] = []
  private var added: Set<EventID> = []

  init(
    _ ledger: Ledger, _ provider: Provider?, after position: Position,
    _ read: @escaping (KeptDocument) throws -> [Event]
  ) {
    self.ledger = ledger
    self.provider = provider
    self.read = read
    result = Reinterpretation(after: position)
  }

  /// Reads the documents of a page of records again.
  mutating func take(limit: Int) throws(LedgerError) {
    let page = try ledger.events(after: result.last, limit: limit)
    for record in page {
      try take(record)
      result.last = record.position
    }
  }

  private mutating func take(_ record: RecordedEvent) throws(LedgerError) {
    if record.event.correction != nil { return }
    if let provider, record.event.provider != provider { return }
    guard record.event.isOfDocument else {
      result.leftOut += 1
      return
    }
    guard let body = try ledger.document(of: record) else {
      result.missing += 1
      return
    }
    let corrections = try ledger.corrections(of: record.event)
    var counting = corrections.last?.event ?? record.event
    counting.facts = counting.facts.filter { if case .corrected = $0.body { false } else { true } }
    let told: [Event]
    do {
      told = try read(KeptDocument(body: body, record: record, observedAt: record.event.seenAt))
    } catch {
      note(record, counting, .unreadable("\(error)"))
      return
    }
    // Told nothing, a document may lack the time that was recorded: that is no fault of its own.
    let untold = try? read(KeptDocument(body: body, record: record, observedAt: nil))
    try judge(record, counting, number: corrections.count + 1, told, untold ?? [])
  }

  private mutating func judge(
    _ record: RecordedEvent, _ counting: Event, number: Int, _ told: [Event], _ untold: [Event]
  ) throws(LedgerError) {
    let new = try unrecorded(told, untold)
    if let reading = record.event.reading(told: told, untold: untold) {
      if let fault = reading.fault(asReadingOf: record.event) {
        note(record, counting, .unreadable(fault))
      } else if reading.says(sameAs: counting) {
        result.unchanged += 1
      } else {
        note(
          record, counting, .differs, reading, record.correction(number: number, stating: reading))
      }
    } else if !new.isEmpty {
      note(record, counting, .unreadable("its document states it under another id"))
      return
    } else if counting.facts.isEmpty {
      result.unchanged += 1
    } else {
      note(record, counting, .withdrawn, nil, record.correction(number: number, stating: nil))
    }
    for event in new where added.insert(event.id).inserted { add(event, record) }
  }

  /// The events of a document that the log does not have.
  ///
  /// One whose id depends on when the document was seen tells of none.
  private func unrecorded(_ told: [Event], _ untold: [Event]) throws(LedgerError) -> [Event] {
    let ids = Set(untold.map(\.id))
    var found: [Event] = []
    for event in told where ids.contains(event.id) {
      if try ledger.event(event.id) == nil { found.append(event) }
    }
    return found
  }

  /// Notes an event that the document of a record states besides.
  private mutating func add(_ event: Event, _ record: RecordedEvent) {
    var event = event
    event.provenance = record.event.provenance
    requests.append((result.findings.count, AppendRequest(event)))
    result.findings.append(
      Reinterpretation.Finding(
        event: event.id, position: nil, verdict: .new, before: nil, after: event))
  }

  private mutating func note(
    _ record: RecordedEvent, _ counting: Event, _ verdict: Reinterpretation.Verdict,
    _ reading: Event? = nil, _ correction: Event? = nil
  ) {
    if let correction {
      requests.append((result.findings.count, AppendRequest(correction)))
    }
    result.findings.append(
      Reinterpretation.Finding(
        event: record.event.id, position: record.position, verdict: verdict, before: counting,
        after: reading))
  }

  /// Notes what came of what was to be appended; in a dry run only that it would be refused.
  mutating func settle(_ outcomes: [Result<Receipt, LedgerError>], isDryRun: Bool) {
    for ((finding, _), outcome) in zip(requests, outcomes) {
      if isDryRun, case .success = outcome { continue }
      result.findings[finding].outcome = outcome
    }
  }
}

extension Event {
  /// Whether it was read from a document of its provider's.
  fileprivate var isOfDocument: Bool { provider != .manual && !provenance.document.isEmpty }

  /// When the object counts as seen that it states.
  fileprivate var seenAt: Timestamp { ordering.writtenAt ?? effectiveAt }

  /// What a document states of the recorded event today.
  ///
  /// Told when it was seen, a document may say more than it did: where its own word gives the time
  /// that was recorded, that is what it is read by.
  fileprivate func reading(told: [Event], untold: [Event]) -> Event? {
    let own = untold.first { $0.id == id }
    if let own, own.seenAt == seenAt, own.effectiveAt == effectiveAt { return own }
    return told.first { $0.id == id } ?? own
  }

  /// Whether two readings of one document say the same; how they came plays no part.
  fileprivate func says(sameAs other: Event) -> Bool {
    facts == other.facts && customer == other.customer && account == other.account
      && effectiveAt == other.effectiveAt && ordering == other.ordering
  }

  /// Why it cannot be what the document of a recorded event states today.
  fileprivate func fault(asReadingOf recorded: Event) -> String? {
    if environment != recorded.environment {
      return "its document is of \(environment.name) by today's reading"
    }
    return provider == recorded.provider ? nil : "its document is another provider's"
  }
}
