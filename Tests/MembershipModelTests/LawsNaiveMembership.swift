import MembershipModel

/// The slow obvious model of one membership.
struct NaiveMembership {
  typealias Statement = NaiveModel.Statement

  let model: NaiveModel
  let id: MembershipID
  let statements: [Statement]
  let account: [Statement]
  let purchases: [NaivePurchase]
  private let undated: NaiveUndated

  init(_ model: NaiveModel, _ id: MembershipID) {
    self.model = model
    self.id = id
    let all = model.statements
    let own = all.filter { $0.fact.membership == id }
    statements = own
    let owner = model.account(of: id)
    account = all.filter {
      $0.fact.membership == nil && $0.fact.references.isEmpty && owner != nil
        && $0.event.account == owner
    }
    purchases = NaivePurchase.all(own, model)
    undated = NaiveUndated(own, purchases, model)
    self.money = Self.linked(own.flatMap { $0.fact.names }, all)
  }

  /// Every statement on payments that are linked with any of this membership's.
  private let money: [Statement]

  func answer(
    _ entitlement: EntitlementKey, _ instant: Timestamp, for share: NaiveShare
  ) -> NaiveModel.Answer {
    if isTaken(entitlement, at: instant) { return .denied }
    let (live, kept) = lines(at: instant)
    let gives = { (line: Line) in
      guard let product = product(of: line, at: instant),
        product.entitlements.contains(entitlement)
      else { return false }
      switch share {
      case .holder: return !product.isPerSeat
      case .seat(let rank):
        return product.isPerSeat && rank < seats(of: product.id, among: live + kept, at: instant)
      }
    }
    let isGranted = live.contains(where: gives)
    guard isGranted || kept.contains(where: gives) else { return .denied }
    if isHeld(at: instant) { return .held }
    if isPaused(at: instant) { return .paused }
    return isGranted ? .granted : .grace
  }

  /// Whether the membership gives anything at an instant, to whomever.
  func answer(at instant: Timestamp) -> NaiveModel.Answer {
    let (live, kept) = lines(at: instant)
    if live.isEmpty, kept.isEmpty { return .denied }
    if isHeld(at: instant) { return .held }
    if isPaused(at: instant) { return .paused }
    return live.isEmpty ? .grace : .granted
  }

  private func lines(at instant: Timestamp) -> (live: [Line], kept: [Line]) {
    let live = had(at: instant)
    let kept = kept(at: instant).filter { grace in
      !live.contains { $0.item.isEmpty || grace.item.isEmpty || $0.item == grace.item }
    }
    return (live, kept)
  }

  /// Whether the entitlement was taken from the membership by itself.
  private func isTaken(_ entitlement: EntitlementKey, at instant: Timestamp) -> Bool {
    statements.contains { statement in
      guard case .accessRevoked(let revocation) = statement.fact.body else { return false }
      return revocation.entitlements.contains(entitlement)
        && (revocation.at ?? statement.event.effectiveAt) <= instant
    }
  }

  private func product(of line: Line, at instant: Timestamp) -> Catalog.Product? {
    model.product(
      of: line.offer, bought: firstBought, transacted: line.purchase.start, at: instant)
  }

  /// How many seats there are of a product: of each item the most, of all items together.
  private func seats(
    of product: ProductID, among lines: [Line], at instant: Timestamp
  ) -> Int64 {
    let own = lines.filter { self.product(of: $0, at: instant)?.id == product }
    return Set(own.map(\.item)).reduce(0) { sum, item in
      sum + (own.filter { $0.item == item }.map(\.quantity).max() ?? 0)
    }
  }

  /// What a purchase gives at an instant.
  struct Line {
    let purchase: NaivePurchase
    let offer: Offer
    let quantity: Int64
    let item: String
    /// When it would end if nothing came in between.
    let natural: Timestamp
    /// The plan change that added it, if one did.
    var addedBy: PlanChange?
  }

  private var trusted: [NaivePurchase] {
    let first = purchases.filter { $0.transaction.kind != .trial }
      .compactMap(\.transaction.period?.start).min()
    return purchases.compactMap { purchase in
      guard purchase.isUnderstood else { return nil }
      if !purchase.transaction.isObserved { return purchase }
      if model.policy(purchase.start).rules(for: .stripe).distrustsStanding { return nil }
      if hasUnpaidCheckout, purchase.start == first { return nil }
      guard let invoiced = invoicedStarts.min() else { return purchase }
      return invoiced <= purchase.start ? nil : purchase.ending(by: invoiced)
    } + undated.added.map(\.purchase)
  }

