import MembershipModel

/// The slow obvious model of one purchase: its newest observation.
struct NaivePurchase {
  let transaction: Transaction
  let start: Timestamp
  private(set) var end: Timestamp
  /// The payments that any observation names.
  let names: [ReferenceID]
  /// When its source wrote that nothing of it is taken back.
  let shownIntact: [Timestamp]
  /// When it began to give anything: its start, or when it was added to another.
  private(set) var opened: Timestamp

  var isUnderstood: Bool {
    if case .unrecognized = transaction.kind { return false }
    return transaction.period != nil || transaction.kind == .oneTime
  }

  /// Whether its source wrote so after one instant and not after another.
  func isIntact(after written: Timestamp, by instant: Timestamp) -> Bool {
    shownIntact.contains { $0 > written && $0 <= instant }
  }

  func beginning(at instant: Timestamp) -> NaivePurchase {
    var copy = self
    copy.opened = instant
    return copy
  }

  func ending(by instant: Timestamp) -> NaivePurchase {
    var copy = self
    copy.end = min(end, instant)
    return copy
  }

  static func all(_ statements: [NaiveModel.Statement], _ model: NaiveModel) -> [NaivePurchase] {
    let sales = statements.filter { $0.fact.transaction != nil }
    let newest = Set(sales.compactMap { $0.fact.transaction?.id }).compactMap { id in
      model.newest(sales.filter { $0.fact.transaction?.id == id }) {
        if case .renewed = $0.fact.body { 1 } else { 0 }
      }?.fact.transaction
    }
    let placed = placed(newest, sales, statements, model)
    return placed.map { transaction in
      let observations = sales.filter { $0.fact.transaction?.id == transaction.id }
      let start =
        transaction.period?.start ?? observations.map(\.event.effectiveAt).min() ?? .distantPast
      let end = transaction.period?.end ?? .distantFuture
      return NaivePurchase(
        transaction: transaction, start: start,
        end: max(end, extended(transaction, placed, statements, model) ?? end),
        names: observations.flatMap(\.fact.references),
        shownIntact: observations.filter { $0.fact.transaction?.isIntact == true }
          .map(\.writtenAt),
        opened: start)
    }
  }

  /// The transactions, those without a start of their own where they belong.
  ///
  /// Each takes the time that the ones seen before it, of the same product, leave; a product's first
  /// begins when it was seen, and so does one that ends bad standing. What was seen before all others
  /// begins with the membership.
  private static func placed(
    _ newest: [Transaction], _ sales: [NaiveModel.Statement], _ all: [NaiveModel.Statement],
    _ model: NaiveModel
  ) -> [Transaction] {
    let words = all.filter { $0.observation != nil }.map { ($0.event.effectiveAt, $0) }
    func isWell(before instant: Timestamp) -> Bool {
      let last = model.inForce(words, instant.adding(milliseconds: -1), \.standingRank)
      guard let standing = last?.statement.observation?.standing else { return true }
      return standing == .active || standing == .trialing
    }
    func seen(_ transaction: Transaction) -> Timestamp {
      sales.filter { $0.fact.transaction?.id == transaction.id }.map(\.event.effectiveAt).min()
        ?? .distantPast
    }
    let open = newest.filter { $0.hasUnknownStart && $0.period != nil }
    let first = open.map(seen).min()
    return newest.map { transaction in
      guard transaction.hasUnknownStart, let period = transaction.period,
        seen(transaction) != first
      else { return transaction }
      let before = open.filter { other in
        guard other.offer.product == transaction.offer.product, let end = other.period?.end else {
          return false
        }
        return (seen(other), end, other.id) < (seen(transaction), period.end, transaction.id)
      }
      let last = before.compactMap(\.period?.end).max()
      let start = isWell(before: seen(transaction)) ? last ?? seen(transaction) : seen(transaction)
      var placed = transaction
      placed.period?.start = min(max(start, period.start), period.end)
      return placed
    }
  }

  private static func extended(
    _ transaction: Transaction, _ all: [Transaction], _ statements: [NaiveModel.Statement],
    _ model: NaiveModel
  ) -> Timestamp? {
    let extensions = statements.filter { $0.fact.extended != nil }
    if let own = model.newest(
      extensions.filter { $0.fact.extended?.transaction == transaction.id })
    {
      return own.fact.extended?.until
    }
    let general = extensions.filter { $0.fact.extended?.transaction == nil }
      .map { ($0.event.effectiveAt, $0) }
    let instants = Set(general.map(\.0)).sorted().filter { instant in
      let begun = all.filter { ($0.period?.start ?? .distantFuture) <= instant }
      let latest = begun.max {
        ($0.period?.start ?? .distantPast, $0.id) < ($1.period?.start ?? .distantPast, $1.id)
      }
      return latest?.id == transaction.id
    }
    return instants.last.flatMap { model.inForce(general, $0)?.statement.fact.extended?.until }
  }
}

