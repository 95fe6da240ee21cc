/// `ledger append`: facts of our own.
struct AppendCommand: Command {
  static let file: Argument<InputFile?> = .optionalOperand(
    "FILE", help: "Events as JSON Lines; - or none is standard input.")

  static let spec = CommandSpec(
    "append", group: .record, abstract: "Record facts of your own",
    discussion: [
      """
      Each line is one event; its facts stand or fall together. A line that repeats an event gives \
      the first receipt back; one that has its id and other content is refused.
      """
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
