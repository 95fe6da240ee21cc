import MembershipModel

extension Event {
  /// The largest event that a record holds with its provenance.
  private static let maximumSize = 60_000

  /// The event itself, or a note of it where a record cannot hold what it states.
  func fittingRecord(type: String, subject: String) -> Event {
    guard encoded().count > Self.maximumSize else { return self }
    let reason = "it states more than a record holds"
    var event = self
    event.facts = [Fact(.noted(Note(type: type, subject: subject, reason: reason)))]
    return event
  }
}
