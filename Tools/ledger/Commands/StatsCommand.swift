/// `ledger stats`: what the ledger holds and how large it is.
struct StatsCommand: Command {
  static let spec = CommandSpec(
    "stats", group: .audit, abstract: "Show what the ledger holds and how large it is",
    command: StatsCommand.init)

  init(_ values: ParsedValues) {}
}
