internal import MembershipLedger
internal import MembershipModel

/// `ledger changes`: the feed of who gained and lost which entitlement.
struct ChangesCommand: Command {
  static let after: Argument<Count?> = .option(
    "after", placeholder: "SEQUENCE", help: "Begin after this change. Default: 0, the start.")
  static let limit: Argument<Count?> = .option("limit", help: "Stop after so many changes.")
  static let customer: Argument<CustomerID?> = .option(
    "customer", placeholder: "CUSTOMER", help: "Only changes of this name.",
    completion: LedgerCandidates.customers)
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "The environment whose changes are listed. Default: production.")
  static let at: Argument<TimeValue?> = .option(
    "at", help: "Only changes that had come about by then. Default: all.")
  static let knownAt: Argument<LogPoint?> = .option(
    "known-at", help: "Only changes that were recorded then. Default: everything recorded.")
  static let follow: Argument<Bool> = .flag(
    "follow", short: "f", help: "Wait for new changes and print them as they are recorded.")

  static let spec = CommandSpec(
    "changes", group: .ask, abstract: "List who gained and lost which entitlement",
    discussion: [
      """
      Changes that events make are listed with them; those that time alone makes once 'ledger \
      settle' has run or another event about the customer was recorded. A name that was linked or \
      merged loses what it had to the name behind the arrow.
      """,
      "With --json each change is one line of JSON. Its sequence is where to go on with --after.",
    ],
    options: [
      after.definition, limit.definition, customer.definition, environment.definition,
      at.definition, knownAt.definition, follow.definition,
    ],
    examples: [
      .init("ledger changes --customer user_42", "List what a customer gained and lost"),
      .init("ledger changes --after 1200 --follow --json", "Feed another program"),
    ],
    command: ChangesCommand.init)

  let after: UInt64
  let limit: UInt64?
  let customer: CustomerID?
  let environment: EnvironmentName
  let at: TimeValue?
  let knownAt: LogPoint?
  let follows: Bool

  init(_ values: ParsedValues) {
    after = values[Self.after]?.value ?? 0
    limit = values[Self.limit]?.value
    customer = values[Self.customer]
    environment = values[Self.environment] ?? .production
    at = values[Self.at]
    knownAt = values[Self.knownAt]
    follows = values[Self.follow]
  }
}

extension ChangesCommand {
  private static let pageSize = 1000

  func run(in context: CommandContext) throws -> ExitCode {
    try refuseFollowingThePast(follows, at, knownAt)
    let ledger = try context.openForReading()
    let known = try knownAt.map { try ledger.asKnown(at: $0.point(at: context.now)).position }
    let instant = at?.instant(at: context.now) ?? .distantFuture
    var cursor = after
    var remaining = limit ?? .max
    while remaining > 0 {
      let end = try ledger.lastPosition()
      let size = Int(min(UInt64(Self.pageSize), remaining))
      let page = try ledger.entitlementChanges(
        after: cursor, limit: size, of: customer, in: environment.environment)
      let shown = page.filter { change in
        change.at <= instant && known.map { change.position <= $0 } ?? true
      }
      for change in shown { try print(change, context) }
      cursor = page.last?.sequence ?? cursor
      remaining -= UInt64(shown.count)
      if page.count == size { continue }
      guard follows, try context.waitForMore(than: end, in: ledger) else { break }
    }
    return .done
  }

  private func print(_ change: EntitlementChange, _ context: CommandContext) throws {
    if context.printsJSON {
      try context.printJSONLine(change.outputJSON)
    } else {
      try context.output.line(change.outputLine(style: context.style))
    }
  }
}
