internal import MembershipLedger
internal import MembershipModel

/// `ledger memberships`: the memberships of a customer or of all.
struct MembershipsCommand: Command {
  static let customer: Argument<CustomerID?> = .optionalOperand(
    "CUSTOMER", help: "Whose memberships; without it, all, be their holder known or not.",
    completion: LedgerCandidates.customers)
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
      SharedArguments.environment.definition,
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
  let environment: EnvironmentName

  init(_ values: ParsedValues) {
    customer = values[Self.customer]
    statuses = values[Self.status]
    at = values[SharedArguments.at] ?? .now
    knownAt = values[SharedArguments.knownAt]
    environment = values[SharedArguments.environment] ?? .production
  }
}

extension MembershipsCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let found = try memberships(in: context)
      .filter { statuses.isEmpty || statuses.contains($0.status) }
    if context.printsJSON {
      try context.printJSON(.array(found.map(\.outputJSON)))
    } else if found.isEmpty {
      try context.say("there are no memberships")
    } else {
      let instant = at.instant(at: context.now)
      try context.output.lines(Membership.table(of: found, at: instant, context))
    }
    return .done
  }

  private func memberships(in context: CommandContext) throws -> [Membership] {
    let ledger = try context.openForReading()
    let (instant, place) = (at.instant(at: context.now), environment.environment)
    if let knownAt {
      let known = try ledger.asKnown(at: knownAt.point(at: context.now))
      guard let customer else { return try known.memberships(at: instant, in: place) }
      return try known.memberships(of: customer, at: instant, in: place)
    }
    guard let customer else { return try ledger.memberships(at: instant, in: place) }
    return try ledger.memberships(of: customer, at: instant, in: place)
  }
}