  /// The starts of the periods that invoices speak of, be they paid or not.
  private var invoicedStarts: [Timestamp] {
    let invoices = newest(of: { $0.fact.invoice?.id })
    let settling = invoices.compactMap(\.fact.invoice)
      .filter { $0.period == nil && !$0.prorations.isEmpty }.map(\.id)
    let failed = newestFailures.compactMap(\.failure)
      .filter { $0.invoice != nil && !settling.contains($0.invoice ?? "") }
    let paid = purchases.map(\.transaction).filter { !$0.isObserved && $0.kind != .trial }
    return invoices.compactMap(\.fact.invoice?.period?.start) + failed.map(\.period.start)
      + paid.compactMap(\.period?.start)
  }

  private var hasUnpaidCheckout: Bool {
    newest(of: { $0.fact.checkout?.id }).contains { $0.fact.checkout?.outcome != .paid }
  }

  /// The newest statement on each thing that statements name.
  private func newest(of id: (Statement) -> ReferenceID?) -> [Statement] {
    Set(statements.compactMap(id)).compactMap { one in
      model.newest(statements.filter { id($0) == one }, \.moneyRank)
    }
  }

  private var newestFailures: [Statement] {
    let failures = statements.filter { $0.failure != nil }
    return Set(failures.compactMap { $0.failure?.period.start }).compactMap { start in
      model.newest(failures.filter { $0.failure?.period.start == start })
    }
  }

  private var firstBought: Timestamp { trusted.map(\.start).min() ?? .distantFuture }

  // MARK: Ends

  /// The instants from which on nothing bought before gives anything.
  private var ends: [Timestamp] { ends(sparing: nil) }

  /// The ends besides those, for want of payment, of what was due at an instant.
  private func ends(sparing due: Timestamp?) -> [Timestamp] {
    var ends: [Timestamp] = []
    for statement in statements + account {
      if case .ended(let end) = statement.fact.body,
        end.reason != .paymentFailed || end.at != due
      {
        ends.append(end.at)
      }
      if case .accessRevoked(let revocation) = statement.fact.body, revocation.transaction == nil,
        revocation.entitlements.isEmpty
      {
        ends.append(revocation.at ?? statement.event.effectiveAt)
      }
    }
    for intents in intents {
      for instant in Set(intents.map(\.at)) {
        guard
          case .cancellationScheduled(let plan) = model.inForce(intents, instant, \.intentRank)?
            .statement.fact.body
        else { continue }
        let isReplaced = intents.contains { $0.at > instant && $0.at <= plan.effectiveAt }
        if !isReplaced { ends.append(plan.effectiveAt) }
      }
    }
    return ends
  }

  /// What is said of going on or ending, by each cause for itself.
  private var intents: [[(at: Timestamp, Statement)]] {
    Set(statements.compactMap(\.intentCause)).sorted().map { cause in
      statements.filter { $0.intentCause == cause }.flatMap { statement in
        statement.intentInstants.map { ($0, statement) }
      }
    }
  }

  private func end(after start: Timestamp, sparing due: Timestamp? = nil) -> Timestamp {
    ends(sparing: due).filter { $0 > start }.min() ?? .distantFuture
  }

  /// When a purchase takes the place of those that began before it.
  private func replaced(after start: Timestamp) -> Timestamp {
    trusted.filter { purchase in
      purchase.transaction.replacesEarlier && purchase.start > start
        && purchase.start < min(purchase.end, end(after: purchase.start))
    }.map(\.start).min() ?? .distantFuture
  }

  /// The first instant at which a purchase is over, whatever is taken back of it.
  private func stop(of line: Line) -> Timestamp {
    min(line.natural, end(after: line.purchase.start), replaced(after: line.purchase.start))
  }

  // MARK: What is had

  private func had(at instant: Timestamp) -> [Line] {
    let bought = trusted
    let lines = bought.map { purchase in
      Line(
        purchase: purchase, offer: purchase.transaction.offer,
        quantity: purchase.transaction.quantity, item: purchase.transaction.item,
        natural: purchase.end)
    }
    var live: [Line] = []
    for line in lines + added(to: lines) {
      guard line.purchase.opened <= instant, instant < stop(of: line) else { continue }
      let payers = undated.payers[line.purchase.transaction.id] ?? []
      if ([line.purchase] + payers).contains(where: { isTakenBack($0, at: instant) }) { continue }
      if line.purchase.transaction.isObserved, !isInGoodStanding(instant) { continue }
      let paid = undated.added.first { $0.purchase.transaction.id == line.purchase.transaction.id }
      if let paid, !isInGoodStanding(instant, seenSince: paid.paidAt) { continue }
      guard let (offer, quantity) = offer(of: line, at: instant) else { continue }
      live.append(
        Line(
          purchase: line.purchase, offer: offer, quantity: quantity, item: line.item,
          natural: line.natural))
    }
    return live
  }

