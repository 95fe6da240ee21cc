internal import MembershipLedger
internal import MembershipModel

/// `ledger append`: facts of our own.
struct AppendCommand: Command {
  static let file: Argument<InputFile?> = .optionalOperand(
    "FILE", help: "Events as JSON Lines; - or none is standard input.")

  static let spec = CommandSpec(
    "append", group: .record, abstract: "Record facts of your own",
    discussion: [
      """
      Each line is one event; its facts stand or fall together. A line that repeats an event gives \
      the first receipt back; one that has its id and other content is refused. Lines from a pipe \
      are answered as they come.
      """,
      """
      An event has the fields id, environment, effectiveAt, customer, account, actor, reason and \
      facts, of which only the facts must be there; a fact has its type, membership, references \
      and what it says. A fact that stands alone is an event too.
      """,
    ],
    operands: [file.definition],
    exitStatuses: [
      (.no, "An event was refused; the others are recorded."),
      (.badData, "There is no readable event at all; nothing is recorded."),
    ],
    examples: [.init("ledger append < facts.jsonl", "Record events from a file")],
    command: AppendCommand.init)

  let file: InputFile

  init(_ values: ParsedValues) {
    file = values[Self.file] ?? .standardInput
  }
}

extension AppendCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForWriting()
    var documents = try DocumentReader(file, in: context)
    var recorder = Recorder(ledger, context)
    var isReadable = false
    var firstFault: String?
    while let document = try documents.next() {
      if document.fault == nil { isReadable = true }
      firstFault = firstFault ?? document.fault
      try record(document, in: context, ledger, &recorder)
      // Without a readable event nothing is recorded or told, as long as one may come.
      if isReadable, try documents.hasToWait() { try recorder.flush() }
    }
    if let firstFault, !isReadable {
      throw CommandFailure(
        .badData, "\(printable(file.name)): there is no readable event: \(printable(firstFault))",
        hint: "Write one event of JSON a line; see 'ledger append --help'.")
    }
    try recorder.finish()
    return recorder.refusalCount == 0 ? .done : .no
  }

  private func record(
    _ document: InputDocument, in context: CommandContext, _ ledger: Ledger,
    _ recorder: inout Recorder
  ) throws {
    switch event(of: document, in: context, ledger) {
    case .success(let event):
      try recorder.add(AppendRequest(event), from: document.source)
    case .failure(let fault):
      let refused = Recorder.Refused(reason: "\(fault)", isWorthRetrying: false)
      try recorder.refuse(refused, from: document.source)
    }
  }

  private func event(
    of document: InputDocument, in context: CommandContext, _ ledger: Ledger
  ) -> Result<Event, InvalidValue> {
    Result { () throws(InvalidValue) in
      try Event(input: JSONValue(parsing: document.bytes), in: context) { id in
        // What cannot be read now fails at the append, which reads it again.
        (try? EventID(id)).flatMap { try? ledger.event($0) }?.event
      }
    }
  }
}
