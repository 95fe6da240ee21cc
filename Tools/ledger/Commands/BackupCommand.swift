internal import MembershipLedger
internal import MembershipModel

/// `ledger backup`: a copy while the ledger is in use.
struct BackupCommand: Command {
  static let folder: Argument<Folder> = .operand(
    "DIR", help: "Where the copy goes: a new or empty folder.")

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

extension BackupCommand {
  func run(in context: CommandContext) throws -> ExitCode {
    let ledger = try context.openForReading()
    try ledger.backup(to: folder.path)
    if context.printsJSON {
      try context.printJSON(.fields(["ledger": .string(folder.path)]))
    } else {
      try context.output.line("copied the ledger to \(printable(folder.path))")
    }
    return .done
  }
}
