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
