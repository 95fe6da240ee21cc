internal import MembershipLedger
internal import MembershipModel

/// `ledger settle`: what time alone has changed, into the feed of changes.
struct SettleCommand: Command {
  static let until: Argument<TimeValue?> = .option(
    "until", help: "The instant up to which to settle. Default: now.")

  static let spec = CommandSpec(
    "settle", group: .audit, abstract: "Bring what time alone has changed into the feed of changes",
    discussion: [
      """
      An expiry is true when its time has come, with or without settling. Settling is for those who \
      follow 'ledger changes': run it now and then, as often as they want to hear of expiries. \
      Where there is nothing to settle, nothing is recorded.
      """
    ],
    options: [until.definition],
    examples: [.init("ledger settle && ledger changes --after 1200", "Hear what has changed")],
    command: SettleCommand.init)

  let until: TimeValue?

  init(_ values: ParsedValues) {
    until = values[Self.until]
  }
}

extension SettleCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForWriting()
    let report = try ledger.settle(upTo: until?.instant(at: context.now))
    if context.printsJSON {
      try context.printJSON(
        .fields([
          "changes": .count(report.changes), "events": .count(report.events),
          "upTo": .time(report.upTo),
        ]))
      return .done
    }
    let count = report.changes == 1 ? "1 change" : "\(report.changes) changes"
    try context.output.line("settled \(count) up to \(TimeText.absolute(report.upTo))")
    return .done
  }
}
