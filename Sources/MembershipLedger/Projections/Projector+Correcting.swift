extension Projector {
  /// Folds a record that corrects another: what that one bears on is folded anew without it.
  mutating func correct(
    by record: RecordedEvent, _ correction: Correction
  ) throws(LedgerError) -> Fold<OverlayStore>.Effect {
    let target = try self.record(at: correction.position)
    guard target.event.id == correction.event else {
      throw LedgerError(
        .damaged,
        "record \(record.position) corrects \(correction.event) at position "
          + "\(correction.position), where \(target.event.id) is; restore a backup")
    }
    let corrections = EntityKey.corrections(of: correction.event, record.event.environment)
    let earlier = try records(about: [corrections])
    let things = try fold.things(correctedBy: record, [target] + earlier)
    var effect = try fold.refold(things, by: record, records(about: things))
    effect.subjects.insert(corrections)
    // Whoever reads about what the others were about has to come upon the correction.
    for former in [target] + earlier { effect.subjects.formUnion(former.event.subjects) }
    return effect
  }

  /// The records about some things, in the order of their positions.
  private mutating func records(
    about things: Set<EntityKey>
  ) throws(LedgerError) -> [RecordedEvent] {
    var positions: Set<Position> = []
    for key in things { positions.formUnion(try fold.store.allIndexed(key)) }
    var records: [RecordedEvent] = []
    for position in positions.sorted() { records.append(try record(at: position)) }
    return records
  }

  private func record(at position: Position) throws(LedgerError) -> RecordedEvent {
    guard let source else { preconditionFailure("a correction needs the records before it") }
    return try source.record(at: position)
  }
}
