/// `ledger backup`: a copy while the ledger is in use.
struct BackupCommand: Command {
  static let folder: Argument<Folder> = .operand(
    "DIR", help: "Where the copy goes; it must not exist yet.")

  static let spec = CommandSpec(
    "backup", group: .audit, abstract: "Copy the ledger while it is in use",
    discussion: ["The copy is one consistent state, and a ledger itself."],
    operands: [folder.definition],
    examples: [.init("ledger backup /backup/shop.ledger", "Copy a ledger")],
    command: BackupCommand.init)

  let folder: Folder

  init(_ values: ParsedValues) {
    folder = values[Self.folder]
  }
}
