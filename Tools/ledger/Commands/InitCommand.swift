internal import MembershipLedger
internal import MembershipModel

/// `ledger init`: an empty ledger.
struct InitCommand: Command {
  static let spec = CommandSpec(
    "init", group: .start, abstract: "Make an empty ledger",
    discussion: [
      """
      The folder must not exist yet, or be empty. Every other command refuses a path that is not a \
      ledger.
      """
    ],
    examples: [.init("ledger --ledger /var/lib/shop.ledger init", "Make a ledger")],
    command: InitCommand.init)

  init(_ values: ParsedValues) {}
}

extension InitCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try Ledger.create(
      context.ledgerPath, LedgerConfiguration(clock: context.surroundings.clock))
    if context.printsJSON {
      try context.printJSON(.fields(["ledger": .string(ledger.path)]))
    } else {
      try context.output.line("made an empty ledger at \(printable(ledger.path))")
    }
    return .done
  }
}
