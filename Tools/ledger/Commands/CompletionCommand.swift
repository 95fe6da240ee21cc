/// `ledger completion`: the script that lets a shell complete command lines.
struct CompletionCommand: Command {
  static let shell: Argument<Shell> = .operand("SHELL", help: "One of bash, zsh and fish.")

  static let spec = CommandSpec(
    "completion", group: .help, abstract: "Print the script that completes command lines",
    discussion: [
      """
      The script asks the program itself, so that it offers the commands and options of the \
      installed version.
      """
    ],
    operands: [shell.definition],
    examples: [
      .init("source <(ledger completion bash)", "Complete in this bash"),
      .init(
        "ledger completion fish > ~/.config/fish/completions/ledger.fish",
        "Complete in every fish"),
    ],
    command: CompletionCommand.init)

  let shell: Shell

  init(_ values: ParsedValues) {
    shell = values[Self.shell]
  }

  func run(in context: CommandContext) throws -> ExitCode {
    try context.output.write(shell.script)
    return .done
  }
}
