internal import MembershipModel

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
    "environment", help: "The environment of documents that do not say theirs.")

  static let spec = CommandSpec(
    "ingest", group: .record, abstract: "Record a provider's documents",
    discussion: [
      """
      Input is one JSON document, an array of them, or JSON Lines. Each gives a line: appended \
      POSITION FACT…, duplicate POSITION, noted POSITION TYPE, or refused REASON.
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