  /// Whether the last word on the standing is a good one; one from before an instant is settled.
  private func isInGoodStanding(
    _ instant: Timestamp, seenSince settled: Timestamp = .distantPast
  ) -> Bool {
    let seen = statements.filter { $0.observation != nil }.map { ($0.event.effectiveAt, $0) }
    guard let last = model.inForce(seen, instant, \.standingRank), last.since >= settled else {
      return true
    }
    let standing = last.statement.observation?.standing
    return standing == .active || standing == .trialing
  }

  // MARK: Plan changes

  /// A change in effect; one that only a snapshot shows may stand at the start of what it changes.
  private struct Change: Equatable {
    let change: PlanChange
    let isSeen: Bool

    func isAbout(_ item: String) -> Bool {
      change.item.isEmpty || item.isEmpty || change.item == item
    }
  }

  private var changes: [Change] {
    let said = statements.compactMap { statement -> (key: String, Statement)? in
      guard case .planChanged(let change) = statement.fact.body else { return nil }
      return ("\(change.at) \(change.item)", statement)
    }
    let all = Set(said.map(\.key)).compactMap { key -> PlanChange? in
      guard let last = model.newest(said.filter { $0.key == key }.map(\.1)),
        case .planChanged(let change) = last.fact.body
      else { return nil }
      return change
    }
    let seen = NaiveSnapshots(
      model: model, statements: statements, purchases: purchases, stated: all)
    let changes =
      all.compactMap { paidFor($0, among: all) }.map { Change(change: $0, isSeen: false) }
      + seen.changes.map { Change(change: $0, isSeen: true) }
    return changes.sorted { left, right in
      if left.change.at != right.change.at { return left.change.at < right.change.at }
      if left.isSeen != right.isSeen { return right.isSeen }
      return left.change.item < right.change.item
    }
  }

  /// What a change gives that is made with a payment outstanding is had once all is well.
  private func paidFor(_ change: PlanChange, among all: [PlanChange]) -> PlanChange? {
    let seen = statements.filter { $0.observation != nil }.map { ($0.event.effectiveAt, $0) }
    func standing(at instant: Timestamp) -> Standing? {
      model.inForce(seen, instant, \.standingRank)?.statement.observation?.standing
    }
    let isOutstanding = [.pastDue, .unpaid, .incomplete].contains(standing(at: change.at))
    if change.to == nil || !isOutstanding { return change }
    let later = seen.map(\.0).filter { $0 > change.at }.sorted()
    guard let well = later.first(where: { [.active, .trialing].contains(standing(at: $0)) }) else {
      return nil
    }
    let undoing = all.filter { $0.at > change.at && $0.at <= well && $0.item == change.item }
    if undoing.contains(where: { $0.to == change.from }) { return nil }
    var copy = change
    copy.at = well
    return copy
  }

  private func added(to lines: [Line]) -> [Line] {
    changes.map(\.change).compactMap { change in
      guard change.from == nil, let to = change.to else { return nil }
      let present = lines.filter { line in
        line.purchase.start <= change.at && change.at < stop(of: line)
      }
      if present.contains(where: { $0.item == change.item && $0.offer.isSame(as: to) }) {
        return nil
      }
      let host = present.max { left, right in
        let ends = [left, right].map(stop)
        return (ends[0], left.purchase.transaction.id) < (ends[1], right.purchase.transaction.id)
      }
      guard let host else { return nil }
      return Line(
        purchase: host.purchase.beginning(at: change.at), offer: to, quantity: change.quantity,
        item: change.item, natural: host.natural, addedBy: change)
    }
  }

