internal import MembershipLedger
internal import MembershipModel

/// `ledger rebuild`: the projections made anew.
struct RebuildCommand: Command {
  static let spec = CommandSpec(
    "rebuild", group: .audit, abstract: "Make the projections anew from the log",
    discussion: [
      """
      They are written beside the old ones and take their place in one commit. The log does not \
      change.
      """
    ],
    command: RebuildCommand.init)

  init(_ values: ParsedValues) {}
}

extension RebuildCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForWriting()
    let progress = context.progress("rebuilding")
    let position = try ledger.rebuild { progress.note($0, of: $1) }
    try progress.finish()
    if context.printsJSON {
      try context.printJSON(.fields(["position": .position(position)]))
    } else {
      try context.output.line("rebuilt the projections from \(position) events")
    }
    return .done
  }
}
