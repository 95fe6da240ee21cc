internal import Glibc
internal import LedgerStorage

/// What the process's surroundings say about how to print.
struct Terminal: Sendable {
  let environment: [String: String]
  let outputIsTerminal: Bool
  let errorIsTerminal: Bool
  /// The terminal's width, where there is one that tells.
  let columns: Int?

  static func current(environment: [String: String]) -> Terminal {
    Terminal(
      environment: environment, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      columns: ProcessStreams.terminalColumns(of: STDOUT_FILENO))
  }

  func style(_ choice: ColorChoice) -> TextStyle {
    TextStyle(
      isColored: isColored(choice), isTerminal: outputIsTerminal,
      columns: max(40, columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80),
      glyphs: speaksUnicode ? .unicode : .ascii)
  }

  private func isColored(_ choice: ColorChoice) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      outputIsTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// Whether drawings may use more than ASCII: unless the locale names another encoding.
  ///
  /// Where no locale is set at all, as in a bare container, the terminal still reads UTF-8.
  private var speaksUnicode: Bool {
    let settings = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
    guard let locale = settings.first(where: { !$0.isEmpty }) else { return true }
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }
}
