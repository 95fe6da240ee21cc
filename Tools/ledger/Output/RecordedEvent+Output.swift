internal import MembershipModel

extension RecordedEvent {
  var outputJSON: JSONValue {
    let provenance = event.provenance
    return .fields([
      "position": .position(position), "id": .id(event.id), "recordedAt": .time(recordedAt),
      "effectiveAt": .time(event.effectiveAt), "provider": .string(event.provider.rawValue),
      "environment": .string(event.environment.name), "origin": .string(provenance.origin.name),
      "customer": .id(event.customer), "account": .id(event.account),
      "memberships": .ids(memberships), "facts": .array(event.facts.map(\.json)),
      "verification": .string(provenance.verification.verdict.name),
      "verifiedBy": .text(Self.given(provenance.verification.method)),
      "document": provenance.document.isEmpty ? .null : Bytes(provenance.document).json,
      "actor": .text(Self.given(event.actor)), "reason": .text(Self.given(event.reason)),
    ])
  }

  /// One line: where, when, about whom, what, and its id.
  func outputLine(style: TextStyle) -> String {
    let who = event.customer?.rawValue ?? event.account?.rawValue ?? "-"
    let facts = event.facts.map { fact in
      if case .noted(let note) = fact.body { "noted \(note.type)" } else { fact.body.name }
    }
    let place = event.environment == .production ? "" : " [\(event.environment.name)]"
    return padded(position.description, to: 6, alignment: .right)
      + "  " + padded(TimeText.absolute(event.effectiveAt), to: 20)
      + "  " + style.paint(padded(printable(who), to: 18), .cyan)
      + "  " + printable(facts.joined(separator: " ") + place)
      + "  " + style.paint(printable(event.id.rawValue), .faint)
  }

  /// The memberships that the event's facts are about, each once, in the order of the facts.
  private var memberships: [MembershipID] {
    var seen: Set<MembershipID> = []
    return event.facts.compactMap(\.membership).filter { seen.insert($0).inserted }
  }

  private static func given(_ text: String) -> String? { text.isEmpty ? nil : text }
}
