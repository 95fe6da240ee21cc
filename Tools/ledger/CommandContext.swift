internal import MembershipModel

/// What a command runs with: where its ledger is, where its output goes, and what time it is.
struct CommandContext {
  let ledgerPath: String
  let printsJSON: Bool
  let isQuiet: Bool
  let style: TextStyle
  /// Results, for standard output.
  let output: OutputBuffer
  /// Messages and progress, for standard error.
  let messages: OutputBuffer
  /// The one instant that `now` means throughout the command.
  let now: Timestamp
  let readStandardInput: () throws -> [UInt8]

  /// Prints a whole result as one JSON document.
  func printJSON(_ value: JSONValue) throws {
    try output.line(value.text(indentation: 2))
  }

  /// Prints one item of a stream as a line of JSON.
  func printJSONLine(_ value: JSONValue) throws {
    try output.line(value.text())
  }

  /// Tells the user something that is no result; silent where quiet is wanted.
  func say(_ message: String) throws {
    if !isQuiet { try messages.line(message) }
  }

  /// A progress line for work that may take long.
  func progress(_ title: String) -> ProgressLine {
    ProgressLine(title, on: messages, isEnabled: !isQuiet)
  }

  /// The whole of a file or of standard input.
  func read(_ file: InputFile) throws -> [UInt8] {
    switch file {
    case .standardInput: try readStandardInput()
    case .path(let path): try readFile(path)
    }
  }
}
