internal import MembershipModel

/// `ledger revoke`: the end of a grant by hand.
struct RevokeCommand: Command {
  static let grant: Argument<GrantID> = .operand(
    "GRANT", help: "The grant's id, as grant printed it.")
  static let reason: Argument<String> = .requiredOption(
    "reason", placeholder: "REASON", help: "Why it ends; recorded for ever.")

  static let spec = CommandSpec(
    "revoke", group: .record, abstract: "End a grant that was given by hand",
    discussion: ["What the customer holds from another source stays."],
    options: [reason.definition], operands: [grant.definition],
    exitStatuses: [(.no, "There is no such grant.")],
    command: RevokeCommand.init)

  let grant: GrantID
  let reason: String

  init(_ values: ParsedValues) {
    grant = values[Self.grant]
    reason = values[Self.reason]
  }
}
