/// One command of the table that drives parsing, help, completion and the manual page.
struct CommandSpec: Sendable {
  let name: String
  let group: CommandGroup
  /// What the command does, in one line without a full stop.
  let abstract: String
  /// What else its user must know: paragraphs.
  let discussion: [String]
  let options: [ArgumentDefinition]
  let operands: [ArgumentDefinition]
  let subcommands: [CommandSpec]
  /// What the exit statuses mean that say more here than they do for every command.
  let exitStatuses: [(code: ExitCode, meaning: String)]
  let examples: [Example]
  /// Makes the command from its parsed values; nil where a subcommand must be named.
  let makeCommand: (@Sendable (ParsedValues) -> any Command)?

  init(
    _ name: String, group: CommandGroup, abstract: String, discussion: [String] = [],
    options: [ArgumentDefinition] = [], operands: [ArgumentDefinition] = [],
    exitStatuses: [(code: ExitCode, meaning: String)] = [], examples: [Example] = [],
    command: @escaping @Sendable (ParsedValues) -> any Command
  ) {
    self.name = name
    self.group = group
    self.abstract = abstract
    self.discussion = discussion
    self.options = options
    self.operands = operands
    self.subcommands = []
    self.exitStatuses = exitStatuses
    self.examples = examples
    self.makeCommand = command
  }

  /// A command that does nothing by itself, only through one of its subcommands.
  init(
    _ name: String, group: CommandGroup, abstract: String, discussion: [String] = [],
    options: [ArgumentDefinition] = [], examples: [Example] = [], subcommands: [CommandSpec]
  ) {
    self.name = name
    self.group = group
    self.abstract = abstract
    self.discussion = discussion
    self.options = options
    self.operands = []
    self.subcommands = subcommands
    self.exitStatuses = []
    self.examples = examples
    self.makeCommand = nil
  }

  /// A command line and what it is for.
  struct Example: Sendable {
    let command: String
    let purpose: String

    init(_ command: String, _ purpose: String) {
      self.command = command
      self.purpose = purpose
    }
  }
}

/// The part of the overview that a command is listed in.
enum CommandGroup: String, CaseIterable, Sendable {
  case start = "Start here"
  case record = "Record what happened"
  case ask = "Ask"
  case audit = "Audit and maintain"
  case help = "Help"
}

/// A command whose values have been read: it only has to run.
///
/// `init` reads every argument that `spec` declares into a property of its own; a test holds each
/// command of the table to that.
protocol Command: Sendable {
  static var spec: CommandSpec { get }
  init(_ values: ParsedValues)
  /// Does the work and prints the result; a thrown error is printed by the caller.
  func run(in context: CommandContext) throws -> ExitCode
}
