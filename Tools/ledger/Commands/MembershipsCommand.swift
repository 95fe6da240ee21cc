internal import MembershipModel

/// `ledger memberships`: the memberships of a customer or of all.
struct MembershipsCommand: Command {
  static let customer: Argument<CustomerID?> = .optionalOperand(
    "CUSTOMER", help: "Whose memberships; without it, everyone's.")
  static let status: Argument<[MembershipStatus]> = .repeatedOption(
    "status",
    help: """
      Only those of this status; may be given several times. One of \
      \(MembershipStatus.allCases.map(\.rawValue).joined(separator: ", ")).
      """)

  static let spec = CommandSpec(
    "memberships", group: .ask, abstract: "List memberships with their status",
    options: [
      status.definition, SharedArguments.at.definition, SharedArguments.knownAt.definition,
    ],
    operands: [customer.definition],
    examples: [
      .init("ledger memberships user_42", "List a customer's memberships"),
      .init("ledger memberships --status past_due --json", "List everyone's that are past due"),
    ],
    command: MembershipsCommand.init)

  let customer: CustomerID?
  let statuses: [MembershipStatus]
  let at: TimeValue
  let knownAt: LogPoint?

  init(_ values: ParsedValues) {
    customer = values[Self.customer]
    statuses = values[Self.status]
    at = values[SharedArguments.at] ?? .now
    knownAt = values[SharedArguments.knownAt]
  }
}
