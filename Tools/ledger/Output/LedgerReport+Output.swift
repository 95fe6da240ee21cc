internal import MembershipLedger
internal import MembershipModel

extension LedgerReport {
  /// Prints what a replay or a verification found.
  func print(_ title: String, in context: CommandContext) throws {
    if context.printsJSON {
      try context.printJSON(outputJSON)
      return
    }
    let count = differences.count
    let verdict =
      isSound
      ? "\(title): sound" : "\(title): \(count) \(count == 1 ? "difference" : "differences")"
    try context.output.line(context.style.paint(verdict, isSound ? .green : .red))
    var rows: [(String, String)] = [
      ("events", grouped(Int(clamping: events))), ("rows", grouped(rows)), ("root", root),
    ]
    if !digest.isEmpty { rows.append(("digest", digest)) }
    if missingDocuments > 0 {
      rows.append(("documents", "\(grouped(missingDocuments)) are not kept any more"))
    }
    if let foreignProjections {
      rows.append(
        (
          "projections",
          "made by version \(foreignProjections), not compared; ledger rebuild makes them anew"
        ))
    }
    try context.output.lines(factLines(rows, style: context.style))
    for difference in differences { try context.output.line("  ! \(printable(difference))") }
  }

  private var outputJSON: JSONValue {
    .fields([
      "ok": .bool(isSound), "events": .count(events), "rows": .count(rows),
      "missingDocuments": .count(missingDocuments),
      "foreignProjections": foreignProjections.map { .count($0) } ?? .null, "root": .string(root),
      "digest": .text(digest.isEmpty ? nil : digest),
      "differences": .array(differences.map { .string($0) }),
    ])
  }
}
