/// `ledger demo`: a whole tour.
struct DemoCommand: Command {
  static let keep: Argument<Folder?> = .option(
    "keep", help: "Leave the tour's ledger in this folder. Default: it is removed at the end.")

  static let spec = CommandSpec(
    "demo", group: .start, abstract: "Take a tour on a ledger made for it",
    discussion: [
      """
      The tour makes a ledger, applies a catalog, takes in webhooks in their real shape, checks \
      entitlements now and then, draws a timeline, and ends with replay and verify. It touches no \
      other ledger.
      """
    ],
    options: [keep.definition],
    examples: [.init("ledger demo --keep tour.ledger", "Take the tour and keep its ledger")],
    command: DemoCommand.init)

  let keep: Folder?

  init(_ values: ParsedValues) {
    keep = values[Self.keep]
  }
}
