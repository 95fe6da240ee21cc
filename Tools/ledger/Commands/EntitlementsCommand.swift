internal import MembershipLedger
internal import MembershipModel

/// `ledger entitlements`: everything that a customer may use.
struct EntitlementsCommand: Command {
  static let spec = CommandSpec(
    "entitlements", group: .ask, abstract: "List what a customer may use",
    discussion: ["Only what gives access at the instant asked about is listed, with its source."],
    options: [
      SharedArguments.at.definition, SharedArguments.knownAt.definition,
      SharedArguments.environment.definition,
    ],
    operands: [SharedArguments.customer.definition],
    examples: [.init("ledger entitlements user_42", "List what a customer may use now")],
    command: EntitlementsCommand.init)

  let customer: CustomerID
  let at: TimeValue
  let knownAt: LogPoint?
  let environment: EnvironmentName

  init(_ values: ParsedValues) {
    customer = values[SharedArguments.customer]
    at = values[SharedArguments.at] ?? .now
    knownAt = values[SharedArguments.knownAt]
    environment = values[SharedArguments.environment] ?? .production
  }
}

extension EntitlementsCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let holdings = try holdings(in: context)
    if context.printsJSON {
      try context.printJSON(.array(holdings.map(\.outputJSON)))
      return .done
    }
    guard !holdings.isEmpty else {
      try context.say("\(printable(customer.rawValue)) may use nothing")
      return .done
    }
    var table = TextTable([
      .init("ENTITLEMENT"), .init("UNTIL"), .init("FROM"), .init("SOURCE"), .init("PRODUCT"),
    ])
    for holding in holdings {
      table.addRow([
        .init(holding.entitlement.rawValue, .green),
        .init(holding.until.map { TimeText.both($0, at: context.now) } ?? "for ever"),
        .init(holding.from.map(TimeText.absolute) ?? "since ever"),
        .init(holding.membership?.rawValue ?? holding.grant?.rawValue),
        .init(holding.product?.rawValue),
      ])
    }
    try context.output.lines(table.lines(style: context.style))
    return .done
  }

  private func holdings(in context: CommandContext) throws -> [EntitlementHolding] {
    let ledger = try context.openForReading()
    let instant = at.instant(at: context.now)
    guard let knownAt else {
      return try ledger.entitlements(of: customer, at: instant, in: environment.environment)
    }
    return try ledger.asKnown(at: knownAt.point(at: context.now))
      .entitlements(of: customer, at: instant, in: environment.environment)
  }
}

extension EntitlementHolding {
  fileprivate var outputJSON: JSONValue {
    .fields([
      "entitlement": .id(entitlement), "from": .time(from), "until": .time(until),
      "source": .string(source.rawValue), "membership": .id(membership), "grant": .id(grant),
      "product": .id(product),
    ])
  }
}
