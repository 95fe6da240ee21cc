import LedgerTestSupport
import MembershipLedger

/// Random events about few customers, so that they meet: in accounts, payments, merges and ties.
struct RandomHistory {
  private var random: SeededGenerator
  private var count = 0
  private let prefix: String

  init(seed: UInt64, prefix: String = "evt") {
    random = SeededGenerator(seed: seed)
    self.prefix = prefix
  }

  static let entitlements: [EntitlementKey] = ["premium", "archive", "support"]
  /// Every name under which something may be known, and one that is not.
  static let names: [CustomerID] =
    (1...4).map { CustomerID(stringLiteral: "user_\($0)") }
    + (1...3).map { CustomerID(stringLiteral: "stripe:cus_\($0)") } + ["nobody"]
  static let instants: [Timestamp] = [-1, 5, 17, 30, 45, 65].map { day($0) }

  mutating func events(_ count: Int) -> [Event] {
    (0..<count).map { _ in event() }
  }

  /// Events from providers alone, which may come in any order.
  mutating func providerEvents(_ count: Int) -> [Event] {
    (0..<count).map { _ in providerEvent() }
  }

  mutating func event() -> Event {
    switch pick(0..<20) {
    case 0: catalogEvent()
    case 1: policyEvent()
    case 2...5: manualEvent()
    default: providerEvent()
    }
  }

  /// A correction of one of the provider's events of a ledger; nil where there is none.
  ///
  /// It states what another event might have, sometimes nothing, sometimes of another account.
  mutating func correction(in ledger: Ledger) throws -> Event? {
    let records = try ledger.events(limit: .max)
    let originals = records.filter { $0.event.provider == .stripe && $0.event.correction == nil }
    guard let original = originals.randomElement(using: &random) else { return nil }
    let earlier = records.filter { $0.event.correction?.event == original.event.id }
    var reading: Event? = pick([providerEvent(), providerEvent(), original.event, nil])
    reading?.effectiveAt = original.event.effectiveAt
    if pick([true, false]) {
      reading?.account = original.event.account
      reading?.customer = original.event.customer
    }
    return original.correction(number: earlier.count + 1, stating: reading)
  }

  private mutating func pick<Element>(_ choices: some Collection<Element>) -> Element {
    guard let choice = choices.randomElement(using: &random) else {
      preconditionFailure("there is nothing to choose from")
    }
    return choice
  }

  private mutating func id(_ kind: String) -> EventID {
    count += 1
    return EventID(stringLiteral: "\(kind):\(prefix)_\(count)")
  }

  private mutating func instant() -> Timestamp { day(Int64(pick(0..<12)) * 5) }
  private mutating func customer() -> CustomerID { pick(Self.names.prefix(4)) }
  private mutating func account() -> AccountID {
    AccountID(stringLiteral: "stripe:cus_\(pick(1...3))")
  }
  private mutating func membership() -> MembershipID {
    MembershipID(stringLiteral: "stripe:sub_\(pick(1...4))")
  }
  private mutating func reference(_ kind: String) -> ReferenceID {
    ReferenceID(stringLiteral: "stripe:\(kind)_\(pick(1...3))")
  }
  private mutating func money() -> Money {
    Money(minorUnits: pick([0, 500, 1000]), currency: "USD")
  }
}

// Events by hand.
extension RandomHistory {
  private mutating func catalogEvent() -> Event {
    var catalog = Make.catalog
    catalog.entitlements.append(.init(key: "support"))
    catalog.products[0].entitlements = Array(Self.entitlements.prefix(pick(1...3)))
    catalog.products[1].isPerSeat = pick([true, false])
    let cohort: Cohort = pick([.newPurchases, .nextRenewal, .everyone])
    return Make.catalogEvent(id("manual"), catalog, appliesTo: cohort, at: instant())
  }

  private mutating func policyEvent() -> Event {
    let policy = Policy(
      providers: [
        .init(
          provider: .stripe, graceMilliseconds: pick([0, 3 * 86_400_000]),
          distrustsStanding: pick([true, false]))
      ], partialRefund: pick([.keep, .revoke]), openDispute: pick([.hold, .ignore]))
    return Make.manual(id("manual"), at: instant(), .policyRevised(PolicyRevision(policy: policy)))
  }

  private mutating func manualEvent() -> Event {
    switch pick(0..<11) {
    case 8, 9: return seatEvent()
    case 10:
      return Make.event(
        id("manual"), at: instant(), account: nil, provider: .manual,
        Fact(
          .accessRevoked(AccessRevocation(entitlements: [pick(Self.entitlements)])),
          membership: membership()))
    case 0, 1:
      let (from, into) = (customer(), customer())
      if from == into { return grantEvent() }
      let merge = CustomerMerge(from: from, into: into)
      return Make.manual(
        id("manual"), at: instant(), pick([.customersMerged(merge), .mergeUndone(merge)]))
    case 2, 3:
      let link = AccountLink(account: account(), customer: customer())
      return Make.manual(
        id("manual"), at: instant(), pick([.accountLinked(link), .accountUnlinked(link)]))
    case 4:
      return Make.event(
        id("manual"), at: instant(), account: nil, provider: .manual,
        Fact(.transferred(Transfer(to: customer())), membership: membership()))
    case 5:
      let grant = GrantID(stringLiteral: "grant_\(pick(1...3))")
      return Make.manual(
        id("manual"), at: instant(), .grantRevoked(ManualGrantRevocation(id: grant)))
    case 6:
      return Make.event(
        id("manual"), at: instant(), account: nil, customer: customer(), provider: .manual,
        Fact(pick([.holdPlaced(Hold(cause: "fraud")), .holdReleased(HoldRelease(cause: "fraud"))])))
    default:
      return grantEvent()
    }
  }

