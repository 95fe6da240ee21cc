import LedgerTestSupport
import MembershipModel

/// A random but realistic history: memberships of one or two accounts, and decisions by hand.
struct Scenario {
  /// What providers say; its order must not matter.
  var documents: [Event] = []
  /// What is decided by hand, the catalog and the policy included; its order counts.
  var decisions: [Event] = []

  static let customers: [CustomerID] = ["ann", "bob", "cleo", "stripe:cus_1", "stripe:cus_2"]
  static let entitlements: [EntitlementKey] = ["premium", "seats", "export"]

  var events: [Event] { decisions + documents }

  /// Every instant that any fact speaks of, and the milliseconds around it.
  static func turningPoints(of events: [Event]) -> [Timestamp] {
    var instants: Set<Timestamp> = []
    for event in events {
      instants.insert(event.effectiveAt)
      for fact in event.facts { instants.formUnion(fact.instants) }
    }
    let grace = instants.map { $0.adding(milliseconds: ScenarioMaker.grace) }
    return Set((instants.union(grace)).flatMap { [$0.before, $0, $0.adding(milliseconds: 1)] })
      .sorted()
  }
}

extension Fact {
  fileprivate var instants: [Timestamp] {
    switch body {
    case .purchased(let transaction), .renewed(let transaction):
      transaction.period.map { [$0.start, $0.end] } ?? []
    case .extended(let extended): [extended.until]
    case .cancellationScheduled(let plan): [plan.effectiveAt]
    case .ended(let end): [end.at]
    case .paymentFailed(let failure):
      [failure.period.start, failure.period.end] + [failure.graceUntil].compactMap { $0 }
    case .paused(let pause): [pause.resumesAt].compactMap { $0 }
    case .planChanged(let change): [change.at]
    case .disputeOpened(let dispute): [dispute.at].compactMap { $0 }
    case .invoiced(let invoice): invoice.period.map { [$0.start] } ?? []
    case .granted(let grant): [grant.from, grant.until].compactMap { $0 }
    default: [seatInstant].compactMap { $0 }
    }
  }
}

/// Makes scenarios from a seed.
struct ScenarioMaker {
  static let grace: Int64 = 3 * 86_400_000
  static let tolerance: Int64 = 86_400_000

  var random: SeededGenerator
  private var scenario = Scenario()
  private var account: AccountID = "stripe:cus_1"
  private var membership: MembershipID = "stripe:sub_1"
  private var start = 0.0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A scenario with about so many documents, at least one, and up to so many decisions besides
  /// the catalog.
  static func make(seed: UInt64, documents: Int, decisions: Int) -> Scenario {
    var maker = ScenarioMaker(seed: seed)
    return maker.make(documents, decisions)
  }

