internal import MembershipLedger
internal import MembershipModel

/// `ledger stats`: what the ledger holds and how large it is.
struct StatsCommand: Command {
  static let spec = CommandSpec(
    "stats", group: .audit, abstract: "Show what the ledger holds and how large it is",
    exitStatuses: [(.damage, "The documents cannot be read; the log's numbers are shown.")],
    command: StatsCommand.init)

  init(_ values: ParsedValues) {}
}

extension StatsCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForReading()
    let statistics = try ledger.statistics()
    if context.printsJSON {
      try context.printJSON(statistics.outputJSON(path: ledger.path))
    } else {
      try context.output.lines(
        statistics.outputLines(path: ledger.path, now: context.now, style: context.style))
    }
    return statistics.documentsFault == nil ? .done : .damage
  }
}
