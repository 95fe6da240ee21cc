/// The manual page of the whole command in the mdoc language, made from the table.
struct ManualPage {
  let root: CommandSpec

  var text: String {
    (header + description + options + commands + surroundings + statuses + examples)
      .joined(separator: "\n") + "\n"
  }

  private var header: [String] {
    [
      ".Dd \(ManualText.date)", ".Dt LEDGER 1", ".Os ledger \(Program.version)",
      ".Sh NAME", ".Nm ledger", ".Nd \(Mdoc.text(root.abstract))",
      ".Sh SYNOPSIS", ".Nm",
    ] + GlobalOptions.definitions.map { ".Op \(Mdoc.macro($0))" } + [".Ar COMMAND", ".Op Ar ..."]
  }

  private var description: [String] {
    [".Sh DESCRIPTION"] + Mdoc.paragraphs(root.discussion)
  }

  private var options: [String] {
    [".Sh GLOBAL OPTIONS", "They may stand before or after the command."]
      + Mdoc.list(GlobalOptions.definitions)
  }

  private var commands: [String] {
    [".Sh COMMANDS"]
      + CommandGroup.allCases.flatMap { group in
        let members = root.subcommands.filter { $0.group == group }
        return members.isEmpty
          ? []
          : [".Ss \(Mdoc.text(group.rawValue))"]
            + members.flatMap { entry(path: [$0]) }.dropFirst()
      }
  }

  /// What the page says of one command and its subcommands.
  private func entry(path: [CommandSpec]) -> [String] {
    guard let command = path.last else { return [] }
    if !command.subcommands.isEmpty {
      return command.subcommands.flatMap { entry(path: path + [$0]) }
    }
    var lines = [".Pp"] + path.map { ".Cm \(Mdoc.argument($0.name))" }
    for argument in command.operands + command.options {
      switch argument.arity {
      case .required: lines.append(".\(Mdoc.macro(argument))")
      case .optional: lines.append(".Op \(Mdoc.macro(argument))")
      case .repeated: lines.append(".Op \(Mdoc.macro(argument)) ...")
      }
    }
    lines += [".Bd -ragged -offset indent"] + Mdoc.text(sentences: command.abstract + ".")
    lines += command.discussion.flatMap { [".Pp"] + Mdoc.text(sentences: $0) }
    lines += Mdoc.list(command.operands + command.options)
    return lines + [".Ed"]
  }

  private var surroundings: [String] {
    [".Sh TIMES AND POSITIONS"] + Mdoc.paragraphs(ManualText.times)
      + [".Sh ENVIRONMENT"] + Mdoc.list(ManualText.environment, macro: "Ev")
      + [".Sh FILES"] + Mdoc.list(ManualText.files, macro: "Pa")
  }

  private var statuses: [String] {
    [".Sh EXIT STATUS"]
      + Mdoc.list(
        ExitCode.allCases.map { (term: String($0.rawValue), text: $0.meaning) }, macro: "Li")
  }

  private var examples: [String] {
    let all = (root.subcommands + root.subcommands.flatMap(\.subcommands)).flatMap(\.examples)
    guard !all.isEmpty else { return [] }
    return [".Sh EXAMPLES"]
      + all.enumerated().flatMap { index, example in
        (index == 0 ? [] : [".Pp"]) + Mdoc.text(sentences: example.purpose + ":")
          + [".Dl \(Mdoc.text(example.command))"]
      }
  }
}
