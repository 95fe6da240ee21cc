internal import MembershipLedger
internal import MembershipModel

/// Appends what comes in, many events to a commit, and prints what became of each in the order of
/// the input.
struct Recorder {
  private enum Entry {
    case request(AppendRequest)
    case refusal(Refused)
  }

  /// Why a document was kept out.
  struct Refused {
    let reason: String
    /// Whether a later delivery may be accepted.
    let isWorthRetrying: Bool
  }

  private let ledger: Ledger
  private let context: CommandContext
  private let progress: ProgressLine
  private var entries: [(source: String, entry: Entry)] = []
  private var pendingBytes = 0
  private var done = 0
  private(set) var refusalCount = 0

  /// Enough for a commit to be shared by many, little enough to hold in memory.
  private static let batchSize = 1000
  private static let batchBytes = 16 << 20

  init(_ ledger: Ledger, _ context: CommandContext) {
    self.ledger = ledger
    self.context = context
    progress = context.progress("recording")
  }

  mutating func add(_ request: AppendRequest, from source: String) throws {
    entries.append((source, .request(request)))
    pendingBytes += request.document?.count ?? 0
    if entries.count >= Self.batchSize || pendingBytes >= Self.batchBytes { try flush() }
  }

  mutating func refuse(_ refused: Refused, from source: String) throws {
    entries.append((source, .refusal(refused)))
    if entries.count >= Self.batchSize { try flush() }
  }

  /// Appends what waits, and lets the answers out: whoever wrote it may wait for them.
  mutating func flush() throws {
    let requests = entries.compactMap { entry in
      if case .request(let request) = entry.entry { request } else { nil }
    }
    var outcomes = ledger.append(contentsOf: requests).makeIterator()
    for (source, entry) in entries {
      switch entry {
      case .refusal(let refused):
        try print(refused, source)
      case .request(let request):
        guard let outcome = outcomes.next() else {
          preconditionFailure("each request has an outcome")
        }
        try print(outcome, of: request.event, source)
      }
    }
    done += entries.count
    entries.removeAll(keepingCapacity: true)
    pendingBytes = 0
    try context.output.flush()
    try progress.update(done)
  }

  /// Appends and prints the rest; ends the progress line.
  mutating func finish() throws {
    try flush()
    try progress.finish()
  }

  private mutating func print(
    _ outcome: Result<Receipt, LedgerError>, of event: Event, _ source: String
  ) throws {
    switch outcome {
    case .success(let receipt):
      try print(receipt, event, source)
    case .failure(let error) where error.isRefusal:
      try print(Refused(reason: error.message, isWorthRetrying: false), source)
    case .failure(let error):
      throw error
    }
  }

  private func print(_ receipt: Receipt, _ event: Event, _ source: String) throws {
    let note = event.note
    let names = event.facts.map(\.body.name)
    let outcome = receipt.isDuplicate ? "duplicate" : note == nil ? "appended" : "noted"
    if context.printsJSON {
      let reason = note.map { $0.reason.isEmpty ? $0.type : "\($0.type): \($0.reason)" }
      try printJSON(
        outcome, receipt.position, facts: names, reason: reason, retry: false, source)
      return
    }
    let rest =
      receipt.isDuplicate
      ? "" : note.map { " \(printable($0.type))" } ?? " " + names.joined(separator: " ")
    try context.output.line(
      context.style.paint(outcome, receipt.isDuplicate || note != nil ? .faint : .green)
        + " \(receipt.position)\(rest)")
  }

  private mutating func print(_ refused: Refused, _ source: String) throws {
    refusalCount += 1
    if context.printsJSON {
      try printJSON(
        "refused", nil, facts: [], reason: refused.reason, retry: refused.isWorthRetrying, source)
    } else {
      try context.output.line(
        context.style.paint("refused", .red)
          + " \(printable(source)): \(printable(refused.reason))")
    }
  }

  private func printJSON(
    _ outcome: String, _ position: Position?, facts: [String], reason: String?, retry: Bool,
    _ source: String
  ) throws {
    try context.printJSONLine(
      .fields([
        "outcome": .string(outcome), "position": .position(position),
        "facts": .array(facts.map { .string($0) }), "reason": .text(reason),
        "retry": .bool(retry), "source": .string(source),
      ]))
  }
}

extension Event {
  /// The note that is all that the event states.
  fileprivate var note: Note? {
    guard facts.count == 1, case .noted(let note)? = facts.first?.body else { return nil }
    return note
  }
}

extension LedgerError {
  /// Whether the event is at fault and not the ledger, so that others may still be recorded.
  fileprivate var isRefusal: Bool {
    switch code {
    case .invalidEvent, .idConflict, .conditionFailed, .trialUsed, .nothingToUndo,
      .anonymousCustomer, .nothingPending, .alreadyEffective:
      true
    default: false
    }
  }
}
