import MembershipModel

/// Collects the facts that a document states.
struct FactCollector {
  let faults: DocumentFaults
  private(set) var facts: [Fact] = []

  init(faults: DocumentFaults) {
    self.faults = faults
  }

  mutating func state(
    _ body: Fact.Body, of membership: MembershipID? = nil, references: [ReferenceID] = [],
    writtenAt: Timestamp? = nil
  ) {
    facts.append(
      Fact(body, membership: membership, references: references, writtenAt: writtenAt))
  }

  /// Says why something has no effect.
  func note(_ reason: String) {
    faults.note(reason)
  }

  /// All facts, with one note where something has no effect or where there is no fact at all.
  func finished(type: String, subject: String) -> [Fact] {
    guard facts.isEmpty || !faults.reasons.isEmpty else { return facts }
    let reason = faults.reasons.joined(separator: "; ")
    return facts + [
      Fact(.noted(Note(type: type, subject: subject, reason: String(reason.prefix(2000)))))
    ]
  }
}
