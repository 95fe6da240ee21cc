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
  static let actor: Argument<String?> = .option(
    "actor", placeholder: "ACTOR", help: "Who gives it. Default: the user who runs the command.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "The environment that it is given in. Default: production.")

  static let spec = CommandSpec(
    "grant", group: .record, abstract: "Give a customer an entitlement by hand",
    discussion: ["It prints the grant's id, which revoke takes."],
    options: [
      reason.definition, from.definition, until.definition, actor.definition,
      environment.definition,
    ],
    operands: [SharedArguments.customer.definition, SharedArguments.entitlement.definition],
    examples: [
      .init(
        "ledger grant user_42 premium_tier --reason apology --until 2026-12-31",
        "Give an entitlement until a day")
    ],
    command: GrantCommand.init)

  let customer: CustomerID
  let entitlement: EntitlementKey
  let reason: String
  let from: TimeValue
  let until: TimeValue?
  let actor: String?
  let environment: EnvironmentName

  init(_ values: ParsedValues) {
    customer = values[SharedArguments.customer]
    entitlement = values[SharedArguments.entitlement]
    reason = values[Self.reason]
    from = values[Self.from] ?? .now
    until = values[Self.until]
    actor = values[Self.actor]
    environment = values[Self.environment] ?? .production
  }
}

extension GrantCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let start = from.instant(at: context.now)
    let end = until?.instant(at: context.now)
    if let end, end <= start {
      throw UsageError(
        in: [CommandTable.root, Self.spec], "--until: \(end) is not after the start, \(start)",
        hint: "A grant that ends before it begins would give nothing.")
    }
    let ledger = try context.openForWriting()
    // Its own event's id: there is one for each, and it leads to it.
    let id = context.surroundings.makeID(context.now)
    let grant = ManualGrant(
      id: try GrantID(id), entitlement: entitlement, from: start, until: end, reason: reason)
    let receipt = try ledger.append(
      context.event(
        id: EventID(id), in: environment.environment, customer: customer, actor: actor,
        reason: reason, Fact(.granted(grant))))
    if context.printsJSON {
      try context.printJSON(
        .fields([
          "grant": .string(id), "customer": .id(customer), "entitlement": .id(entitlement),
          "from": .time(start), "until": .time(end), "position": .position(receipt.position),
        ]))
    } else {
      try context.output.line(id)
    }
    try warnOfUnknownEntitlement(in: ledger, context)
    return .done
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
