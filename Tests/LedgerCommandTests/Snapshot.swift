import FoundationEssentials
import Testing

/// Compares a text with the file of that name in `Snapshots`.
///
/// With `LEDGER_RECORD_SNAPSHOTS` set to 1 the file is written instead; review it like code.
func expectSnapshot(
  _ text: String, named name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Snapshots/\(name)")
  if ProcessInfo.processInfo.environment["LEDGER_RECORD_SNAPSHOTS"] == "1" {
    try Data(text.utf8).write(to: file)
    return
  }
  guard let recorded = try? String(contentsOf: file, encoding: .utf8) else {
    Issue.record("there is no snapshot \(name)", sourceLocation: sourceLocation)
    return
  }
  #expect(text == recorded, "\(name) differs", sourceLocation: sourceLocation)
}
