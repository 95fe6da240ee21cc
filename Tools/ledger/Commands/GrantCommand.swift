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

  static let spec = CommandSpec(
    "grant", group: .record, abstract: "Give a customer an entitlement by hand",
    discussion: ["It prints the grant's id, which revoke takes."],
    options: [reason.definition, from.definition, until.definition, actor.definition],
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

  init(_ values: ParsedValues) {
    customer = values[SharedArguments.customer]
    entitlement = values[SharedArguments.entitlement]
    reason = values[Self.reason]
    from = values[Self.from] ?? .now
    until = values[Self.until]
    actor = values[Self.actor]
  }
}