  /// What a line gives at an instant, by the changes within its time; nil where it was not there.
  private func offer(
    of line: Line, at instant: Timestamp
  ) -> (offer: Offer, quantity: Int64)? {
    var start = line.purchase.opened
    var stop = stop(of: line)
    let isShown =
      line.purchase.transaction.isObserved || line.purchase.transaction.kind == .trial
    let own = changes.filter { $0.isAbout(line.item) }
    var (offer, quantity) = (line.offer, line.quantity)
    var formerQuantity = line.quantity
    var last = line.addedBy
    for change in (isShown ? own.reversed() : []).map(\.change) {
      guard start < change.at, change.at < stop, let to = change.to, offer.isSame(as: to) else {
        continue
      }
      if change.from == nil, change.item.isEmpty || change.item != line.item { continue }
      if instant >= change.at {
        start = change.at
        if change.from != nil { last = change }
        break
      }
      guard let from = change.from else { return nil }
      offer = from
      stop = change.at
    }
    for entry in own {
      let change = entry.change
      let isWithin = start < change.at || (start == change.at && entry.isSeen && !isShown)
      guard isWithin, change.at < stop, change.at <= instant, let from = change.from,
        offer.isSame(as: from)
      else { continue }
      guard let to = change.to, !isPaidApart(to, change, since: start) else { return nil }
      formerQuantity = quantity
      (offer, quantity, last) = (to, change.quantity, change)
      start = change.at
    }
    guard start <= instant else { return nil }
    if let last, isGivenBack(last, at: instant) {
      return last.from.map { ($0, formerQuantity) }
    }
    return (offer, quantity)
  }

  /// Whether the price of a change has been given back.
  private func isGivenBack(_ change: PlanChange, at instant: Timestamp) -> Bool {
    func concerns(_ proration: Proration, _ other: PlanChange) -> Bool {
      other.at >= proration.at
        && (other.item.isEmpty || proration.item.isEmpty || other.item == proration.item)
    }
    return newest(of: { $0.fact.invoice?.id }).compactMap(\.fact.invoice).contains { invoice in
      let settles = invoice.prorations.contains { proration in
        changes.first { concerns(proration, $0.change) }?.change == change
      }
      let amounts = invoice.prorations.compactMap(\.amount?.minorUnits)
      let bill = Transaction(
        id: "bill", kind: .paid,
        amount: amounts.count < invoice.prorations.count ? nil : usd(amounts.reduce(0, +)))
      return settles
        && NaiveMoney(model, Self.linked([invoice.id], money)).isTakenBack(bill, at: instant)
    }
  }

  /// Whether a purchase after what is changed paid for the plan changed to.
  private func isPaidApart(_ offer: Offer, _ change: PlanChange, since start: Timestamp) -> Bool {
    purchases.contains { other in
      let bought = other.transaction
      guard other.isUnderstood, !bought.isObserved, bought.kind != .trial,
        let period = bought.period
      else { return false }
      let isOfItem = change.item.isEmpty || bought.item.isEmpty || change.item == bought.item
      return isOfItem && bought.offer.isSame(as: offer) && start < period.start
        && period.start <= change.at && change.at < period.end
    }
  }

  // MARK: Grace

  private func kept(at instant: Timestamp) -> [Line] {
    var kept: [Line] = []
    for failure in newestFailures {
      guard let said = failure.failure else { continue }
      let start = said.period.start
      let days = model.policy(start).rules(for: .stripe).graceMilliseconds
      let until = said.graceUntil ?? start.adding(milliseconds: days)
      guard start <= instant, instant < until, let last = lastHad(before: start) else { continue }
      if said.graceUntil == nil, last.at.adding(milliseconds: 1) < start { continue }
      // What ended only because it was not paid when it was due is kept by the store's word.
      let due = said.graceUntil == nil ? nil : start
      kept += last.lines.filter { isUncut($0, at: last.at, sparing: due) }
        .filter { end(after: $0.purchase.start, sparing: due) > instant }
    }
    return kept + tolerated(at: instant)
  }

  private func tolerated(at instant: Timestamp) -> [Line] {
    Set(trusted.map(\.end)).flatMap { end -> [Line] in
      let length = model.policy(end).rules(for: .stripe).renewalToleranceMilliseconds
      let isPlanned = plannedEnd(at: end)
      let hasFailed = newestFailures.contains { $0.failure?.period.start == end }
      guard end <= instant, instant < end.adding(milliseconds: length), !isPlanned, !hasFailed
      else { return [] }
      return had(at: end.adding(milliseconds: -1)).filter {
        $0.natural == end && $0.purchase.transaction.kind != .oneTime
          && self.end(after: $0.purchase.start) > instant
      }
    }
  }

  private func plannedEnd(at instant: Timestamp) -> Bool {
    intents.contains { intents in
      guard
        case .cancellationScheduled(let plan) = model.inForce(intents, instant, \.intentRank)?
          .statement.fact.body
      else { return false }
      return plan.effectiveAt > instant
    }
  }

