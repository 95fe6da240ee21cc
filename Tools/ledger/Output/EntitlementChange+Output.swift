internal import MembershipModel

extension EntitlementChange {
  var outputJSON: JSONValue {
    .fields([
      "sequence": .count(sequence), "customer": .id(customer),
      "customerSequence": .count(customerSequence), "at": .time(at), "gained": .ids(gained),
      "lost": .ids(lost), "entitlements": .ids(entitlements),
      "cause": .fields(["type": .string(cause.name), "event": .id(cause.event)]),
      "position": .position(position), "recordedAt": .time(recordedAt),
      "leadsTo": .id(leadsTo), "environment": .string(environment.name),
    ])
  }

  /// One line: which, when, whose, what, and why.
  func outputLine(style: TextStyle) -> String {
    let flips =
      gained.map { style.paint("+" + printable($0.rawValue), .green) }
      + lost.map { style.paint("-" + printable($0.rawValue), .red) }
    let place = environment == .production ? "" : " [\(environment.name)]"
    let heir = leadsTo.map { " \(style.glyphs.to) \(printable($0.rawValue))" } ?? ""
    return padded(String(sequence), to: 6, alignment: .right)
      + "  " + padded(TimeText.absolute(at), to: 20)
      + "  " + style.paint(padded(printable(customer.rawValue), to: 18), .cyan)
      + "  " + flips.joined(separator: " ") + heir + place
      + "  " + style.paint(cause.event.map { printable($0.rawValue) } ?? "time", .faint)
  }
}

extension EntitlementChange.Cause {
  fileprivate var name: String {
    switch self {
    case .event: "event"
    case .time: "time"
    @unknown default: "unrecognized"
    }
  }
}
