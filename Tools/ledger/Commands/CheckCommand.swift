internal import MembershipLedger
internal import MembershipModel

/// `ledger check`: whether a customer may use a feature, and why.
struct CheckCommand: Command {
  static let explain: Argument<Bool> = .flag(
    "explain", help: "Refold from the log and name the events that the answer rests on.")

  static let spec = CommandSpec(
    "check", group: .ask, abstract: "Answer whether a customer may use a feature, and why",
    discussion: [
      """
      The answer says from when until when neither it nor its reason changes if nothing new is \
      recorded.
      """
    ],
    options: [
      SharedArguments.at.definition, SharedArguments.knownAt.definition,
      SharedArguments.environment.definition, explain.definition,
    ],
    operands: [SharedArguments.customer.definition, SharedArguments.entitlement.definition],
    exitStatuses: [(.done, "The customer is entitled."), (.no, "The customer is not entitled.")],
    examples: [
      .init("ledger check user_42 premium_tier", "Ask about now"),
      .init(
        "ledger check user_42 premium_tier --at 2026-12-03 --known-at 120",
        "Ask what was known at position 120 about a day"),
    ],
    command: CheckCommand.init)

  let customer: CustomerID
  let entitlement: EntitlementKey
  let at: TimeValue
  let knownAt: LogPoint?
  let environment: EnvironmentName
  let explains: Bool

  init(_ values: ParsedValues) {
    customer = values[SharedArguments.customer]
    entitlement = values[SharedArguments.entitlement]
    at = values[SharedArguments.at] ?? .now
    knownAt = values[SharedArguments.knownAt]
    environment = values[SharedArguments.environment] ?? .production
    explains = values[Self.explain]
  }
}

extension CheckCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let decision = try decision(in: context)
    if context.printsJSON {
      try context.printJSON(decision.outputJSON)
    } else {
      try context.output.lines(
        decision.outputLines(style: context.style, now: context.now, isExplained: explains))
    }
    return decision.isEntitled ? .done : .no
  }

  private func decision(in context: CommandContext) throws -> Decision {
    let ledger = try context.openForReading()
    let instant = at.instant(at: context.now)
    guard let knownAt else {
      return try ledger.decision(
        for: customer, on: entitlement, at: instant, in: environment.environment,
        explained: explains)
    }
    return try ledger.asKnown(at: knownAt.point(at: context.now)).decision(
      for: customer, on: entitlement, at: instant, in: environment.environment,
      explained: explains)
  }
}

extension LogPoint {
  /// The point that is meant when it is `present` now.
  func point(at present: Timestamp) -> KnowledgePoint {
    switch self {
    case .position(let position): .position(Position(position))
    case .time(let time): .time(time.instant(at: present))
    }
  }
}
