import MembershipModel

/// Events in the order of their arrival, and the answers that follow from them.
struct Scene {
  var events: [Event] = []
  var environment = Environment.production

  /// Adds an event of Stripe's; the id follows from the number of events unless one is given.
  @discardableResult
  mutating func stripe(
    _ at: Timestamp, id: String? = nil, account: AccountID? = "stripe:cus_1",
    customer: CustomerID? = nil, ordering: SourceOrdering = SourceOrdering(), _ facts: Fact...
  ) -> EventID {
    let id = EventID(unchecked: "stripe:evt_" + (id ?? "\(events.count + 1)"))
    events.append(
      Event(
        id: id, provider: .stripe, environment: environment, effectiveAt: at, customer: customer,
        account: account, ordering: ordering, facts: facts))
    return id
  }

  /// Adds an event of our own.
  @discardableResult
  mutating func manual(
    _ at: Timestamp, customer: CustomerID? = nil, account: AccountID? = nil, _ facts: Fact.Body...,
    membership: MembershipID? = nil
  ) -> EventID {
    let id = EventID(unchecked: "manual-\(events.count + 1)")
    events.append(
      Event(
        id: id, provider: .manual, environment: environment, effectiveAt: at, customer: customer,
        account: account, actor: "test", facts: facts.map { Fact($0, membership: membership) }))
    return id
  }

  /// The scene with the same events in another environment.
  func moved(to environment: Environment) -> Scene {
    var copy = self
    copy.environment = environment
    for index in copy.events.indices { copy.events[index].environment = environment }
    return copy
  }

  var fold: Fold<MemoryStore> { Self.fold(events) }

  static func fold(_ events: [Event]) -> Fold<MemoryStore> {
    fold(
      events.enumerated().map { index, event in
        RecordedEvent(
          position: Position(UInt64(index + 1)), recordedAt: day(1000), event: event)
      })
  }

  static func fold(_ records: [RecordedEvent]) -> Fold<MemoryStore> {
    var fold = Fold(MemoryStore())
    for record in records { _ = fold.apply(record) }
    return fold
  }

  func access(of customer: CustomerID = "stripe:cus_1") -> CustomerAccess {
    CustomerAccess(
      fold.dossier(of: customer, environment), fold.store.terms(), environment)
  }

  func decision(
    at instant: Timestamp, on key: EntitlementKey = "premium",
    of customer: CustomerID = "stripe:cus_1"
  ) -> Decision {
    access(of: customer).decision(on: key, at: instant, askedAs: customer)
  }

  /// The reason of the decision: the shortest form of "may the customer, and why".
  func reason(
    at instant: Timestamp, on key: EntitlementKey = "premium",
    of customer: CustomerID = "stripe:cus_1"
  ) -> DecisionReason {
    decision(at: instant, on: key, of: customer).reason
  }

  func membership(
    at instant: Timestamp, of customer: CustomerID = "stripe:cus_1"
  ) -> Membership? {
    access(of: customer).memberships(at: instant).first
  }

  func status(
    at instant: Timestamp, of customer: CustomerID = "stripe:cus_1"
  ) -> MembershipStatus? {
    membership(at: instant, of: customer)?.status
  }
}

/// The start of a day, counted from an arbitrary one.
func day(_ number: Double) -> Timestamp {
  Timestamp(milliseconds: 1_700_000_000_000 + Int64(number * 86_400_000))
}

extension Timestamp {
  var before: Timestamp { adding(milliseconds: -1) }
}

extension Period {
  init(_ start: Double, _ end: Double) {
    self.init(start: day(start), end: day(end))
  }
}

func usd(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: "USD") }

extension Scene {
  /// A paid month whose invoice is known to be the charge `ch_1`.
  static var bought: Scene {
    var scene = Scene.usual
    scene.stripe(day(0), Facts.paid(0, 30))
    scene.stripe(day(0), Facts.linked("stripe:in_1", "stripe:pi_1"))
    scene.stripe(day(0), Facts.linked("stripe:ch_1", "stripe:pi_1"))
    return scene
  }

  /// Two months, each paid by an invoice of its own; the charge `ch_1` is the first one's.
  static var renewed: Scene {
    var scene = bought
    scene.stripe(day(30), Facts.paid(30, 60, invoice: "in_2", isRenewal: true))
    return scene
  }
}
