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
  /// Whether nothing is recorded, and only told what would be.
  private let isRehearsal: Bool
  /// The events rehearsed so far, which would be recorded by now.
  private var rehearsed: Set<EventID> = []
  private var entries: [(source: String, entry: Entry)] = []
  private var pendingBytes = 0
  private var done = 0
  private(set) var refusalCount = 0

  /// Enough for a commit to be shared by many, little enough to hold in memory.
  private static let batchSize = 1000
  private static let batchBytes = 16 << 20

  init(_ ledger: Ledger, _ context: CommandContext, isRehearsal: Bool = false) {
    self.ledger = ledger
    self.context = context
    self.isRehearsal = isRehearsal
    progress = context.progress(isRehearsal ? "rehearsing" : "recording")
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
    let answers =
      try isRehearsal ? ledger.rehearse(requests) : ledger.append(contentsOf: requests)
    var outcomes = answers.makeIterator()
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

  private mutating func print(
    _ receipt: Receipt, _ event: Event, _ source: String
  ) throws {
    let note = event.note
    let names = event.facts.map(\.body.name)
    let isNew =
      !receipt.isDuplicate && (!isRehearsal || rehearsed.insert(event.id).inserted)
    let outcome = Outcome(isNew: isNew, isNoted: note != nil, isRehearsal: isRehearsal)
    // What is not recorded has no position.
    let position = rehearsed.contains(event.id) ? nil : receipt.position
    if context.printsJSON {
      let reason = note.map { $0.reason.isEmpty ? $0.type : "\($0.type): \($0.reason)" }
      try printJSON(outcome.name, position, facts: names, reason: reason, retry: false, source)
      return
    }
    var line = context.style.paint(outcome.words, isNew && note == nil ? .green : .faint)
    if let position { line += " \(position)" }
    if isNew { line += note.map { " \(printable($0.type))" } ?? " " + names.joined(separator: " ") }
    try context.output.line(line)
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

/// What became of an event, or would.
private struct Outcome {
  /// As JSON has it.
  let name: String
  /// As people read it.
  let words: String

  init(isNew: Bool, isNoted: Bool, isRehearsal: Bool) {
    switch (isNew, isRehearsal) {
    case (false, _): (name, words) = ("duplicate", "duplicate")
    case (true, false) where isNoted: (name, words) = ("noted", "noted")
    case (true, false): (name, words) = ("appended", "appended")
    case (true, true) where isNoted: (name, words) = ("wouldNote", "would note")
    case (true, true): (name, words) = ("wouldAppend", "would append")
    }
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
