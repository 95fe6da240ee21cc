internal import MembershipLedger
internal import MembershipModel

extension LedgerStatistics {
  func outputJSON(path: String) -> JSONValue {
    .fields([
      "ledger": .string(path), "events": .count(events), "root": .string(root),
      "lastRecordedAt": .time(lastRecordedAt),
      "clockBehindMilliseconds": .count(clockLag.milliseconds),
      "usedBytes": .count(usedBytes),
      "documents": documents.map { .count($0) } ?? .null,
      "documentsFault": .text(documentsFault), "readers": .count(readers),
      "maximumReaders": .count(maximumReaders), "oldestReaderLag": .count(oldestReaderLag),
      "projectionVersion": .count(projectionVersion),
      "tables": .array(
        tables.map {
          .fields(["name": .string($0.name), "rows": .count($0.rows), "pages": .count($0.pages)])
        }),
    ])
  }

  func outputLines(path: String, now: Timestamp, style: TextStyle) -> [String] {
    let last = lastRecordedAt.map { TimeText.both($0, at: now) } ?? "never"
    let clock =
      clockLag == .zero
      ? "not behind" : "\(clockLag.milliseconds / 1000) seconds behind the newest event"
    let lines = factLines(
      [
        ("ledger", printable(path)), ("events", grouped(Int(clamping: events))),
        ("recorded", last), ("clock", clock), ("root", root),
        ("in use", "\(grouped(usedBytes)) bytes"),
        ("documents", documentsText),
        ("readers", "\(readers) of \(maximumReaders), \(oldestReaderLag) commits behind at most"),
        ("projections", "version \(projectionVersion)"),
      ], style: style)
    var table = TextTable([
      .init("TABLE"), .init("ROWS", alignment: .right), .init("PAGES", alignment: .right),
    ])
    for size in tables {
      table.addRow([.init(size.name), .init(grouped(size.rows)), .init(grouped(size.pages))])
    }
    return lines + [""] + table.lines(style: style).map { "  " + $0 }
  }

  private var documentsText: String {
    if let documentsFault { return "cannot be read: \(printable(documentsFault))" }
    return documents.map(grouped) ?? "none"
  }
}
