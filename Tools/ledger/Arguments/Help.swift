/// The help of a command, made from the table: what `--help` prints.
struct Help {
  let path: [CommandSpec]
  let style: TextStyle

  static let columns = 80

  var text: String {
    guard let command = path.last else { return "" }
    var sections = [usage, wrapped(command.abstract + ".", columns: Self.columns)]
    sections += command.discussion.map { wrapped($0, columns: Self.columns) }
    sections += path.count == 1 ? groups(of: command) : []
    if path.count > 1, !command.subcommands.isEmpty {
      sections.append(section("Commands", rows: command.subcommands.map { ($0.name, $0.abstract) }))
    }
    sections.append(section("Operands", rows: command.operands.map { ($0.name, $0.help) }))
    sections.append(section("Options", rows: command.options.map { ($0.listing, $0.help) }))
    sections.append(
      section("Global options", rows: GlobalOptions.definitions.map { ($0.listing, $0.help) }))
    sections.append(
      section(
        "Exit status",
        rows: exitStatuses(of: command).map { (String($0.code.rawValue), $0.meaning) }))
    sections.append(examples(of: command))
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var usage: [String] {
    let pieces = synopsis(of: path)
    let indent = "Usage: \(pieces[0]) ".count
    var lines = wrapped(
      ["Usage: \(pieces[0])"] + pieces.dropFirst(), columns: Self.columns, indent: indent)
    lines[0] = style.paint("Usage:", .bold) + lines[0].dropFirst("Usage:".count)
    return lines
  }

  private func groups(of root: CommandSpec) -> [[String]] {
    CommandGroup.allCases.map { group in
      section(
        group.rawValue,
        rows: root.subcommands.filter { $0.group == group }.map { ($0.name, $0.abstract) },
        termWidth: (root.subcommands.map(\.name.count).max() ?? 0) + 2)
    }
  }

  /// The statuses that a command gives a meaning of its own; for the program, all of them.
  private func exitStatuses(of command: CommandSpec) -> [(code: ExitCode, meaning: String)] {
    path.count == 1 ? ExitCode.allCases.map { ($0, $0.meaning) } : command.exitStatuses
  }

  private func examples(of command: CommandSpec) -> [String] {
    guard !command.examples.isEmpty else { return [] }
    return [heading("Examples")]
      + command.examples.flatMap {
        ["  \(style.paint("# \($0.purpose)", .faint))", "  $ \($0.command)"]
      }
  }

  private func heading(_ title: String) -> String { style.paint("\(title):", .bold) }

  /// A heading and a list of terms, each with its explanation beside or below it.
  private func section(
    _ title: String, rows: [(term: String, text: String)], termWidth: Int? = nil
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    let widest = rows.map { displayWidth($0.term) }.max() ?? 0
    let width = termWidth ?? min(widest, 22) + 2
    let margin = String(repeating: " ", count: width + 2)
    var lines = [heading(title)]
    for row in rows {
      var explanation = wrapped(row.text, columns: Self.columns - width - 2)
      let term = "  " + style.paint(row.term, .cyan)
      if displayWidth(row.term) + 2 <= width {
        let gap = String(repeating: " ", count: width - displayWidth(row.term))
        lines.append(term + gap + (explanation.isEmpty ? "" : explanation.removeFirst()))
      } else {
        lines.append(term)
      }
      lines += explanation.map { margin + $0 }
    }
    return lines
  }
}
