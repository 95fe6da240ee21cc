internal import MembershipModel

extension Decision {
  var outputJSON: JSONValue {
    .fields([
      "customer": .id(customer), "entitlement": .id(entitlement), "entitled": .bool(isEntitled),
      "reason": .string(reason.rawValue), "assumed": .bool(isAssumed), "from": .time(from),
      "until": .time(until), "validFrom": .time(validFrom), "validUntil": .time(validUntil),
      "memberships": .ids(memberships), "grants": .ids(grants), "evidence": .ids(evidence),
      "position": .position(position), "at": .time(at), "knownAt": .position(knownAt),
      "environment": .string(environment.name),
    ])
  }

  /// The answer for people: one line, and below it what it rests on.
  func outputLines(style: TextStyle, now: Timestamp, isExplained: Bool) -> [String] {
    let verb = isEntitled ? "may use" : "may not use"
    let assumption = isAssumed ? " (assumed: no payment seen)" : ""
    let answer =
      "\(printable(customer.rawValue)) \(verb) \(printable(entitlement.rawValue)): "
      + "\(reason.explanation)\(assumption)"
    var rows: [(String, String)] = []
    if isEntitled {
      rows.append(("access", Self.stretch(from, until, now, style)))
    }
    rows.append(("unchanged", Self.stretch(validFrom, validUntil, now, style)))
    if !memberships.isEmpty { rows.append(("membership", Self.list(memberships))) }
    if !grants.isEmpty { rows.append(("grant", Self.list(grants))) }
    rows.append(("asked", asked))
    if isExplained { rows.append(("evidence", evidence.isEmpty ? "none" : Self.list(evidence))) }
    return [style.paint(answer, isEntitled ? .green : .red)] + factLines(rows, style: style)
  }

  private var asked: String {
    let known = knownAt == nil ? "position \(position), the last" : "position \(position)"
    return "about \(TimeText.absolute(at)) in \(environment.name), known up to \(known)"
  }

  private static func list<Kind>(_ ids: [Identifier<Kind>]) -> String {
    ids.map { printable($0.rawValue) }.joined(separator: ", ")
  }

  private static func stretch(
    _ from: Timestamp?, _ until: Timestamp?, _ now: Timestamp, _ style: TextStyle
  ) -> String {
    func told(_ time: Timestamp) -> String {
      "\(TimeText.absolute(time)) (\(TimeText.relative(time, to: now)))"
    }
    let (start, end) = (from.map(told) ?? "since ever", until.map(told) ?? "no end known")
    return "\(start) \(style.glyphs.to) \(end)"
  }
}

/// Indented lines of a name and what is said of it, the names in one column.
func factLines(_ rows: [(name: String, text: String)], style: TextStyle) -> [String] {
  let width = rows.map { displayWidth($0.name) }.max() ?? 0
  return rows.map { "  " + style.paint(padded($0.name, to: width), .faint) + "  " + $0.text }
}

extension DecisionReason {
  /// The reason with what it means, for people.
  var explanation: String {
    let meaning =
      switch self {
      case .granted: "a membership or a grant gives it"
      case .grace: "the period is not paid, and access goes on for a while"
      case .none: "nothing that the customer has gives it"
      case .expired: "what gave it has run out"
      case .cancelled: "what gave it was cancelled"
      case .refunded: "the payment for it was given back"
      case .revoked: "it was taken back"
      case .held: "a hold rests it"
      case .paused: "a pause rests it"
      case .notStarted: "it begins later"
      case .unknownEntitlement: "no revision of the catalog has this entitlement"
      case .unknownCustomer: "nothing is known of this customer"
      @unknown default: "see the manual"
      }
    return "\(rawValue), \(meaning)"
  }
}
