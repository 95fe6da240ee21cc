/// A command line that cannot be carried out as it stands.
struct UsageError: Error, Equatable {
  /// The commands named so far, without the program: `["catalog", "apply"]`.
  let commandPath: [String]
  let message: String
  let hint: String?

  init(in path: [CommandSpec], _ message: String, hint: String? = nil) {
    self.commandPath = path.dropFirst().map(\.name)
    self.message = message
    self.hint = hint
  }

  /// The lines for standard error.
  var lines: [String] {
    let command = (["ledger"] + commandPath).joined(separator: " ")
    return ["\(command): \(message)"] + (hint.map { [$0] } ?? [])
      + ["See '\(command) --help'."]
  }
}
