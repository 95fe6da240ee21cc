internal import MembershipLedger
internal import MembershipModel
internal import MembershipProviders

/// `ledger import`: a history from a provider's export.
struct ImportCommand: Command {
  static let provider: Argument<IngestProvider> = .operand(
    "PROVIDER", help: "Whose export it is: \(IngestProvider.names).")
  static let files: Argument<[InputFile]> = .operands(
    "FILE", help: "Files of rows or documents; - or none is standard input.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "Refuse documents of another environment.")
  static let dryRun: Argument<Bool> = .flag(
    "dry-run", help: "Record nothing; only say what would become of each.")

  static let spec = CommandSpec(
    "import", group: .record, abstract: "Take over a history from a provider's export",
    discussion: [
      """
      Input is a table with its names in the first line, such as RevenueCat's transaction export, \
      or JSON as for ingest. Each row gives a line like ingest's; a dry run says would append, \
      would note, duplicate or refused. All that is recorded is marked as an import.
      """,
      """
      What is recorded already is a duplicate, so that an import that was broken off is run again \
      as it was. No signature proves an export: --trust-unsigned says that you trust it.
      """,
    ],
    options: Proof.definitions + [environment.definition, dryRun.definition],
    operands: [provider.definition, files.definition],
    exitStatuses: [
      (.no, "A row was refused; the others are recorded."),
      (.badData, "There is no readable row at all; nothing is recorded."),
    ],
    examples: [
      .init(
        "ledger import revenuecat transactions.csv --trust-unsigned --dry-run",
        "See what would become of each row"),
      .init(
        "ledger import revenuecat transactions.csv --trust-unsigned", "Record the export"),
    ],
    command: ImportCommand.init)

  let provider: IngestProvider
  let files: [InputFile]
  let proof: Proof
  let environment: EnvironmentName?
  let isDryRun: Bool

  init(_ values: ParsedValues) {
    provider = values[Self.provider]
    files = values[Self.files]
    proof = Proof(values)
    environment = values[Self.environment]
    isDryRun = values[Self.dryRun]
  }
}

extension ImportCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let inputs = files.isEmpty ? [.standardInput] : files
    // What is no file is told of before anything is recorded, not after half of it.
    for case .path(let path) in inputs { try context.surroundings.requireFile(path) }
    let adapter = try proof.adapter(for: provider, environment?.environment, in: context)
    let ledger = try isDryRun ? context.openForReading() : context.openForWriting()
    var ingestion = Ingestion(
      adapter: adapter, headers: try proof.readHeaders(in: context), context: context,
      recorder: Recorder(ledger, context, isRehearsal: isDryRun), isImport: true)
    for input in inputs { try ingestion.take(input) }
    return try ingestion.finish()
  }
}
