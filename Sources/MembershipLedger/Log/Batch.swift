internal import LedgerCrypto
internal import LedgerStorage

/// One transaction's worth of appends: each request is judged and folded in order, then all that
/// was taken is written and committed together.
struct Batch {
  typealias Outcome = Result<Receipt, LedgerError>

  private let snapshot: Snapshot
  private let log: LogTables
  private let projections: ProjectionTables
  private var projector: Projector
  private(set) var head: LogHead
  private var appended: [(key: [UInt8], row: [UInt8])] = []
  private var ids: [EventID: IDRow] = [:]
  private var receipts: [Position: Timestamp] = [:]

  init(
    _ snapshot: Snapshot, _ log: LogTables, _ projections: ProjectionTables, _ head: LogHead,
    terms: TermsCache?
  ) {
    self.snapshot = snapshot
    self.log = log
    self.projections = projections
    self.head = head
    projector = Projector(OverlayStore(base: (snapshot, projections), terms: terms))
    projector.source = RecordSource(log, snapshot, last: head.last)
  }

  /// The terms as they stand after the batch.
  func terms() throws(LedgerError) -> TermsCache {
    TermsCache(version: head.termsVersion, terms: try projector.store.terms())
  }

  /// Serves one request: what a decision appended before it failed is taken back.
  mutating func serve(
    _ request: WriteRequest, now: Timestamp
  ) throws(LedgerError) -> AppendQueue.Outcome {
    switch request {
    case .append(let request):
      return try evaluate(request, now: now).map { $0 }
    case .decide(let requests, let ruling):
      let before = self
      do throws(LedgerError) {
        try ruling(&self, requests.map(\.event), max(now, head.recordedAt))
        return .success(nil)
      } catch {
        if error.concernsBatch { throw error }
        self = before
        return .failure(error)
      }
    }
  }

  /// Appends an event that a decision states; a refusal is thrown.
  @discardableResult
  mutating func append(_ event: Event, now: Timestamp) throws(LedgerError) -> Receipt {
    try evaluate(AppendRequest(event), now: now).get()
  }

  /// A new id for an event that states a decision.
  func makeID(at instant: Timestamp) -> EventID { log.makeID(instant) }

  /// The state with all that the batch has folded.
  var fold: Fold<OverlayStore> { projector.fold }

  /// The names whose access the event folded last may have changed.
  var touched: Set<CustomerID> { projector.touched }

  /// Judges and folds one request.
  ///
  /// A refusal changes nothing; only damage and failures of storage, which concern the whole batch,
  /// are thrown.
  mutating func evaluate(
    _ request: AppendRequest, now: Timestamp
  ) throws(LedgerError) -> Outcome {
    let event = request.event
    if let known = try recorded(event.id) { return try answer(known, to: event) }
    let recordedAt = recordedTime(of: request, now)
    do throws(LedgerError) {
      let policy = try projector.store.terms().policy(at: recordedAt)
      try Admission.check(event, under: policy, recordedAt)
      try DecisionRules(fold: fold, event: event).check()
      if let correction = event.correction { try check(correction, of: event) }
      if let condition = request.condition {
        try check(condition, event.environment)
      }
      try projector.checkTrial(in: event)
    } catch {
      if error.concernsBatch { throw error }
      return .failure(error)
    }
    let record = RecordedEvent(
      position: Position(head.last.rawValue + 1), recordedAt: recordedAt, event: event)
    let bytes = record.encoded()
    if let fault = Admission.sizeFault(of: record, bytes) { return .failure(fault) }
    do throws(WireError) {
      // What is written must be read again, for ever: the reader is the judge of each field.
      _ = try RecordedEvent(decoding: bytes)
    } catch {
      return .failure(
        LedgerError(
          .invalidEvent, "event \(event.id): \(error); correct it and append it again"))
    }
    try take(record, bytes)
    return .success(
      Receipt(position: record.position, recordedAt: record.recordedAt, isDuplicate: false))
  }

  /// The time to record: never before that of an earlier record, nor before an instant that was
  /// found to have come, even if the clock has gone back since.
  private func recordedTime(of request: AppendRequest, _ now: Timestamp) -> Timestamp {
    let now = max(now, head.recordedAt)
    if case .due(let instant) = request.condition?.rule { return max(now, instant) }
    return now
  }

  private mutating func take(_ record: RecordedEvent, _ bytes: [UInt8]) throws(LedgerError) {
    if try projector.project(record) { head.termsVersion = record.position }
    let leaf = MerkleTree.leafHash(of: bytes)
    head.last = record.position
    head.recordedAt = record.recordedAt
    head.frontier.append(leafHash: leaf)
    appended.append((StoredKey.position(record.position), LogRow.encode(bytes, leaf)))
    ids[record.event.id] = IDRow(
      position: record.position, content: Self.contentDigest(of: record.event))
    receipts[record.position] = record.recordedAt
  }

  /// The digest of what the source said, without how the ledger came to know it.
  static func contentDigest(of event: Event) -> Digest {
    SHA256.hash(event.encoded())
  }

  /// The event with an id, be it of this batch or of an earlier one.
  func event(_ id: EventID) throws(LedgerError) -> Event? {
    guard let position = try recorded(id)?.position else { return nil }
    let key = StoredKey.position(position)
    if let entry = appended.last(where: { $0.key == key }) {
      return try LogRow.decode(entry.row, at: position).event.event
    }
    return try log.event(at: position, in: snapshot).event
  }

