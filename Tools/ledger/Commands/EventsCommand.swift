internal import MembershipModel

/// `ledger events`: the log itself.
struct EventsCommand: Command {
  static let after: Argument<Count?> = .option(
    "after", placeholder: "POSITION", help: "Begin after this position. Default: 0, the start.")
  static let limit: Argument<Count?> = .option("limit", help: "Stop after so many events.")
  static let customer: Argument<CustomerID?> = .option(
    "customer", placeholder: "CUSTOMER", help: "Only events of this customer.")
  static let membership: Argument<MembershipID?> = .option(
    "membership", placeholder: "MEMBERSHIP", help: "Only events of this membership.")
  static let provider: Argument<Provider?> = .option(
    "provider", help: "Only events of this provider.")
  static let follow: Argument<Bool> = .flag(
    "follow", short: "f", help: "Wait for new events and print them as they are recorded.")

  static let spec = CommandSpec(
    "events", group: .ask, abstract: "List the events of the log",
    discussion: ["With --json each event is one line of JSON."],
    options: [
      after.definition, limit.definition, customer.definition, membership.definition,
      provider.definition, follow.definition,
    ],
    examples: [
      .init("ledger events --customer user_42", "List a customer's events"),
      .init("ledger events --after 1200 --follow --json", "Feed another program"),
    ],
    command: EventsCommand.init)

  let after: UInt64
  let limit: UInt64?
  let customer: CustomerID?
  let membership: MembershipID?
  let provider: Provider?
  let follows: Bool

  init(_ values: ParsedValues) {
    after = values[Self.after]?.value ?? 0
    limit = values[Self.limit]?.value
    customer = values[Self.customer]
    membership = values[Self.membership]
    provider = values[Self.provider]
    follows = values[Self.follow]
  }
}
