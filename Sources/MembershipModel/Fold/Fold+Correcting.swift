/// Corrections: a state is a join, out of which nothing can be taken, so that all that an event
/// bears on is folded anew without it.
extension Fold {
  /// The things that are to be folded anew where a record corrects others, with all that they are
  /// connected with.
  ///
  /// What the others connected is noted, so that an earlier state of knowledge finds its way.
  package mutating func things(
    correctedBy record: RecordedEvent, _ corrected: [RecordedEvent]
  ) throws(Store.Failure) -> Set<EntityKey> {
    var seeds = touched(by: record)
    for former in corrected { seeds.formUnion(try leaveTrace(of: former)) }
    return try reached(from: Array(seeds))
  }

  /// Folds things anew.
  ///
  /// - Parameters:
  ///   - things: The things, which nothing else is connected with.
  ///   - record: The correction for which that is done.
  ///   - history: The records about the things before it, in the order of their positions.
  /// - Returns: What it touched, by the things that the record itself is about.
  /// - Throws: What the store throws.
  package mutating func refold(
    _ things: Set<EntityKey>, by record: RecordedEvent, _ history: [RecordedEvent]
  ) throws(Store.Failure) -> Effect {
    var effect = Effect()
    effect.subjects = record.event.subjects
    for key in things { try store.remove(key) }
    for counting in (history + [record]).counting {
      effect.names.formUnion(try apply(counting).names)
    }
    effect.names.formUnion(things.compactMap(\.name))
    return effect
  }

  /// Folds the records of a log, or those about some things, in the order of their positions, with
  /// all corrections that are among them.
  package mutating func apply(all records: [RecordedEvent]) throws(Store.Failure) {
    let counting = records.counting
    for record in counting { _ = try apply(record) }
    if counting.count == records.count { return }
    let positions = Set(counting.map(\.position))
    for record in records where !positions.contains(record.position) {
      _ = try leaveTrace(of: record)
    }
  }

  /// The things that a record alone makes something known of.
  private func touched(by record: RecordedEvent) -> Set<EntityKey> {
    var alone = Fold<MemoryStore>(MemoryStore())
    _ = alone.apply(record)
    return Set(alone.store.states.keys).subtracting([.terms])
  }

  /// Notes what a record connected, and gives the things.
  private mutating func leaveTrace(
    of record: RecordedEvent
  ) throws(Store.Failure) -> Set<EntityKey> {
    let things = touched(by: record)
    for thing in things {
      try store.update(.trace(of: thing), as: TraceState.self) { trace in
        for other in things where other != thing { trace.insert(other) }
      }
    }
    return things
  }
}

extension EntityKey {
  /// The name that a customer or an account goes by.
  fileprivate var name: CustomerID? {
    switch kind {
    case .customer, .account: CustomerID(unchecked: id)
    case .terms, .membership, .payment, .grant, .trace: nil
    }
  }
}