  /// The last instant before one at which anything was had, and what.
  private func lastHad(before instant: Timestamp) -> (at: Timestamp, lines: [Line])? {
    var edges: Set<Timestamp> = [instant]
    for purchase in trusted { edges.formUnion([purchase.start, purchase.end]) }
    edges.formUnion(ends)
    edges.formUnion(changes.map(\.change.at))
    edges.formUnion(money.map(\.event.effectiveAt))
    edges.formUnion(statements.map(\.event.effectiveAt))
    for edge in edges.filter({ $0 <= instant }).sorted(by: >) {
      let before = edge.adding(milliseconds: -1)
      let lines = had(at: before)
      if !lines.isEmpty { return (before, lines) }
    }
    return nil
  }

  /// Whether a line had at an instant stopped after it by itself, if at all.
  private func isUncut(_ line: Line, at instant: Timestamp, sparing due: Timestamp?) -> Bool {
    let next = instant.adding(milliseconds: 1)
    let start = line.purchase.start
    if next == due, end(after: start) == due, end(after: start, sparing: due) > next { return true }
    if end(after: line.purchase.start) <= line.natural { return false }
    if replaced(after: line.purchase.start) < line.natural { return false }
    if line.natural == next { return true }
    return [next, line.natural.adding(milliseconds: -1)].allSatisfy { later in
      had(at: later).contains {
        $0.purchase.transaction.id == line.purchase.transaction.id && $0.item == line.item
          && $0.offer == line.offer && $0.quantity == line.quantity
      }
    }
  }

  // MARK: Money

  private func isTakenBack(_ purchase: NaivePurchase, at instant: Timestamp) -> Bool {
    for statement in statements {
      if case .accessRevoked(let revocation) = statement.fact.body,
        revocation.transaction == purchase.transaction.id,
        (revocation.at ?? statement.event.effectiveAt) <= instant,
        !purchase.isIntact(after: statement.writtenAt, by: instant),
        !isGivenAgain(
          purchase, after: revocation.at ?? statement.event.effectiveAt, by: instant)
      {
        return true
      }
    }
    let names =
      purchase.names
      + [purchase.transaction.id.rawValue, id.rawValue].map(ReferenceID.init(unchecked:))
    // Payments that are not linked with each other are judged each for itself.
    return names.contains { name in
      NaiveMoney(model, Self.linked([name], money))
        .isTakenBack(purchase.transaction, at: instant, unless: purchase.isIntact)
    }
  }

  /// Whether a reversal that names the purchase lies between a revocation and an instant.
  private func isGivenAgain(
    _ purchase: NaivePurchase, after revoked: Timestamp, by instant: Timestamp
  ) -> Bool {
    statements.contains { statement in
      guard case .refundReversed(let reversal) = statement.fact.body,
        reversal.transaction == purchase.transaction.id
      else { return false }
      let at = reversal.at ?? statement.event.effectiveAt
      return at > revoked && at <= instant
    }
  }

  private func isHeld(at instant: Timestamp) -> Bool {
    model.isHeld(by: statements, instant) || model.isHeld(by: account, instant)
      || Set(money.flatMap(\.fact.names)).contains { name in
        let payment = Self.linked([name], money)
        return NaiveMoney(model, payment).isDisputed(at: instant)
          || model.isHeld(by: payment.filter { $0.fact.membership == nil }, instant)
      }
  }

  private func isPaused(at instant: Timestamp) -> Bool {
    let said = statements.flatMap { statement in
      statement.pauseInstants.map { ($0, statement) }
    }
    let last = model.inForce(said, instant) {
      if case .paused = $0.fact.body { 1 } else { 0 }
    }
    guard let last, case .paused(let pause) = last.statement.fact.body else { return false }
    return !pause.keepsPaidPeriod && instant < (pause.resumesAt ?? .distantFuture)
      && model.policy(last.since).pause != .ignore
  }

  /// The statements on payments with any of the names, or linked to such.
  static func linked(_ names: [ReferenceID], _ statements: [Statement]) -> [Statement] {
    var known = Set(names)
    var found: [Statement] = []
    var rest = statements.filter { !$0.fact.names.isEmpty }
    while true {
      let (next, others) = (
        rest.filter { !known.isDisjoint(with: $0.fact.names) },
        rest.filter { known.isDisjoint(with: $0.fact.names) }
      )
      if next.isEmpty { return found }
      for statement in next { known.formUnion(statement.fact.names) }
      found += next
      rest = others
    }
  }
}
