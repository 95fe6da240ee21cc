internal import MembershipLedger
internal import MembershipModel

/// `ledger grant`: an entitlement given by hand.
struct GrantCommand: Command {
  static let reason: Argument<String> = .requiredOption(
    "reason", placeholder: "REASON", help: "Why it is given; recorded for ever.")
  static let from: Argument<TimeValue?> = .option(
    "from", help: "When the grant begins. Default: now.")
  static let until: Argument<TimeValue?> = .option(
    "until", help: "When the grant ends. Default: never.")
  static let duration: Argument<CalendarDuration?> = .option(
    "for", help: "How long it lasts from its start, such as P1M; in place of --until.")
  static let stacking: Argument<StackingName?> = .option(
    "stack",
    help: """
      Whether it begins beside the access that the customer has, or after it ends. Default: \
      overlap.
      """)
  static let follows: Argument<MembershipID?> = .option(
    "follows", placeholder: "MEMBERSHIP",
    help: "A membership, such as the giver's: it gives access only while that one does.")
  static let giver: Argument<String?> = .option(
    "giver", placeholder: "GIVER", help: "Whose gift it is, where that is not the actor's.")
  static let actor: Argument<String?> = .option(
    "actor", placeholder: "ACTOR", help: "Who gives it. Default: the user who runs the command.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "The environment that it is given in. Default: production.")

  static let spec = CommandSpec(
    "grant", group: .record, abstract: "Give a customer an entitlement by hand",
    discussion: ["It prints the grant's id, which revoke takes."],
    options: [
      reason.definition, from.definition, until.definition, duration.definition,
      stacking.definition, follows.definition, giver.definition, actor.definition,
      environment.definition,
    ],
    operands: [SharedArguments.customer.definition, SharedArguments.entitlement.definition],
    examples: [
      .init(
        "ledger grant user_42 premium_tier --reason apology --until 2026-12-31",
        "Give an entitlement until a day"),
      .init(
        "ledger grant user_42 premium_tier --reason gift --giver user_7 --stack after --for P1M",
        "Give a month more than the customer has"),
    ],
    command: GrantCommand.init)

  let customer: CustomerID
  let entitlement: EntitlementKey
  let reason: String
  let from: TimeValue
  let until: TimeValue?
  let duration: CalendarDuration?
  let stacking: StackingName?
  let follows: MembershipID?
  let giver: String?
  let actor: String?
  let environment: EnvironmentName

  init(_ values: ParsedValues) {
    customer = values[SharedArguments.customer]
    entitlement = values[SharedArguments.entitlement]
    reason = values[Self.reason]
    from = values[Self.from] ?? .now
    until = values[Self.until]
    duration = values[Self.duration]
    stacking = values[Self.stacking]
    follows = values[Self.follows]
    giver = values[Self.giver]
    actor = values[Self.actor]
    environment = values[Self.environment] ?? .production
  }
}

extension GrantCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let (start, end) = try times(in: context)
    let ledger = try context.openForWriting()
    // Its own event's id: there is one for each, and it leads to it.
    let id = context.surroundings.makeID(context.now)
    let grant = ManualGrant(
      id: GrantID(unchecked: id.rawValue), entitlement: entitlement, from: start, until: end,
      reason: reason, giver: giver ?? "", follows: follows, stacking: stacking?.stacking)
    let event = context.event(
      id: id, in: environment.environment, customer: customer, actor: actor,
      reason: reason, facts: [])
    let given = try ledger.give(grant, in: event, lasting: duration)
    if context.printsJSON {
      try context.printJSON(given.outputJSON(to: customer))
    } else {
      try context.output.line(id.rawValue)
      if stacking == .after, let from = given.grant.from {
        try context.say("it begins \(TimeText.both(from, at: context.now))")
      }
    }
    try warnOfUnknownEntitlement(in: ledger, context)
    return .done
  }

  private func times(in context: CommandContext) throws -> (start: Timestamp, end: Timestamp?) {
    let start = from.instant(at: context.now)
    let end = until?.instant(at: context.now)
    if end != nil, duration != nil {
      throw UsageError(
        in: [CommandTable.root, Self.spec], "--for and --until both say when the grant ends",
        hint: "Give one of them.")
    }
    if let end, end <= start {
      throw UsageError(
        in: [CommandTable.root, Self.spec], "--until: \(end) is not after the start, \(start)",
        hint: "A grant that ends before it begins would give nothing.")
    }
    return (start, end)
  }

  /// A key that no catalog has is allowed, and most often a slip.
  private func warnOfUnknownEntitlement(in ledger: Ledger, _ context: CommandContext) throws {
    guard let catalog = try ledger.catalog()?.catalog,
      !catalog.entitlements.contains(where: { $0.key == entitlement })
    else { return }
    try context.say(
      "note: the catalog has no entitlement \(printable(entitlement.rawValue)); it was given all "
        + "the same")
  }
}

extension GrantReceipt {
  fileprivate func outputJSON(to customer: CustomerID) -> JSONValue {
    .fields([
      "grant": .id(grant.id), "customer": .id(customer), "entitlement": .id(grant.entitlement),
      "from": .time(grant.from), "until": .time(grant.until), "follows": .id(grant.follows),
      "stacking": .text(grant.stacking?.name), "position": .position(receipt.position),
    ])
  }
}
