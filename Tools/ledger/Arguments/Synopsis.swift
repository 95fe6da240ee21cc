/// How a command is written, in pieces that belong on one line each.
///
/// The first piece names the command; then come its operands and options.
func synopsis(of path: [CommandSpec]) -> [String] {
  let name = path.map(\.name).joined(separator: " ")
  guard let command = path.last, command.subcommands.isEmpty else {
    return [name, path.count == 1 ? "[OPTION…]" : "", "COMMAND …"].filter { !$0.isEmpty }
  }
  return [name] + command.operands.map(\.usage)
    + command.options.filter { $0.arity == .required }.map(\.usage)
    + command.options.filter { $0.arity != .required }.map(\.usage)
}

extension ArgumentDefinition {
  /// The argument as a synopsis shows it: `[--at TIME]`, `CUSTOMER`, `[FILE…]`.
  var usage: String {
    let text =
      switch role {
      case .flag: label
      case .option: "\(label) \(placeholder)"
      case .operand: name
      }
    return switch arity {
    case .required: text
    case .optional: "[\(text)]"
    case .repeated: role == .operand ? "[\(text)…]" : "[\(text)]…"
    }
  }

  /// The argument as a list of options shows it: `-q, --quiet`, `--at TIME`.
  var listing: String {
    let long = role == .option ? "\(label) \(placeholder)" : label
    return short.map { "-\($0), \(long)" } ?? long
  }
}
