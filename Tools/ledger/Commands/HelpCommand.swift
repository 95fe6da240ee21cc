/// `ledger help`: the help of the program or of one command.
struct HelpCommand: Command {
  static let command: Argument<[String]> = .operands(
    "COMMAND", help: "The command, such as check or catalog apply.",
    completion: .dynamic { _ in
      CommandTable.root.subcommands.map { Candidate($0.name, $0.abstract) }
    })

  static let spec = CommandSpec(
    "help", group: .help, abstract: "Show the help of a command",
    operands: [command.definition], command: HelpCommand.init)

  let command: [String]

  init(_ values: ParsedValues) {
    command = values[Self.command]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    var path = [CommandTable.root]
    for name in command {
      let candidates = path[path.count - 1].subcommands
      guard let next = candidates.first(where: { $0.name == name }) else {
        throw UsageError(
          in: path, "there is no command '\(printable(name))'",
          hint: nearest(to: name, among: candidates.map(\.name)).map { "Did you mean '\($0)'?" })
      }
      path.append(next)
    }
    try context.output.write(Help(path: path, style: context.style).text)
    return .done
  }
}
