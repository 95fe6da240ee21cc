internal import MembershipLedger
internal import MembershipModel

/// `ledger transfer`: a membership moves to another customer.
struct TransferCommand: Command {
  static let membership: Argument<MembershipID> = .operand(
    "MEMBERSHIP", help: "The membership, such as stripe:sub_1.",
    completion: LedgerCandidates.memberships)
  static let customer: Argument<CustomerID?> = .optionalOperand(
    "CUSTOMER", help: "Who holds it from then on; not with --undo.",
    completion: LedgerCandidates.customers)
  static let reason: Argument<String> = .requiredOption(
    "reason", placeholder: "REASON", help: "Why it moves; recorded for ever.")
  static let at: Argument<TimeValue?> = .option(
    "at", help: "From when on it moves. Default: now.")
  static let undo: Argument<Bool> = .flag(
    "undo", help: "Undo the transfer that was decided last instead.")

  static let spec = CommandSpec(
    "transfer", group: .record, abstract: "Move a membership to another customer",
    discussion: [
      """
      The customer holds it from the instant on; before, the former holder held it. What is \
      planned for it, such as a cancellation, goes with it. An account that is nobody's takes \
      nothing from a customer.
      """,
      """
      A membership that comes back within 30 days to customers who had left it, twice or more, is \
      reported.
      """,
    ],
    options: [
      reason.definition, at.definition, undo.definition, DecisionOptions.actor.definition,
      DecisionOptions.environment.definition,
    ],
    operands: [membership.definition, customer.definition],
    exitStatuses: [
      (
        .no,
        "There is no such membership, nothing to undo, or the customer is an account of nobody's."
      )
    ],
    examples: [
      .init(
        "ledger transfer stripe:sub_1 user_43 --reason 'sold it'", "Move a membership now"),
      .init("ledger transfer stripe:sub_1 --undo --reason mistake", "Give it back"),
    ],
    command: TransferCommand.init)

  let membership: MembershipID
  let customer: CustomerID?
  let reason: String
  let at: TimeValue?
  let undoes: Bool
  let actor: String?
  let environment: EnvironmentName

  init(_ values: ParsedValues) {
    membership = values[Self.membership]
    customer = values[Self.customer]
    reason = values[Self.reason]
    at = values[Self.at]
    undoes = values[Self.undo]
    actor = values[DecisionOptions.actor]
    environment = values[DecisionOptions.environment] ?? .production
  }
}

extension TransferCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let outcome = try outcome(in: context)
    if outcome.receipt == nil {
      try context.say("\(printable(outcome.to.rawValue)) holds the membership already")
    }
    if context.printsJSON {
      try context.printJSON(outcome.outputJSON)
    } else if let receipt = outcome.receipt {
      try context.output.line("appended \(receipt.position) transferred")
    }
    if outcome.receipt != nil { try outcome.lineage.warnOfPingPong(context) }
    return .done
  }

  private func outcome(in context: CommandContext) throws -> TransferOutcome {
    let attribution = context.attribution(actor: actor, reason: reason)
    let (instant, place) = (at?.instant(at: context.now), environment.environment)
    switch (customer, undoes) {
    case (let customer?, false):
      return try context.openForWriting().transfer(
        membership, to: customer, at: instant, by: attribution, in: place)
    case (nil, true):
      return try context.openForWriting().undoTransfer(
        of: membership, at: instant, by: attribution, in: place)
    default:
      throw UsageError(
        in: [CommandTable.root, Self.spec], "either CUSTOMER or --undo is given",
        hint: "A transfer names its customer; its undoing goes back to whom it was taken from.")
    }
  }
}

extension TransferOutcome {
  fileprivate var outputJSON: JSONValue {
    .fields([
      "membership": .id(membership), "from": .id(from), "customer": .id(to), "at": .time(at),
      "undoes": .id(undoes), "pingPong": .bool(lineage.isPingPong),
      "position": .position(receipt?.position),
    ])
  }
}
