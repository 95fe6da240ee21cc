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
