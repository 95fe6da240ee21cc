import LedgerTestSupport
import MembershipModel
import Testing

/// What a fold of records came to, in a form that can be compared.
struct Outcome {
  let fold: Fold<MemoryStore>

  init(_ records: [RecordedEvent]) {
    fold = Scene.fold(records)
  }

  init(_ events: [Event]) {
    fold = Scene.fold(events)
  }

  /// The stored form of every state.
  var states: [EntityKey: [UInt8]] { fold.store.states.mapValues { $0.encoded() } }

  /// The things whose states differ from another outcome's.
  func differences(from other: Outcome) -> [EntityKey] {
    let (mine, others) = (states, other.states)
    return Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }.sorted()
  }

  func access(
    of customer: CustomerID, _ environment: Environment = .production
  ) -> CustomerAccess {
    CustomerAccess(fold.dossier(of: customer, environment), fold.store.terms(), environment)
  }

  /// Every decision on every customer and entitlement at the instants.
  func decisions(
    at instants: [Timestamp], _ environment: Environment = .production
  ) -> [Decision] {
    Scenario.customers.flatMap { customer -> [Decision] in
      let access = access(of: customer, environment)
      return Scenario.entitlements.flatMap { key in
        instants.map { access.decision(on: key, at: $0, askedAs: customer) }
      }
    }
  }
}

extension [Event] {
  /// The events as records, in this order.
  var recorded: [RecordedEvent] {
    enumerated().map {
      RecordedEvent(position: Position(UInt64($0 + 1)), recordedAt: day(1000), event: $1)
    }
  }
}

/// The seeds of a property test: so many, or a multiple of it by `LAWS_FACTOR` for long runs.
func seeds(_ count: Int, from first: UInt64 = 1) -> [UInt64] {
  let factor = LawsEnvironment.factor
  return (0..<UInt64(count * factor)).map { first + $0 }
}

extension CustomerAccess {
  /// The stretches of access, put together from one decision after the other.
  func stretchesOfAccess(to key: EntitlementKey) -> [Period] {
    var stretches: [Period] = []
    var next: Timestamp? = .distantPast
    while let instant = next {
      let decision = decision(on: key, at: instant, askedAs: dossier.customer)
      next = decision.validUntil
      guard decision.isEntitled else { continue }
      let end = next ?? .distantFuture
      if stretches.last?.end == instant {
        stretches[stretches.count - 1].end = end
      } else {
        stretches.append(Period(start: instant, end: end))
      }
    }
    return stretches
  }
}