/// The slow obvious model of the money of one payment.
struct NaiveMoney {
  typealias Statement = NaiveModel.Statement

  let model: NaiveModel
  let statements: [Statement]

  init(_ model: NaiveModel, _ statements: [Statement]) {
    self.model = model
    self.statements = statements
  }

  func isTakenBack(
    _ transaction: Transaction, at instant: Timestamp,
    unless isIntact: (_ written: Timestamp, _ instant: Timestamp) -> Bool = { _, _ in false }
  ) -> Bool {
    isRefunded(transaction, at: instant, isIntact) || isLost(at: instant, isIntact)
  }

  private func isRefunded(
    _ transaction: Transaction, at instant: Timestamp, _ isIntact: (Timestamp, Timestamp) -> Bool
  ) -> Bool {
    let said = statements.filter { $0.fact.isRefundOrReversal }
      .map { ($0.event.effectiveAt, $0) }
    let totals = said.filter { $0.1.fact.refundID == nil }
    let total = model.inForce(totals, instant) { $0.fact.refund?.amount.minorUnits ?? 0 }?.statement
    var (given, named) = (total?.fact.refund?.amount.minorUnits ?? 0, Int64(0))
    var standing: [Refund] = []
    var written = total?.writtenAt ?? .distantPast
    var isUntold =
      total?.fact.refund.map { $0.amount.minorUnits == 0 && $0.revokes == true } ?? false
    for id in Set(said.compactMap(\.1.fact.refundID)).sorted() {
      let single = said.filter { $0.1.fact.refundID == id }
      guard
        let last = model.inForce(single, instant, { $0.fact.refund == nil ? 0 : 1 })?.statement
      else { continue }
      if let refund = last.fact.refund {
        named += refund.amount.minorUnits
        standing.append(refund)
        written = max(written, last.writtenAt)
      } else if last.writtenAt >= (total?.writtenAt ?? .distantPast) {
        given -= last.fact.reversal?.amount?.minorUnits ?? given
        isUntold = false
      }
    }
    given = max(given, named)
    guard given > 0 || isUntold, let since = said.map(\.0).filter({ $0 <= instant }).max() else {
      return false
    }
    if isIntact(written, instant) { return false }
    let paid = total?.fact.refund?.paid ?? standing.compactMap(\.paid).first ?? transaction.amount
    let isFull = paid.map { $0.minorUnits > 0 && given >= $0.minorUnits } ?? false
    let policy = model.policy(since)
    if let said = total?.fact.refund?.revokes ?? standing.compactMap(\.revokes).first {
      return said
    }
    return (isFull ? policy.fullRefund : policy.partialRefund) != .keep
  }

  private func isLost(
    at instant: Timestamp, _ isIntact: (Timestamp, Timestamp) -> Bool
  ) -> Bool {
    closures.contains { statement in
      guard case .disputeClosed(let closure) = statement.fact.body else { return false }
      return statement.event.effectiveAt <= instant && closure.outcome == .lost
        && !isIntact(statement.writtenAt, instant)
        && model.policy(statement.event.effectiveAt).lostDispute != .keep
    }
  }

  /// Whether what was seen of the dispute last, or else first, holds, and it is not closed.
  func isDisputed(at instant: Timestamp) -> Bool {
    let seen = statements.filter { $0.fact.opening != nil }.map { ($0.event.effectiveAt, $0) }
    guard let first = seen.map(\.0).min(),
      let earliest = model.inForce(seen, first, \.disputeRank)?.statement,
      let last = model.inForce(seen, max(instant, first), \.disputeRank),
      let dispute = last.statement.fact.opening
    else { return false }
    let opened = min(earliest.fact.opening?.at ?? first, first)
    let since = last.since == first ? opened : last.since
    let policy = model.policy(since)
    let rule = dispute.kind == .inquiry ? policy.inquiry : policy.openDispute
    let end = closures.first?.event.effectiveAt ?? .distantFuture
    return since <= instant && instant < end && rule != .ignore
  }