  private mutating func seatEvent() -> Event {
    let seat: SeatID = pick(["s1", "s2"])
    let claim = Fact.Body.seatClaimed(SeatClaim(seat: seat, customer: pick(Self.names)))
    return Make.event(
      id("manual"), at: instant(), account: nil, provider: .manual,
      Fact(
        pick([
          claim, claim, .seatAssigned(SeatAssignment(seat: seat, customer: pick(Self.names))),
          .seatReleased(SeatRelease(seat: seat)),
        ]), membership: membership()))
  }

  private mutating func grantEvent() -> Event {
    let grant = ManualGrant(
      id: GrantID(stringLiteral: "grant_\(pick(1...3))"), entitlement: pick(Self.entitlements),
      until: pick([nil, day(40)]), follows: pick([nil, nil, membership()]))
    return Make.event(
      id("manual"), at: instant(), account: nil, customer: customer(), provider: .manual,
      Fact(.granted(grant)))
  }
}

// Events from a provider.
extension RandomHistory {
  private mutating func providerEvent() -> Event {
    var event = Event(
      id: id("stripe"), provider: .stripe, environment: pick([.production, .production, .sandbox]),
      effectiveAt: instant(), facts: [])
    event.account = pick([account(), account(), account(), nil])
    event.customer = pick([customer(), nil, nil, nil])
    event.facts = (0..<pick(1...2)).map { _ in fact() }
    return event
  }

  private mutating func fact() -> Fact {
    switch pick(0..<4) {
    case 0: purchase()
    case 1: money()
    case 2: Fact(interruption(), membership: pick([membership(), membership(), nil]))
    default: Fact(membershipChange(), membership: membership())
    }
  }

  private mutating func purchase() -> Fact {
    let invoice = reference("in")
    let start = Int64(pick(0..<10)) * 5
    let transaction = Transaction(
      id: TransactionID(stringLiteral: "\(invoice)/si/\(start)"),
      offer: Offer(product: pick(["prod_pro", "prod_basic", "prod_unknown"])),
      period: days(start, start + Int64(pick([0, 5, 15]))), kind: pick([.paid, .trial]),
      quantity: pick([1, 1, 2, 0]), amount: money(), isObserved: pick([true, false, false]))
    return Fact(
      pick([.purchased(transaction), .renewed(transaction)]), membership: membership(),
      references: pick([[invoice], [invoice, reference("pi")]]))
  }

  private mutating func money() -> Fact {
    let references = pick([
      [reference("in")], [reference("pi")], [reference("ch"), reference("pi")],
      [reference("in"), reference("pi")],
    ])
    let dispute = reference("dp")
    let refund = reference("re")
    return Fact(
      pick([
        .refunded(Refund(amount: money(), paid: Money(minorUnits: 1000, currency: "USD"))),
        .refunded(Refund(refund: refund, amount: money())),
        .refundReversed(RefundReversal(refund: refund)), .paymentLinked(PaymentLink()),
        .disputeOpened(Dispute(id: dispute, kind: pick([.dispute, .inquiry]))),
        .disputeClosed(DisputeClosure(id: dispute, outcome: pick([.won, .lost]))),
        .noted(Note(type: "charge.updated")),
      ]), references: references)
  }

  private mutating func interruption() -> Fact.Body {
    pick([
      .ended(End(at: instant(), reason: .cancelled)), .holdPlaced(Hold(cause: "hold")),
      .holdReleased(HoldRelease(cause: "hold")), .noted(Note(type: "customer.updated")),
    ])
  }

  private mutating func membershipChange() -> Fact.Body {
    let start = Int64(pick(0..<10)) * 5
    return pick([
      .observed(
        Observation(
          status: "any", standing: pick([.active, .trialing, .pastDue, .unpaid, .incomplete]),
          isRenewing: pick([true, false]), unpausedCauses: pick([[], ["collection"]]))),
      .cancellationScheduled(CancellationSchedule(effectiveAt: instant())),
      .cancellationWithdrawn(Withdrawal()), .paused(Pause(cause: "collection")),
      .resumed(Resumption(cause: "collection")),
      .paymentFailed(PaymentFailure(period: days(start, start + 15))),
      .planChanged(PlanChange(at: instant(), to: Offer(product: "prod_basic"))),
      .planChangeScheduled(PlanChange(at: instant(), to: Offer(product: "prod_basic"))),
      .planChangeWithdrawn(Withdrawal()), .accessRevoked(AccessRevocation()),
      .extended(Extension(until: instant())),
      .invoiced(Invoice(id: reference("in"), state: pick([.open, .paid, .void]))),
    ])
  }
}
