internal import FoundationEssentials
internal import LedgerStorage

/// `ledger demo`: a whole tour.
struct DemoCommand: Command {
  static let keep: Argument<Folder?> = .option(
    "keep", help: "Leave the tour's ledger in this new or empty folder. Default: it is removed.")

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

extension DemoCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    if let keep { try requireFree(keep) }
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "ledger-demo-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    var tour = DemoTour(
      context,
      stage: DemoStage(
        ledger: keep?.path ?? "\(scratch)/membership.ledger", scratch: scratch,
        style: context.style))
    try tour.take(DemoScript.steps)
    let ledger = keep.map { printable($0.path) }
    try context.say(
      ledger.map { "\nGo on with: ledger --ledger \($0) timeline user_42 --at 2026-03-31" }
        ?? "\nTo keep the tour's ledger and look around: ledger demo --keep tour.ledger")
    return .done
  }

  /// Says that the folder is taken before the tour begins, not in the middle of it.
  private func requireFree(_ folder: Folder) throws {
    guard try !FileSystem.isFree(folder.path) else { return }
    throw CommandFailure(
      .inputOutput, "\(printable(folder.path)): there is something already",
      hint: "Name a new or empty folder with --keep; the tour makes a ledger of its own there.")
  }
}
