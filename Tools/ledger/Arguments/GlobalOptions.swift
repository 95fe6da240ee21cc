/// The options that may stand before or after every command.
struct GlobalOptions: Sendable {
  static let ledger: Argument<Folder?> = .option(
    "ledger", help: "The ledger's folder. Default: $LEDGER_PATH, else ./membership.ledger.")
  static let json: Argument<Bool> = .flag(
    "json", help: "Print one JSON document, or JSON Lines for a stream.")
  static let quiet: Argument<Bool> = .flag(
    "quiet", short: "q", help: "Leave out messages and progress; results and errors stay.")
  static let color: Argument<ColorChoice?> = .option(
    "color", help: "Color the text; auto does on a terminal unless NO_COLOR is set.")
  static let help: Argument<Bool> = .flag("help", short: "h", help: "Show help and exit.")
  static let version: Argument<Bool> = .flag("version", help: "Show the version and exit.")

  static let definitions: [ArgumentDefinition] = [
    ledger.definition, json.definition, quiet.definition, color.definition, help.definition,
    version.definition,
  ]

  let ledger: String?
  let printsJSON: Bool
  let isQuiet: Bool
  let color: ColorChoice
  let wantsHelp: Bool
  let wantsVersion: Bool

  init(_ values: ParsedValues) {
    ledger = values[Self.ledger]?.path
    printsJSON = values[Self.json]
    isQuiet = values[Self.quiet]
    color = values[Self.color] ?? .auto
    wantsHelp = values[Self.help]
    wantsVersion = values[Self.version]
  }
}

/// When text is colored.
enum ColorChoice: String, ChoiceValue {
  case auto, always, never
}
