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
      """
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
  static let spec = CommandSpec(
    "show", group: .ask, abstract: "Show the catalog in force",
    discussion: ["With --json it prints a file that catalog apply takes."],
    command: CatalogShowCommand.init)

  init(_ values: ParsedValues) {}
}
