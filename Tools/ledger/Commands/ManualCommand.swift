/// `ledger manual`: the manual page.
struct ManualCommand: Command {
  static let spec = CommandSpec(
    "manual", group: .help, abstract: "Print the manual page in the mdoc language",
    examples: [
      .init("ledger manual | man -l -", "Read the manual page"),
      .init("ledger manual > /usr/local/share/man/man1/ledger.1", "Install the manual page"),
    ],
    command: ManualCommand.init)

  init(_ values: ParsedValues) {}

  func run(in context: CommandContext) throws -> ExitCode {
    try context.output.write(ManualPage(root: CommandTable.root).text)
    return .done
  }
}
