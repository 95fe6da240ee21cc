internal import MembershipLedger
internal import MembershipModel
internal import MembershipProviders

/// `ledger ingest`: a provider's documents in.
struct IngestCommand: Command {
  static let provider: Argument<IngestProvider> = .operand(
    "PROVIDER", help: "Whose documents they are: \(IngestProvider.list).")
  static let files: Argument<[InputFile]> = .operands(
    "FILE", help: "Files of documents; - or none is standard input.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment",
    help: "Refuse documents of another environment; Whop's, which say none, are of this one.")

  static let spec = CommandSpec(
    "ingest", group: .record, abstract: "Record a provider's documents",
    discussion: [
      """
      Input is one JSON document, an array of them, or JSON Lines. Each gives a line: appended \
      POSITION FACT…, duplicate POSITION, noted POSITION TYPE, or refused REASON. Lines from a pipe \
      are answered as they come.
      """,
      """
      Without a secret and without --trust-unsigned every unsigned document is refused. A refused \
      document does not keep the others out.
      """,
    ],
    options: Proof.definitions + [environment.definition],
    operands: [provider.definition, files.definition],
    exitStatuses: [
      (.no, "A document was refused; the others are recorded."),
      (.badData, "There is no readable document at all; nothing is recorded."),
    ],
    examples: [
      .init(
        "ledger ingest stripe event.json --headers event.headers --secret-file whsec",
        "Record one webhook, its signature checked"),
      .init(
        "ledger ingest stripe --trust-unsigned < events.jsonl", "Record a history from an export"),
      .init(
        "ledger ingest app-store notification.json --bundle-id com.example.app",
        "Record a notification of the App Store, which is signed in itself"),
    ],
    command: IngestCommand.init)

  let provider: IngestProvider
  let files: [InputFile]
  let proof: Proof
  let environment: EnvironmentName?

  init(_ values: ParsedValues) {
    provider = values[Self.provider]
    files = values[Self.files]
    proof = Proof(values)
    environment = values[Self.environment]
  }
}

extension IngestCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let inputs = files.isEmpty ? [.standardInput] : files
    let headers = try headers(for: inputs, in: context)
    let adapter = try proof.adapter(for: provider, environment?.environment, in: context)
    // What is no file is told of before anything is recorded, not after half of it.
    for case .path(let path) in inputs { try context.surroundings.requireFile(path) }
    var ingestion = Ingestion(
      adapter: adapter, headers: headers, context: context,
      recorder: Recorder(try context.openForWriting(), context))
    for input in inputs { try ingestion.take(input) }
    return try ingestion.finish()
  }

  /// The headers, which belong to one document: a signature covers its every byte.
  private func headers(
    for inputs: [InputFile], in context: CommandContext
  ) throws -> [String: String]? {
    guard proof.headers == nil || inputs.count == 1 else {
      throw UsageError(
        in: [CommandTable.root, Self.spec],
        "--headers belong to one document, and there are \(inputs.count) files",
        hint: "Ingest each document with its own headers.")
    }
    return try proof.readHeaders(in: context)
  }
}