  /// The newest word on the end of the dispute; a scenario has one dispute for a payment.
  private var closures: [Statement] {
    let closed = statements.filter {
      if case .disputeClosed = $0.fact.body { true } else { false }
    }
    return model.newest(closed).map { [$0] } ?? []
  }
}

extension Fact {
  /// A dispute as it is seen open.
  fileprivate var opening: Dispute? {
    if case .disputeOpened(let dispute) = body { dispute } else { nil }
  }

  fileprivate var isRefundOrReversal: Bool { refund != nil || reversal != nil }

  var transaction: Transaction? {
    switch body {
    case .purchased(let transaction), .renewed(let transaction): transaction
    default: nil
    }
  }

  fileprivate var extended: Extension? {
    if case .extended(let extended) = body { extended } else { nil }
  }

  fileprivate var refund: Refund? {
    if case .refunded(let refund) = body { refund } else { nil }
  }

  fileprivate var reversal: RefundReversal? {
    if case .refundReversed(let reversal) = body { reversal } else { nil }
  }

  var invoice: Invoice? {
    if case .invoiced(let invoice) = body { invoice } else { nil }
  }

  var checkout: CheckoutClosure? {
    if case .checkoutClosed(let closure) = body { closure } else { nil }
  }

  fileprivate var refundID: ReferenceID? { refund?.refund ?? reversal?.refund }

  /// The names of the payment that the fact is about.
  var names: [ReferenceID] {
    let named = (refund?.transaction ?? reversal?.transaction)
      .map { [ReferenceID(unchecked: $0.rawValue)] }
    let all = references + (named ?? [])
    if !all.isEmpty { return all }
    if let transaction {
      let isPaid = !transaction.isObserved && transaction.kind != .trial
      return isPaid ? [ReferenceID(unchecked: transaction.id.rawValue)] : []
    }
    switch body {
    case .refunded, .refundReversed, .disputeOpened, .disputeClosed:
      return membership.map { [ReferenceID(unchecked: $0.rawValue)] } ?? []
    default: return []
    }
  }
}

extension Offer {
  func isSame(as other: Offer) -> Bool {
    plan.isEmpty || other.plan.isEmpty ? product == other.product : plan == other.plan
  }
}

extension NaiveModel.Statement {
  var failure: PaymentFailure? {
    if case .paymentFailed(let failure) = fact.body { failure } else { nil }
  }

  var observation: Observation? {
    if case .observed(let observation) = fact.body { observation } else { nil }
  }

  var standingRank: Int64 {
    switch observation?.standing {
    case .active, .trialing: 1
    case .pastDue, .unpaid, .paused, .unrecognized: 2
    case .ended: 3
    case .incomplete, nil: 0
    }
  }

  var disputeRank: Int64 { fact.opening?.kind == .inquiry ? 0 : 1 }

  /// The order of the states of an invoice or a checkout within one time.
  var moneyRank: Int64 {
    let states: [InvoiceState] = [.draft, .open, .void, .uncollectible, .paid]
    let outcomes: [CheckoutOutcome] = [.pending, .cancelled, .declined, .paid]
    let rank =
      fact.invoice.flatMap { states.firstIndex(of: $0.state) }
      ?? fact.checkout.flatMap { outcomes.firstIndex(of: $0.outcome) }
    return Int64(rank ?? -1)
  }

  /// When the statement speaks of the intent to go on or to end.
  var intentInstants: [Timestamp] {
    switch fact.body {
    case .cancellationScheduled(let plan):
      [plan.requestedAt ?? event.effectiveAt, event.effectiveAt]
    case .cancellationWithdrawn: [event.effectiveAt]
    case .observed(let observation): observation.isRenewing ? [event.effectiveAt] : []
    default: []
    }
  }

  /// What plans the end that the statement speaks of; nil where it speaks of none.
  var intentCause: String? {
    switch fact.body {
    case .cancellationScheduled(let plan): plan.cause
    case .cancellationWithdrawn(let withdrawal): withdrawal.cause
    case .observed: ""
    default: nil
    }
  }

  var intentRank: Int64 {
    if case .cancellationScheduled = fact.body { 2 } else { 1 }
  }

  /// When the statement speaks of the pause of collection.
  var pauseInstants: [Timestamp] {
    switch fact.body {
    case .paused, .resumed: [event.effectiveAt]
    case .observed(let observation):
      observation.unpausedCauses.contains("collection") ? [event.effectiveAt] : []
    default: []
    }
  }
}