  private mutating func make(_ documents: Int, _ decisions: Int) -> Scenario {
    decide(at: -100, .catalogRevised(CatalogRevision(catalog: .usual)))
    while scenario.documents.count < documents {
      account = chance(0.7) ? "stripe:cus_1" : "stripe:cus_2"
      membership = MembershipID(
        unchecked: "stripe:sub_\(pick(1...3))-\(account.rawValue.last ?? "1")")
      start = Double(pick(0...4)) * 5
      if chance(0.6) { buy() }
      for _ in 0..<pick(1...4) where scenario.documents.count < documents { happen() }
    }
    scenario.documents.removeLast(max(0, scenario.documents.count - documents))
    for _ in 0..<decisions { decide() }
    return scenario
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  /// A time within the membership's life, coarse enough for ties.
  private mutating func time() -> Double { start + Double(pick(0...16)) * 2.5 }

  // MARK: Documents

  private mutating func document(at time: Double, _ facts: [Fact], customer: CustomerID? = nil) {
    var ordering = SourceOrdering()
    if chance(0.4) {
      ordering.state = UInt64(pick(1...4))
      ordering.previousState = UInt64(pick(0...4))
    }
    if chance(0.1) { ordering.writtenAt = day(time + Double(pick(0...3)) * 2.5) }
    scenario.documents.append(
      Event(
        id: EventID(unchecked: "stripe:evt_\(random.next() % 1_000_000_007)"), provider: .stripe,
        effectiveAt: day(time), customer: customer ?? (chance(0.1) ? pick(["ann", "bob"]) : nil),
        account: account, ordering: ordering, facts: facts))
  }

  private func fact(_ body: Fact.Body, _ references: [ReferenceID] = []) -> Fact {
    Fact(body, membership: membership, references: references)
  }

  private func invoice(_ index: Int) -> ReferenceID {
    ReferenceID(unchecked: "stripe:in_\(index)-\(membership.rawValue)")
  }

  private func charge(_ index: Int) -> ReferenceID {
    ReferenceID(unchecked: "stripe:ch_\(index)-\(membership.rawValue)")
  }

  /// A first purchase: mostly a subscription's paid period, a trial, or a snapshot alone.
  private mutating func buy() {
    let standing = observation(pick([.active, .trialing, .active, .incomplete]))
    switch pick(0...6) {
    case 6: document(at: start, [transaction(pick([.intro, .free]), 0), standing])
    case 0: document(at: start, [transaction(.trial, 0), standing])
    case 1: document(at: start, [snapshot(), standing])
    case 2:
      document(
        at: start,
        [
          fact(
            .purchased(
              Transaction(
                id: TransactionID(unchecked: "once-\(membership.rawValue)"), offer: offer(),
                period: chance(0.5) ? Period(start, start + 12.5) : nil, kind: .oneTime,
                amount: usd(1000))), [charge(9)])
        ])
    default: document(at: start, [transaction(.paid, 0), standing])
    }
  }

  private mutating func offer() -> Offer {
    pick([.pro, .pro, .team, .extra, .unknown, .crew, .crew, .desk])
  }
  private mutating func quantity() -> Int64 { Int64(pick([1, 1, 2, 0, 3])) }
  private mutating func item() -> String { pick(["", "", "a", "b"]) }

  private mutating func transaction(_ kind: TransactionKind, _ index: Int) -> Fact {
    let from = start + Double(index) * 10
    let transaction = Transaction(
      id: TransactionID(unchecked: "\(kind.name)-\(index)-\(membership.rawValue)"),
      offer: offer(), period: Period(from, from + Double(pick([10, 10, 10, 5, 0]))), kind: kind,
      quantity: quantity(), amount: usd(1000),
      ownership: pick([.purchased, .purchased, .familyShared]), item: item())
    return fact(
      index == 0 ? .purchased(transaction) : .renewed(transaction),
      chance(0.9) ? [invoice(index)] : [])
  }

  private mutating func snapshot() -> Fact {
    fact(
      .renewed(
        Transaction(
          id: TransactionID(unchecked: "seen-\(membership.rawValue)"), offer: offer(),
          period: Period(start, start + 20), kind: .paid, quantity: quantity(), item: item(),
          isObserved: true)))
  }

  /// What a snapshot says; one that shows what there is comes alone, so that another document of
  /// its instant may stand before it whole.
  private mutating func observation(
    _ standing: Standing, shows items: [ObservedItem] = []
  ) -> Fact {
    fact(
      .observed(
        Observation(
          status: standing.name, standing: standing, isRenewing: chance(0.5),
          unpausedCauses: chance(0.3) ? ["collection"] : [], items: items)))
  }

  /// The lines of a snapshot.
  private mutating func shown() -> [ObservedItem] {
    pick([["", "a"], ["a"], ["b"], ["a", "b"], ["", ""]]).map {
      ObservedItem(item: $0, offer: offer(), quantity: chance(0.7) ? Int64(pick(1...2)) : nil)
    }
  }

  /// Anything that may befall a membership.
  private mutating func happen() {
    let time = time()
    var facts = [chance(0.6) ? lifeFact(time) : moneyFact(time)]
    if chance(0.3) {
      facts.append(observation(pick([.active, .pastDue, .paused, .ended, .unrecognized(9)])))
    }
    document(at: time, facts)
  }

  /// Mostly the membership itself.
  private mutating func cause() -> String { chance(0.2) ? "schedule" : "" }

  private mutating func lifeFact(_ time: Double) -> Fact {
    switch pick(0...21) {
    case 21: return silentFact(time)
    case 0...3: return transaction(pick([.paid, .paid, .intro, .unrecognized(9)]), pick(0...3))
    case 4: return snapshot()
    case 5:
      return fact(
        .cancellationScheduled(
          CancellationSchedule(
            effectiveAt: day(time + Double(pick(-1...3)) * 5),
            requestedAt: chance(0.3) ? day(time - 2.5) : nil, cause: cause())))
    case 6: return fact(.cancellationWithdrawn(Withdrawal(cause: cause())))
    case 7:
      let reason: EndReason = pick([.cancelled, .paymentFailed])
      return fact(.ended(End(at: day(time - Double(pick(0...2)) * 2.5), reason: reason)))
    case 8:
      let from = start + Double(pick(1...3)) * 10
      return fact(
        .paymentFailed(
          PaymentFailure(
            period: Period(from, from + 10), graceUntil: chance(0.3) ? day(from + 5) : nil,
            invoice: chance(0.8) ? invoice(pick(1...3)) : nil)))
    case 9:
      return fact(
        .paused(Pause(cause: "collection", resumesAt: chance(0.4) ? day(time + 5) : nil)))
    case 10: return fact(.resumed(Resumption(cause: "collection")))
    case 11: return pick([planChange(time), planChange(time), transfer()])
    case 12: return fact(.holdPlaced(Hold(cause: pick(["x", "y"]))))
    case 13: return fact(.holdReleased(HoldRelease(cause: pick(["x", "y"]))))
    case 14:
      let own = TransactionID(unchecked: "paid-\(pick(0...2))-\(membership.rawValue)")
      return fact(
        .extended(Extension(transaction: chance(0.5) ? own : nil, until: day(time + 7.5))))
    case 15: return billing()
    case 16:
      let outcome: CheckoutOutcome = pick([.paid, .paid, .pending, .declined, .cancelled])
      return fact(.checkoutClosed(CheckoutClosure(id: "stripe:cs_1", outcome: outcome)))
    case 17, 18: return observation(pick([.active, .active, .trialing, .pastDue]), shows: shown())
    default: return accountFact(time)
    }
  }

  /// An invoice for a period or, without one, for a change within it.
  private mutating func billing() -> Fact {
    let index = pick(1...3)
    let from = start + Double(index) * 10
    let isForPeriod = chance(0.7)
    let bill = Invoice(
      id: invoice(index), state: pick([.draft, .open, .paid, .void]),
      period: isForPeriod ? Period(from, from + 10) : nil,
      prorations: isForPeriod
        ? [] : [Proration(at: day(from - 5), item: item(), amount: chance(0.5) ? usd(1000) : nil)])
    return fact(.invoiced(bill), [bill.id])
  }

  private mutating func transfer() -> Fact {
    fact(.transferred(Transfer(to: pick(["ann", "bob", "stripe:cus_2"]))))
  }

  private mutating func planChange(_ time: Double) -> Fact {
    fact(
      .planChanged(
        PlanChange(
          at: day(time), from: chance(0.8) ? offer() : nil, to: chance(0.8) ? offer() : nil,
          item: item(), quantity: quantity())))
  }

  private mutating func accountFact(_ time: Double) -> Fact {
    switch pick(0...8) {
    case 7, 8:
      Fact(
        .transferred(
          Transfer(
            to: pick(["stripe:cus_1", "stripe:cus_2", "ann"]),
            from: CustomerID(unchecked: account.rawValue))))
    case 0: Fact(.ended(End(at: day(time), reason: .accountDeleted)))
    case 1: Fact(.holdPlaced(Hold(cause: "account")))
    case 2: Fact(.holdReleased(HoldRelease(cause: "account")))
    case 3: Fact(.customersMerged(merge()))
    case 4: Fact(.mergeUndone(merge()))
    case 5: Fact(.accountUnlinked(AccountLink(account: account, customer: pick(["ann", "bob"]))))
    default:
      fact(
        .accessRevoked(
          AccessRevocation(
            transaction: chance(0.5)
              ? TransactionID(unchecked: "paid-\(pick(0...2))-\(membership.rawValue)") : nil)))
    }
  }

  /// What is recorded and changes no access.
  private mutating func silentFact(_ time: Double) -> Fact {
    let plan = PlanChange(at: day(time + 5), from: offer(), to: offer(), item: item())
    return pick([
      fact(.planChangeScheduled(plan)), fact(.planChangeWithdrawn(Withdrawal())),
      fact(.noted(Note(type: "x"))), Fact(.claimed(EntitlementClaim(entitlements: ["premium"]))),
      fact(.restored(Restoration(transactions: [RestoredTransaction(outcome: .restored)]))),
      fact(.checkoutOpened(CheckoutOpening(id: "stripe:cs_1", plan: "plan_pro", isTrial: true))),
    ])
  }

  private mutating func moneyFact(_ time: Double) -> Fact {
    let index = pick(0...2)
    let references = pick([[charge(index)], [invoice(index)], [charge(index), invoice(index)]])
    let paid = chance(0.7) ? usd(1000) : nil
    let refund = ReferenceID(unchecked: "re_\(pick(1...2))-\(references[0].rawValue)")
    let dispute = ReferenceID(unchecked: "dp-\(membership.rawValue)")
    switch pick(0...8) {
    case 0, 1:
      return Fact(
        .refunded(
          Refund(
            amount: usd(Int64(pick(0...4)) * 300), paid: paid,
            revokes: pick([nil, nil, true, false]))), references: references)
    case 2:
      return Fact(
        .refunded(
          Refund(
            refund: refund, amount: usd(Int64(pick([400, 600, 1000]))), paid: paid,
            revokes: pick([nil, nil, true, false]))), references: references)
    case 3:
      return Fact(
        .refundReversed(RefundReversal(refund: chance(0.7) ? refund : nil, amount: usd(600))),
        references: references)
    case 4:
      return Fact(
        .disputeOpened(
          Dispute(
            id: dispute, kind: pick([.dispute, .inquiry]),
            at: chance(0.5) ? day(time - 2.5) : nil)),
        references: references)
    case 5:
      return Fact(
        .disputeClosed(DisputeClosure(id: dispute, outcome: pick([.won, .lost, .withdrawn]))),
        references: references)
    case 6:
      return Fact(.paymentLinked(PaymentLink()), references: [charge(index), invoice(index)])
    case 7:
      let named = TransactionID(unchecked: "paid-\(index)-\(membership.rawValue)")
      return fact(
        .refunded(Refund(amount: usd(1000), paid: paid, transaction: chance(0.5) ? named : nil)))
    default:
      return Fact(
        .holdPlaced(Hold(cause: "fraud", kind: .fraudWarning)), references: references)
    }
  }

  // MARK: Decisions

  private mutating func decide(
    at time: Double, _ body: Fact.Body, customer: CustomerID? = nil,
    membership: MembershipID? = nil
  ) {
    scenario.decisions.append(
      Event(
        id: EventID(unchecked: "manual-\(scenario.decisions.count)"), provider: .manual,
        effectiveAt: day(time), customer: customer, actor: "test",
        facts: [Fact(body, membership: membership)]))
  }

  private mutating func merge() -> CustomerMerge {
    pick([
      CustomerMerge(from: "ann", into: "bob"), CustomerMerge(from: "bob", into: "ann"),
      CustomerMerge(from: "ann", into: "cleo"),
    ])
  }

  private mutating func decide() {
    let time = Double(pick(0...12)) * 2.5
    let grant = GrantID(unchecked: "gift-\(pick(1...2))")
    let customer: CustomerID = pick(["ann", "bob"])
    let link = AccountLink(account: pick(["stripe:cus_1", "stripe:cus_2"]), customer: customer)
    switch pick(0...18) {
    case 18: decide(at: time, .customerErased(CustomerErasure(customer: customer)))
    case 12...16: decideOnSeat(time)
    case 17:
      let taken = AccessRevocation(
        reason: "abuse", entitlements: [pick(Scenario.entitlements), pick(Scenario.entitlements)])
      decide(
        at: time, .accessRevoked(taken), membership: pick(["stripe:sub_1-1", "stripe:sub_2-1"]))
    case 0, 1: decide(at: time, .accountLinked(link))
    case 2: decide(at: time, .accountUnlinked(link))
    case 3: decide(at: time, .customersMerged(merge()))
    case 4: decide(at: time, .mergeUndone(merge()))
    case 5:
      let given = ManualGrant(
        id: grant, entitlement: pick(Scenario.entitlements),
        until: chance(0.7) ? day(time + Double(pick(0...4)) * 5) : nil,
        follows: chance(0.4) ? pick(["stripe:sub_1-1", "stripe:sub_2-1", "stripe:sub_1-2"]) : nil)
      // One gift has one receiver: a repeated grant is the same one.
      decide(at: time, .granted(given), customer: grant == "gift-1" ? "ann" : "bob")
    case 6: decide(at: time, .grantRevoked(ManualGrantRevocation(id: grant)))
    case 7: decide(at: time, .policyRevised(PolicyRevision(policy: policy())))
    case 8:
      let catalog = chance(0.5) ? Catalog.usual : Self.otherCatalog
      let cohort: Cohort = pick([.newPurchases, .nextRenewal, .everyone])
      decide(at: time, .catalogRevised(CatalogRevision(catalog: catalog, appliesTo: cohort)))
    case 9: decide(at: time, .holdPlaced(Hold(cause: "abuse")), customer: customer)
    case 10: decide(at: time, .holdReleased(HoldRelease(cause: "abuse")), customer: customer)
    default:
      decide(
        at: time, .transferred(Transfer(to: customer)),
        membership: pick(["stripe:sub_1-1", "stripe:sub_2-1"]))
    }
  }

  /// Mostly a claim, else nothing else about seats would matter.
  private mutating func decideOnSeat(_ time: Double) {
    let seat: SeatID = pick(["s1", "s2", "s3"])
    let at = chance(0.2) ? day(time + 2.5) : nil
    let body: Fact.Body =
      switch pick(0...5) {
      case 0:
        .seatAssigned(SeatAssignment(seat: seat, customer: pick(["ann", "bob", nil]), at: at))
      case 1: .seatReleased(SeatRelease(seat: seat, at: at))
      default: .seatClaimed(SeatClaim(seat: seat, customer: pick(Scenario.customers), at: at))
      }
    decide(
      at: time, body,
      membership: pick(["stripe:sub_1-1", "stripe:sub_1-1", "stripe:sub_2-1", "stripe:sub_1-2"]))
  }

  private static let otherCatalog = Catalog(
    entitlements: Scenario.entitlements.map { Catalog.Entitlement(key: $0) },
    products: [
      .usual("pro", ["premium", "export"], isPerSeat: true), .usual("extra", ["seats"]),
      .usual("crew", ["premium"]),
    ])

  private mutating func policy() -> Policy {
    Policy(
      providers: chance(0.7)
        ? [
          Policy.ProviderRules(
            provider: .stripe, graceMilliseconds: chance(0.7) ? Self.grace : 0,
            renewalToleranceMilliseconds: chance(0.3) ? Self.tolerance : 0,
            distrustsStanding: chance(0.2))
        ] : [],
      fullRefund: chance(0.8) ? .revoke : .keep, partialRefund: chance(0.2) ? .revoke : .keep,
      openDispute: chance(0.8) ? .hold : .ignore, inquiry: chance(0.2) ? .hold : .ignore,
      lostDispute: chance(0.8) ? .revoke : .keep, fraudWarning: chance(0.3) ? .hold : .ignore,
      pause: chance(0.8) ? .hold : .ignore)
  }
}
