internal import MembershipLedger
internal import MembershipModel

/// `ledger catalog`: what is sold and what it gives.
enum CatalogCommand {
  static let spec = CommandSpec(
    "catalog", group: .record, abstract: "Revise the catalog, or show it",
    discussion: [
      """
      The catalog says which entitlements a product gives and under which names the stores sell \
      it. A purchase is read under the revision in force when it was made; before the first \
      revision, under the first.
      """,
      """
      A revision is one record of the log, of at most 65,535 bytes: some hundreds of products.
      """,
    ],
    subcommands: [CatalogApplyCommand.spec, CatalogShowCommand.spec])
}

/// `ledger catalog apply`: a new revision.
struct CatalogApplyCommand: Command {
  static let file: Argument<InputFile> = .operand(
    "FILE", help: "The whole catalog as JSON, or - for standard input.")
  static let appliesTo: Argument<CohortName?> = .option(
    "applies-to", help: "Whom the revision touches. Default: new-purchases.")
  static let from: Argument<TimeValue?> = .option(
    "from", help: "When the revision takes effect. Default: now.")
  static let dryRun: Argument<Bool> = .flag(
    "dry-run", help: "Record nothing; list who would gain and lose what.")

  static let spec = CommandSpec(
    "apply", group: .record, abstract: "Record a revision of the catalog",
    options: [appliesTo.definition, from.definition, dryRun.definition],
    operands: [file.definition],
    exitStatuses: [(.badData, "The file is not JSON, or not a catalog.")],
    examples: [
      .init("ledger catalog apply catalog.json", "Record a revision for new purchases"),
      .init(
        "ledger catalog apply catalog.json --applies-to everyone --dry-run",
        "See whom a revision for everyone would touch"),
    ],
    command: CatalogApplyCommand.init)

  let file: InputFile
  let appliesTo: CohortName
  let from: TimeValue
  let isDryRun: Bool

  init(_ values: ParsedValues) {
    file = values[Self.file]
    appliesTo = values[Self.appliesTo] ?? .newPurchases
    from = values[Self.from] ?? .now
    isDryRun = values[Self.dryRun]
  }
}

/// `ledger catalog show`: the revision in force.
struct CatalogShowCommand: Command {
  static let at: Argument<TimeValue?> = .option(
    "at", help: "The instant of a first purchase to show it for. Default: the newest revision.")

  static let spec = CommandSpec(
    "show", group: .ask, abstract: "Show the catalog",
    discussion: ["It prints a file that catalog apply takes."],
    options: [at.definition, SharedArguments.knownAt.definition],
    command: CatalogShowCommand.init)

  let at: TimeValue?
  let knownAt: LogPoint?

  init(_ values: ParsedValues) {
    at = values[Self.at]
    knownAt = values[SharedArguments.knownAt]
  }
}

extension CatalogApplyCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let catalog = try catalog(in: context)
    let revision = CatalogRevision(
      catalog: catalog, appliesTo: appliesTo.cohort, from: from.instant(at: context.now))
    let event = context.event(Fact(.catalogRevised(revision)))
    if isDryRun {
      let ledger = try context.openForReading()
      try ledger.validate(event)
      try print(revision, nil, impacts: impacts(of: revision, in: ledger), context)
    } else {
      let ledger = try context.openForWriting()
      let receipt = try ledger.append(event)
      try print(revision, receipt.position, impacts: [], context)
    }
    return .done
  }

  private func catalog(in context: CommandContext) throws -> Catalog {
    let catalog: Catalog
    do {
      catalog = try Catalog(parsing: context.read(file))
    } catch let error as InvalidValue {
      throw CommandFailure(.badData, "\(printable(file.name)): \(printable("\(error)"))")
    }
    if catalog.products.isEmpty, catalog.entitlements.isEmpty {
      throw CommandFailure(
        .badData, "\(printable(file.name)): the catalog has no products and no entitlements",
        hint: "A catalog is the whole of what is sold; it lists at least one of either.")
    }
    return catalog
  }

  private typealias Impact = (environment: Environment, change: AccessChange)

  private func impacts(of revision: CatalogRevision, in ledger: Ledger) throws -> [Impact] {
    try EnvironmentName.allCases.map(\.environment).flatMap { environment in
      try ledger.preview(revision, in: environment).map { (environment, $0) }
    }
  }

  private func print(
    _ revision: CatalogRevision, _ position: Position?, impacts: [Impact],
    _ context: CommandContext
  ) throws {
    if context.printsJSON {
      try context.printJSON(
        .fields([
          "dryRun": .bool(isDryRun), "position": .position(position),
          "appliesTo": .string(revision.appliesTo.name), "from": .time(revision.from),
          "changes": .array(
            impacts.map {
              .object(
                $0.change.fields + [.init("environment", .string($0.environment.name))])
            }),
        ]))
      return
    }
    if let position {
      try context.output.line("appended \(position) catalogRevised")
      return
    }
    guard !impacts.isEmpty else {
      try context.output.line("nobody would gain or lose anything")
      return
    }
    var table = TextTable([
      .init("CUSTOMER"), .init("CHANGE"), .init("ENTITLEMENT"), .init("FROM"), .init("UNTIL"),
      .init("ENVIRONMENT"),
    ])
    for (environment, change) in impacts {
      table.addRow([
        .init(change.customer.rawValue),
        .init(change.isGained ? "gains" : "loses", change.isGained ? .green : .red),
        .init(change.entitlement.rawValue), .init(change.from.map(TimeText.absolute)),
        .init(change.until.map(TimeText.absolute)), .init(environment.name),
      ])
    }
    try context.output.lines(table.lines(style: context.style))
  }
}

extension CatalogShowCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    guard let revision = try revision(in: context) else {
      try context.say("no catalog was applied yet")
      try context.output.write(Catalog(entitlements: [], products: []).fileText())
      return .done
    }
    if !context.printsJSON, let from = revision.from {
      try context.say(
        "from \(TimeText.absolute(from)), for \(revision.appliesTo.name)")
    }
    try context.output.write(revision.catalog.fileText())
    return .done
  }

  private func revision(in context: CommandContext) throws -> CatalogRevision? {
    let ledger = try context.openForReading()
    let instant = at?.instant(at: context.now)
    guard let knownAt else { return try ledger.catalog(at: instant) }
    return try ledger.asKnown(at: knownAt.point(at: context.now)).catalog(at: instant)
  }
}
