internal import MembershipLedger
internal import MembershipModel

/// What came of reading a whole log's documents again.
struct ReinterpretTotal {
  private let isDryRun: Bool
  private var unchanged = 0
  private var differing = 0
  private var withdrawn = 0
  private var new = 0
  private var unreadable = 0
  private var refused = 0
  private var missing = 0
  private var leftOut = 0

  init(isDryRun: Bool) {
    self.isDryRun = isDryRun
  }

  /// Whether every document could be read as it was, and every correction recorded.
  var isWhole: Bool { unreadable == 0 && refused == 0 }

  mutating func add(_ page: Reinterpretation) {
    unchanged += page.unchanged
    missing += page.missing
    leftOut += page.leftOut
    for finding in page.findings {
      switch finding.verdict {
      case .withdrawn: withdrawn += 1
      case .new: new += 1
      case .unreadable: unreadable += 1
      default: differing += 1
      }
      if case .failure = finding.outcome { refused += 1 }
    }
  }

  var outputJSON: JSONValue {
    .fields([
      "dryRun": .bool(isDryRun), "unchanged": .count(unchanged), "differing": .count(differing),
      "withdrawn": .count(withdrawn), "new": .count(new), "unreadable": .count(unreadable),
      "refused": .count(refused), "missingDocuments": .count(missing), "leftOut": .count(leftOut),
    ])
  }

  var outputLine: String {
    let changed = differing + withdrawn + new
    let verb = isDryRun ? "would be corrected" : "corrected"
    var parts = ["\(unchanged) unchanged", "\(changed - refused) \(verb)"]
    if unreadable > 0 { parts.append("\(unreadable) unreadable") }
    if refused > 0 { parts.append("\(refused) refused") }
    if missing > 0 { parts.append("\(missing) without their document") }
    if leftOut > 0 { parts.append("\(leftOut) left out") }
    return parts.joined(separator: ", ")
  }
}

extension Reinterpretation.Finding {
  private var fault: String? {
    if case .unreadable(let reason) = verdict { return reason }
    if case .failure(let error) = outcome { return error.message }
    return nil
  }

  private var receipt: Receipt? { try? outcome?.get() }

  private var word: String {
    switch verdict {
    case .withdrawn: "withdrawn"
    case .new: "new"
    case .unreadable: "unreadable"
    default: "differs"
    }
  }

  var outputJSON: JSONValue {
    .fields([
      "event": .id(event), "position": .position(position), "verdict": .string(word),
      "before": before?.statedJSON ?? .null, "after": after?.statedJSON ?? .null,
      "recordedAs": .position(receipt?.position), "fault": .text(fault),
    ])
  }

  func outputLines(_ context: CommandContext) -> [String] {
    let style = context.style
    let place = position.map { " at \($0)" } ?? ""
    let paint: TextStyle.Paint = fault == nil ? .yellow : .red
    var lines = [style.paint(word, paint) + " \(printable(event.rawValue))\(place)"]
    if let fault { lines.append("  \(printable(fault))") }
    if case .unreadable = verdict { return lines }
    let (gone, come) = (before?.statements ?? [], after?.statements ?? [])
    lines += gone.filter { !come.contains($0) }.map { "  " + style.paint("- \($0)", .red) }
    lines += come.filter { !gone.contains($0) }.map { "  " + style.paint("+ \($0)", .green) }
    if let receipt { lines.append("  recorded at \(receipt.position)") }
    return lines
  }
}

extension Event {
  fileprivate var statedJSON: JSONValue {
    .fields([
      "effectiveAt": .time(effectiveAt), "customer": .id(customer), "account": .id(account),
      "facts": .array(facts.map(\.json)),
    ])
  }

  /// What the event says, a line for each part that a document may state otherwise.
  fileprivate var statements: [String] {
    var lines = ["at \(TimeText.absolute(effectiveAt))"]
    if let customer { lines.append("customer \(printable(customer.rawValue))") }
    if let account { lines.append("account \(printable(account.rawValue))") }
    return lines + facts.map { printable($0.json.text()) }
  }
}