  private func recorded(_ id: EventID) throws(LedgerError) -> IDRow? {
    if let row = ids[id] { return row }
    if Identifier<IdentifierKind.Event>.fault(in: id.rawValue) != nil { return nil }
    let bytes = try translating { () throws(StorageError) in
      try snapshot.read { (transaction) throws(StorageError) in
        let key = Array(id.rawValue.utf8)
        return try transaction.row(key, in: log.ids)
      }
    }
    return try bytes.map { (bytes) throws(LedgerError) in try IDRow(decoding: bytes, of: id) }
  }

  private func answer(_ known: IDRow, to event: Event) throws(LedgerError) -> Outcome {
    guard known.content == Self.contentDigest(of: event) else {
      return .failure(
        LedgerError(
          .idConflict,
          "event \(event.id) is recorded at position \(known.position) with other content "
            + "(digest \(known.content) there, \(Self.contentDigest(of: event)) now); "
            + "give the new event an id of its own"))
    }
    let recordedAt: Timestamp
    if let inBatch = receipts[known.position] {
      recordedAt = inBatch
    } else {
      recordedAt = try log.event(at: known.position, in: snapshot).recordedAt
    }
    return .success(
      Receipt(position: known.position, recordedAt: recordedAt, isDuplicate: true))
  }

  /// Refuses a correction of what no correction can be about.
  private func check(_ correction: Correction, of event: Event) throws(LedgerError) {
    let position = try recorded(correction.event)?.position
    guard position == correction.position, let corrected = try self.event(correction.event) else {
      throw LedgerError(
        .unknownReference,
        "event \(event.id): there is no event \(correction.event) at position "
          + "\(correction.position); name one of the log, and its position")
    }
    if let rule = corrected.fault(ofCorrection: event) {
      throw LedgerError(.invalidEvent, "event \(event.id): \(rule)")
    }
  }

  private func check(
    _ condition: AppendCondition, _ environment: Environment
  ) throws(LedgerError) {
    switch condition.rule {
    case .last(let subject, let expected):
      try check(subject, expected, environment)
    case .due(let instant):
      if try projector.store.hasDeadline(upTo: instant) { return }
      throw LedgerError(
        .conditionFailed, "all that time alone has changed by \(instant) is in the feed")
    }
  }

  private func check(
    _ subject: AppendCondition.Subject, _ expected: Position, _ environment: Environment
  ) throws(LedgerError) {
    let last: Position
    let name: String
    switch subject {
    case .membership(let id):
      last = try projector.lastPosition(of: [.membership(id, environment)])
      name = "membership \(id)"
    case .customer(let id):
      last = try projector.lastPosition(of: projector.fold.related(to: id, environment))
      name = "customer \(id)"
    }
    if last != expected {
      throw LedgerError(
        .conditionFailed,
        "the last event about \(name) is at position \(last), not at \(expected); "
          + "read what is new and decide again")
    }
  }

  /// Writes everything into the transaction.
  func write(into transaction: inout WriteTransaction) throws(StorageError) {
    for entry in appended {
      try transaction.putRow(entry.key, entry.row, in: log.log, appending: true)
    }
    for (id, row) in ids.sorted(by: { $0.key < $1.key }) {
      let (key, value) = (Array(id.rawValue.utf8), row.encoded)
      try transaction.putRow(key, value, in: log.ids)
    }
    try projector.write(into: &transaction, projections)
    let head = head.encoded
    try transaction.putRow(LogFormat.headKey, head, in: log.head)
  }

  var isEmpty: Bool { appended.isEmpty }
}

extension Event {
  /// Why a correction cannot be one of this event; nil where it can.
  fileprivate func fault(ofCorrection event: Event) -> String? {
    if provider == .manual {
      return "\(id) is a decision by hand, which is not corrected but taken back"
    }
    if let original = correction?.event {
      return "\(id) is a correction itself; correct \(original)"
    }
    if provider != event.provider || environment != event.environment {
      return "\(id) is of \(provider.rawValue) in \(environment.name); its correction is too"
    }
    let corrections = event.facts.filter { if case .corrected = $0.body { true } else { false } }
    return corrections.count > 1 ? "an event corrects one other; append one for each" : nil
  }
}

extension LedgerError {
  /// Whether what failed is the ledger itself, and not what one request asks for.
  fileprivate var concernsBatch: Bool { code == .damaged || code == .inputOutput }
}

extension Projector {
  /// Writes all changed rows.
  func write(
    into transaction: inout WriteTransaction, _ tables: ProjectionTables
  ) throws(StorageError) {
    for table in ProjectionTable.allCases {
      for row in store.changedRows(of: table) {
        // The keys of the feed only grow.
        try transaction.putRow(row.key, row.value, in: tables[table], appending: table == .feed)
      }
      for key in store.removedRows(of: table) {
        try transaction.delete(key.span, in: tables[table])
      }
      try Failpoint.pass("ledger.projection")
    }
  }

  /// The position of the last event about any of the things.
  func lastPosition(of keys: some Sequence<EntityKey>) throws(LedgerError) -> Position {
    var last = Position.start
    for key in keys { last = max(last, try store.lastIndexed(key)) }
    return last
  }
}
