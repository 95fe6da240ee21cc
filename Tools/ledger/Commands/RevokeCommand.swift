internal import MembershipLedger
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

extension RevokeCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForWriting()
    guard let (customer, environment) = try holder(in: ledger) else {
      throw CommandFailure(
        .no, "there is no grant \(printable(grant.rawValue))",
        hint: "'ledger entitlements CUSTOMER' lists a customer's grants.")
    }
    if let revokedAt = try ledger.revocation(ofGrant: grant, in: environment) {
      // A second revocation would move the end; the first one stands.
      try context.say("the grant ended already, \(TimeText.both(revokedAt, at: context.now))")
      try print(nil, customer, revokedAt, context)
      return .done
    }
    let receipt = try ledger.append(
      context.event(
        in: environment, customer: customer, reason: reason,
        Fact(.grantRevoked(ManualGrantRevocation(id: grant, at: context.now, reason: reason)))))
    try print(receipt.position, customer, context.now, context)
    return .done
  }

  private func holder(in ledger: Ledger) throws -> (CustomerID, Environment)? {
    for environment in EnvironmentName.allCases.map(\.environment) {
      if let customer = try ledger.customer(ofGrant: grant, in: environment) {
        return (customer, environment)
      }
    }
    return nil
  }

  private func print(
    _ position: Position?, _ customer: CustomerID, _ at: Timestamp, _ context: CommandContext
  ) throws {
    if context.printsJSON {
      try context.printJSON(
        .fields([
          "grant": .id(grant), "customer": .id(customer), "until": .time(at),
          "position": .position(position),
        ]))
    } else if let position {
      try context.output.line("appended \(position) grantRevoked")
    }
  }
}
