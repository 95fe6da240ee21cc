internal import MembershipLedger
internal import MembershipModel

/// `ledger events`: the log itself.
struct EventsCommand: Command {
  static let after: Argument<Count?> = .option(
    "after", placeholder: "POSITION", help: "Begin after this position. Default: 0, the start.")
  static let limit: Argument<Count?> = .option("limit", help: "Stop after so many events.")
  static let customer: Argument<CustomerID?> = .option(
    "customer", placeholder: "CUSTOMER", help: "Only events of this customer.",
    completion: LedgerCandidates.customers)
  static let membership: Argument<MembershipID?> = .option(
    "membership", placeholder: "MEMBERSHIP", help: "Only events of this membership.",
    completion: LedgerCandidates.memberships)
  static let provider: Argument<Provider?> = .option(
    "provider", help: "Only events of this provider.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment",
    help: "Where the customer or the membership is looked for. Default: production.")
  static let at: Argument<TimeValue?> = .option(
    "at", help: "Only what had happened by then, as its sources say. Default: all.")
  static let knownAt: Argument<LogPoint?> = .option(
    "known-at", help: "Only what was recorded then. Default: everything recorded.")
  static let documents: Argument<Bool> = .flag(
    "documents", help: "Print each event's document as its provider sent it.")
  static let follow: Argument<Bool> = .flag(
    "follow", short: "f", help: "Wait for new events and print them as they are recorded.")

  static let spec = CommandSpec(
    "events", group: .ask, abstract: "List the events of the log",
    discussion: [
      """
      With --json each event is one line of JSON. --documents adds documentText, or documentBase64 \
      where the bytes are no text; both are null where no document is kept.
      """
    ],
    options: [
      after.definition, limit.definition, customer.definition, membership.definition,
      provider.definition, environment.definition, at.definition, knownAt.definition,
      documents.definition, follow.definition,
    ],
    examples: [
      .init("ledger events --customer user_42", "List a customer's events"),
      .init(
        "ledger events --membership stripe:sub_1 --documents",
        "See what the store said of a membership"),
      .init("ledger events --after 1200 --follow --json", "Feed another program"),
    ],
    command: EventsCommand.init)

  let after: UInt64
  let limit: UInt64?
  let customer: CustomerID?
  let membership: MembershipID?
  let provider: Provider?
  let environment: EnvironmentName
  let at: TimeValue?
  let knownAt: LogPoint?
  let showsDocuments: Bool
  let follows: Bool

  init(_ values: ParsedValues) {
    after = values[Self.after]?.value ?? 0
    limit = values[Self.limit]?.value
    customer = values[Self.customer]
    membership = values[Self.membership]
    provider = values[Self.provider]
    environment = values[Self.environment] ?? .production
    at = values[Self.at]
    knownAt = values[Self.knownAt]
    showsDocuments = values[Self.documents]
    follows = values[Self.follow]
  }
}

extension EventsCommand {
  private static let pageSize = 1000

  func run(in context: CommandContext) throws -> ExitCode {
    try refuseFollowingThePast(follows, at, knownAt)
    let ledger = try context.openForReading()
    let known = try knownAt.map { try ledger.asKnown(at: $0.point(at: context.now)) }
    let instant = at?.instant(at: context.now) ?? .distantFuture
    let filter = EventFilter(
      customer: customer, membership: membership, provider: provider,
      environment: environment.environment)
    var seen = Position(after)
    var remaining = limit ?? .max
    while remaining > 0 {
      let end = try ledger.lastPosition()
      let size = Int(min(UInt64(Self.pageSize), remaining))
      let page =
        try known.map { try $0.events(after: seen, limit: size, matching: filter) }
        ?? ledger.events(after: seen, limit: size, matching: filter)
      let shown = page.filter { $0.event.effectiveAt <= instant }
      for event in shown { try print(event, of: ledger, context) }
      remaining -= UInt64(shown.count)
      if page.count == size {
        seen = page.last?.position ?? seen
        continue
      }
      // What was recorded since `end` was read may be on the page or not: it is read from there on.
      seen = max(seen, page.last?.position ?? seen, end)
      guard follows, try context.waitForMore(than: seen, in: ledger) else { break }
    }
    return .done
  }

  private func print(
    _ event: RecordedEvent, of ledger: Ledger, _ context: CommandContext
  ) throws {
    let document = showsDocuments ? try ledger.document(of: event) : nil
    if context.printsJSON {
      let added = showsDocuments ? RecordedEvent.documentFields(document) : []
      try context.printJSONLine(.object((event.outputJSON.fields ?? []) + added))
    } else {
      try context.output.line(event.outputLine(style: context.style))
      if showsDocuments {
        try context.output.lines(event.documentLines(document, style: context.style))
      }
    }
  }
}
