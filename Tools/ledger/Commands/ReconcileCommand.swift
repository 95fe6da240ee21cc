internal import MembershipLedger
internal import MembershipModel
internal import MembershipProviders

/// `ledger reconcile`: a provider's present state compared with the ledger's.
struct ReconcileCommand: Command {
  static let provider: Argument<IngestProvider> = .operand(
    "PROVIDER", help: "Whose state it is: \(IngestProvider.names).")
  static let file: Argument<InputFile?> = .optionalOperand(
    "FILE", help: "All that the provider lists; - or none is standard input.")
  static let dryRun: Argument<Bool> = .flag(
    "dry-run", help: "Record nothing; only report what differs.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "Refuse documents of another environment; look there for what is missing.")

  static let spec = CommandSpec(
    "reconcile", group: .record, abstract: "Compare a provider's state with the ledger's",
    discussion: [
      """
      Input is the provider's full present state: objects such as Stripe's API lists. Where one of \
      them says otherwise than the ledger, now, planned or at another instant, it is recorded and \
      the difference reported; where nothing differs, nothing is recorded.
      """,
      """
      A live membership that the input does not mention is reported as missing and left as it is: \
      an empty or partial reading ends nothing. A provider's own list of entitlements, such as \
      Stripe's summary, is compared with the ledger's answers; it decides nothing.
      """,
    ],
    options: Proof.definitions + [environment.definition, dryRun.definition],
    operands: [provider.definition, file.definition],
    exitStatuses: [
      (.done, "All was compared, whether or not anything differs."),
      (.no, "A document was refused; the others are compared."),
      (.badData, "There is no readable document at all; nothing is recorded."),
    ],
    examples: [
      .init(
        "ledger reconcile stripe subscriptions.json --trust-unsigned --dry-run",
        "See what has drifted"),
      .init(
        "ledger reconcile stripe subscriptions.json --trust-unsigned", "Record what has drifted"),
    ],
    command: ReconcileCommand.init)

  let provider: IngestProvider
  let file: InputFile
  let proof: Proof
  let environment: EnvironmentName?
  let isDryRun: Bool

  init(_ values: ParsedValues) {
    provider = values[Self.provider]
    file = values[Self.file] ?? .standardInput
    proof = Proof(values)
    environment = values[Self.environment]
    isDryRun = values[Self.dryRun]
  }
}

extension ReconcileCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let place = environment?.environment
    let adapter = try proof.adapter(for: provider, place, in: context)
    let reading = try StoreReport(
      file, adapter, headers: proof.readHeaders(in: context), in: context)
    try reading.tellRefused(context)
    if reading.isRefused {
      throw CommandFailure(.no, "no document may be believed: nothing is compared")
    }
    let ledger = try isDryRun ? context.openForReading() : context.openForWriting()
    let report = try ledger.reconcile(
      reading.requests, of: adapter.provider, in: place, isDryRun: isDryRun)
    for (_, error) in report.refusals { try context.say("refused \(printable(error.message))") }
    if context.printsJSON {
      try context.printJSON(json(report, reading))
    } else {
      try context.output.lines(report.outputLines(context))
    }
    return reading.refused.isEmpty && report.refusals.isEmpty ? .done : .no
  }

  private func json(_ report: ReconcileReport, _ reading: StoreReport) -> JSONValue {
    .fields([
      "provider": .string(provider.rawValue), "dryRun": .bool(isDryRun), "at": .time(report.at),
      "documents": .count(report.documents), "drifts": .array(report.drifts.map(\.outputJSON)),
      "missing": .array(report.missing.map(\.outputJSON)),
      "claims": .array(report.claims.map(\.outputJSON)),
      "refused": reading.refusedJSON(report.refusals),
    ])
  }
}
