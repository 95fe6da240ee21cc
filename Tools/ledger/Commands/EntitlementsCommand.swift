internal import MembershipModel

/// `ledger entitlements`: everything that a customer may use.
struct EntitlementsCommand: Command {
  static let spec = CommandSpec(
    "entitlements", group: .ask, abstract: "List what a customer may use",
    discussion: ["Only what gives access at the instant asked about is listed, with its source."],
    options: [SharedArguments.at.definition, SharedArguments.knownAt.definition],
    operands: [SharedArguments.customer.definition],
    examples: [.init("ledger entitlements user_42", "List what a customer may use now")],
    command: EntitlementsCommand.init)

  let customer: CustomerID
  let at: TimeValue
  let knownAt: LogPoint?

  init(_ values: ParsedValues) {
    customer = values[SharedArguments.customer]
    at = values[SharedArguments.at] ?? .now
    knownAt = values[SharedArguments.knownAt]
  }
}
