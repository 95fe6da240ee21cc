internal import MembershipLedger
internal import MembershipModel

/// `ledger verify`: every record read and every hash recomputed.
struct VerifyCommand: Command {
  static let spec = CommandSpec(
    "verify", group: .audit, abstract: "Read every record and check every hash and index",
    discussion: [
      """
      A provider's document that is missing is reported; it takes nothing away and is no damage.
      """
    ],
    exitStatuses: [(.damage, "Damage was found; each finding is listed.")],
    command: VerifyCommand.init)

  init(_ values: ParsedValues) {}
}

extension VerifyCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let progress = context.progress("verifying")
    let report = try Ledger.verify(context.ledgerPath) { progress.note($0, of: $1) }
    try progress.finish()
    try report.print("verify", in: context)
    return report.isSound ? .done : .damage
  }
}
