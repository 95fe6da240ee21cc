internal import MembershipLedger
internal import MembershipModel

/// `ledger replay`: the log folded from nothing.
struct ReplayCommand: Command {
  static let until: Argument<LogPoint?> = .option(
    "until", help: "Fold only up to here. Default: the whole log.")

  static let spec = CommandSpec(
    "replay", group: .audit, abstract: "Fold the log from nothing and compare",
    discussion: [
      """
      The projections that follow from the log are compared byte for byte with the stored ones. \
      With --until there is nothing stored to compare with; the digest tells two replays apart.
      """
    ],
    options: [until.definition],
    exitStatuses: [(.no, "The stored projections differ."), (.damage, "A record is damaged.")],
    command: ReplayCommand.init)

  let until: LogPoint?

  init(_ values: ParsedValues) {
    until = values[Self.until]
  }
}

extension ReplayCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForReading()
    let progress = context.progress("replaying")
    let report = try ledger.replay(until: until?.point(at: context.now)) {
      progress.note($0, of: $1)
    }
    try progress.finish()
    try report.print("replay", in: context)
    return report.isSound ? .done : .no
  }
}
