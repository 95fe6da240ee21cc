internal import MembershipLedger
internal import MembershipModel
internal import MembershipProviders

/// A provider whose documents this version reads.
enum IngestProvider: String, ChoiceValue {
  case stripe
}

/// `ledger ingest`: a provider's documents in.
struct IngestCommand: Command {
  static let provider: Argument<IngestProvider> = .operand(
    "PROVIDER", help: "Whose documents they are: stripe.")
  static let files: Argument<[InputFile]> = .operands(
    "FILE", help: "Files of documents; - or none is standard input.")
  static let secretFiles: Argument<[InputFile]> = .repeatedOption(
    "secret-file", help: "A file that holds a signing secret; several are tried in turn.")
  static let headers: Argument<InputFile?> = .option(
    "headers", help: "The headers that came with the document, one 'Name: value' a line.")
  static let trustUnsigned: Argument<Bool> = .flag(
    "trust-unsigned", help: "Accept documents that no signature proves.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "Refuse documents of another environment.")

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
    options: [
      secretFiles.definition, headers.definition, trustUnsigned.definition, environment.definition,
    ],
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
    ],
    command: IngestCommand.init)

  let provider: IngestProvider
  let files: [InputFile]
  let secretFiles: [InputFile]
  let headers: InputFile?
  let trustsUnsigned: Bool
  let environment: EnvironmentName?

  init(_ values: ParsedValues) {
    provider = values[Self.provider]
    files = values[Self.files]
    secretFiles = values[Self.secretFiles]
    headers = values[Self.headers]
    trustsUnsigned = values[Self.trustUnsigned]
    environment = values[Self.environment]
  }
}

extension IngestCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let inputs = files.isEmpty ? [.standardInput] : files
    let headers = try headers(for: inputs, in: context)
    let adapter = try adapter(in: context)
    for case .path(let path) in inputs { try requireFile(path, context) }
    var ingestion = Ingestion(
      adapter: adapter, headers: headers, context: context,
      recorder: Recorder(try context.openForWriting(), context))
    for input in inputs { try ingestion.take(input) }
    return try ingestion.finish()
  }

  private func adapter(in context: CommandContext) throws -> any ProviderAdapter {
    let secrets = try secretFiles.map { file in
      let secret = String(decoding: try context.read(file), as: UTF8.self).trimmed
      if secret.isEmpty {
        throw CommandFailure(
          .badData, "\(printable(file.name)): there is no secret in the file",
          hint: "Put the endpoint's signing secret into it, whole and alone.")
      }
      return secret
    }
    switch provider {
    case .stripe:
      return StripeAdapter(
        secrets: secrets, trustsUnsigned: trustsUnsigned, environment: environment?.environment)
    }
  }

  /// The headers, which belong to one document: a signature covers its every byte.
  private func headers(
    for inputs: [InputFile], in context: CommandContext
  ) throws -> [String: String]? {
    guard let headers else { return nil }
    guard inputs.count == 1 else {
      throw UsageError(
        in: [CommandTable.root, Self.spec],
        "--headers belong to one document, and there are \(inputs.count) files",
        hint: "Ingest each document with its own headers.")
    }
    return try HeaderFile.headers(in: context.read(headers), named: headers)
  }

  /// Says that a file is missing before anything is recorded, not after half of it.
  private func requireFile(_ path: String, _ context: CommandContext) throws {
    if !context.surroundings.hasFile(path) {
      throw CommandFailure(.noInput, "\(printable(path)): there is no such file")
    }
  }
}
