internal import MembershipLedger
internal import MembershipModel
internal import MembershipProviders

/// `ledger reinterpret`: kept documents read by today's rules.
struct ReinterpretCommand: Command {
  static let provider: Argument<IngestProvider?> = .option(
    "provider", placeholder: "PROVIDER",
    help: "Read only the documents of \(IngestProvider.list). Default: everyone's.")
  static let dryRun: Argument<Bool> = .flag(
    "dry-run", help: "Record nothing; only report what reads otherwise.")

  static let spec = CommandSpec(
    "reinterpret", group: .audit, abstract: "Read the kept documents again and correct the log",
    discussion: [
      """
      Each document is read as this version reads it. Where it states something else than is \
      recorded, a correction is recorded: an event that takes the place of the one that it names. \
      What was recorded stays, and so does what was known before; --known-at and 'ledger events' \
      show it.
      """,
      """
      What proves a document was judged when it came, and is not judged again. Give the same \
      settings, such as --keeps-past-due, with which the documents were taken in. Events by hand, \
      and those whose document is not kept, are left as they are.
      """,
    ],
    options: [provider.definition] + MerchantSettings.definitions + [dryRun.definition],
    exitStatuses: [
      (.done, "All was read again, whether or not anything differs."),
      (.no, "A document cannot be read as it was, or a correction was refused; it stays as it is."),
    ],
    examples: [
      .init("ledger reinterpret --dry-run", "See what a new version reads otherwise"),
      .init("ledger reinterpret --provider whop", "Correct what was recorded of Whop's documents"),
    ],
    command: ReinterpretCommand.init)

  let provider: IngestProvider?
  let isDryRun: Bool
  let settings: MerchantSettings

  init(_ values: ParsedValues) {
    provider = values[Self.provider]
    isDryRun = values[Self.dryRun]
    settings = MerchantSettings(values)
  }
}

extension ReinterpretCommand {
  private static let pageSize = 500

  func run(in context: CommandContext) throws -> ExitCode {
    if let provider { try settings.check(for: provider) }
    let ledger = try isDryRun ? context.openForReading() : context.openForWriting()
    // Corrections stand at the end of the log, where there is nothing to read again.
    let end = try ledger.lastPosition()
    let progress = context.progress("reading documents again")
    var total = ReinterpretTotal(isDryRun: isDryRun)
    var last = Position.start
    while last < end {
      let page = try ledger.reinterpret(
        after: last, limit: Self.pageSize, provider: provider?.provider, isDryRun: isDryRun,
        reading: read)
      last = page.last
      total.add(page)
      progress.note(last.rawValue, of: end.rawValue)
      for finding in page.findings { try print(finding, context) }
    }
    try progress.finish()
    if context.printsJSON {
      try context.printJSONLine(total.outputJSON)
    } else {
      try context.output.line(total.outputLine)
    }
    return total.isWhole ? .done : .no
  }

  private func read(_ kept: KeptDocument) throws -> [Event] {
    let event = kept.record.event
    guard let provider = IngestProvider(event.provider) else { throw UnreadProvider() }
    return try settings.adapter(forKeptDocumentsOf: provider, event.environment)
      .read(ProviderDocument(kept: kept.body, of: kept.record, observedAt: kept.observedAt)).get()
  }

  private func print(_ finding: Reinterpretation.Finding, _ context: CommandContext) throws {
    if context.printsJSON {
      try context.printJSONLine(finding.outputJSON)
    } else {
      try context.output.lines(finding.outputLines(context))
    }
  }
}

/// A provider of which this version reads no documents.
private struct UnreadProvider: Error, CustomStringConvertible {
  var description: String { "this version reads no documents of its provider" }
}
