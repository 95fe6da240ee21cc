internal import LedgerCrypto

extension RecordedEvent {
  /// The event that corrects this one.
  ///
  /// Everything but the facts, and whom they are about, is the corrected event's, so that the facts
  /// weigh as its own did.
  ///
  /// - Parameters:
  ///   - number: Which correction of the event it is, from 1 on.
  ///   - reading: What the event should have said; nil is nothing.
  /// - Returns: The correction.
  package func correction(number: Int, stating reading: Event?) -> Event {
    var correction = event
    correction.id = event.id.correction(number: number)
    // Whom the event names counts like its facts: where it says nothing, not even that.
    correction.account = reading?.account
    correction.customer = reading?.customer
    if let reading {
      correction.effectiveAt = reading.effectiveAt
      correction.ordering = reading.ordering
    }
    let stated = Correction(event: event.id, position: position)
    correction.facts = [Fact(.corrected(stated))] + (reading?.facts ?? [])
    return correction
  }
}

extension EventID {
  /// The id of a correction of the event with this id.
  ///
  /// It follows from the id alone, for ids decide where nothing else does, and that must not depend
  /// on the order of arrival.
  fileprivate func correction(number: Int) -> EventID {
    let suffix = "~\(number)"
    if rawValue.utf8.count + suffix.utf8.count <= EventID.maximumLength {
      return EventID(unchecked: rawValue + suffix)
    }
    let provider = rawValue.prefix { $0 != ":" }
    return EventID(unchecked: "\(provider):\(SHA256.hash(Array(rawValue.utf8)))\(suffix)")
  }
}
