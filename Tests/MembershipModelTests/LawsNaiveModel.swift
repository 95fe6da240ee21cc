import MembershipModel

/// The slow obvious model: whether a customer may use an entitlement at one instant, straight from
/// the list of all facts, without states, registers or timelines.
struct NaiveModel {
  let events: [(position: Int, event: Event)]
  let environment: Environment

  init(_ events: [Event], _ environment: Environment = .production) {
    self.environment = environment
    self.events = events.enumerated().map { (position: $0 + 1, event: $1) }
      .filter { $0.event.environment == environment }
  }

  /// A fact with the event that states it.
  struct Statement {
    let fact: Fact
    let event: Event
    let position: Int

    var writtenAt: Timestamp { event.ordering.writtenAt ?? event.effectiveAt }
    var decision: Int { event.provider == .manual ? position : 0 }
  }

  enum Answer: Equatable {
    case granted
    case grace
    case held
    case paused
    case denied
  }

  var statements: [Statement] {
    events.flatMap { position, event in
      event.facts.map { Statement(fact: $0, event: event, position: position) }
    }
  }

  func answer(_ customer: CustomerID, _ entitlement: EntitlementKey, _ instant: Timestamp) -> Answer
  {
    let name = lastName(of: customer)
    var answers: [Answer] = []
    for membership in memberships where holder(of: membership, instant).map(lastName) == name {
      let one = NaiveMembership(self, membership)
      answers.append(one.answer(entitlement, instant, for: .holder))
    }
    for membership in memberships {
      let claims = NaiveSeats(self, membership).claims(at: instant)
      for (rank, claim) in claims.enumerated() where claim.customer.map(lastName) == name {
        let one = NaiveMembership(self, membership)
        answers.append(one.answer(entitlement, instant, for: .seat(rank)))
      }
    }
    answers += grants(of: name, entitlement, instant)
    if isHeld(name, instant) {
      answers = answers.map { $0 == .denied ? .denied : .held }
    }
    return [.granted, .grace, .held, .paused].first { answers.contains($0) } ?? .denied
  }

  // MARK: What is newest

  /// The last of some statements on one thing, by the rules for ties.
  func newest(
    _ statements: [Statement], _ precedence: (Statement) -> Int64 = { _ in 0 },
    after stateBefore: () -> UInt64 = { 0 }
  ) -> Statement? {
    guard let time = statements.map(\.writtenAt).max() else { return nil }
    let candidates = statements.filter { $0.writtenAt == time }
    let steps = distinct(candidates).filter {
      $0.ordering.previousState != 0 && $0.ordering.previousState != $0.ordering.state
    }
    let standing = candidates.filter { candidate in
      let state = candidate.event.ordering.state
      let left = steps.count { $0.ordering.previousState == state }
      if state == 0 || left == 0 { return true }
      let isStart = candidates.contains { other in
        other.event.ordering.state == state && !steps.contains { $0.id == other.event.id }
      }
      return steps.count { $0.ordering.state == state } + (isStart ? 1 : 0) > left
    }
    // Words in a circle end where they began, where that is known.
    let start = standing.isEmpty ? stateBefore() : 0
    let closing = candidates.filter { start != 0 && $0.event.ordering.state == start }
    let left = standing.isEmpty ? closing.isEmpty ? candidates : closing : standing
    return left.max { left, right in
      if left.decision != right.decision { return left.decision < right.decision }
      if precedence(left) != precedence(right) { return precedence(left) < precedence(right) }
      return left.event.id < right.event.id
    }
  }

  private func distinct(_ statements: [Statement]) -> [Event] {
    statements.reduce(into: []) { events, statement in
      if !events.contains(where: { $0.id == statement.event.id }) { events.append(statement.event) }
    }
  }

  /// What was said last of the instants up to one: the newest statement of the latest instant.
  func inForce(
    _ statements: [(at: Timestamp, Statement)], _ instant: Timestamp,
    _ precedence: (Statement) -> Int64 = { _ in 0 }
  ) -> (since: Timestamp, statement: Statement)? {
    guard let latest = statements.map(\.at).filter({ $0 <= instant }).max() else { return nil }
    let last = statements.filter { $0.at == latest }.map(\.1)
    return newest(last, precedence) { state(before: last, latest, statements, precedence) }
      .map { (latest, $0) }
  }

  /// The source's state by the last word, of those in force before an instant, that was written
  /// before some others.
  private func state(
    before later: [Statement], _ instant: Timestamp, _ statements: [(at: Timestamp, Statement)],
    _ precedence: (Statement) -> Int64
  ) -> UInt64 {
    let written = later.map(\.writtenAt).max() ?? .distantPast
    let earlier = Set(statements.map(\.at)).filter { $0 < instant }.sorted(by: >)
    for instant in earlier {
      guard let word = inForce(statements, instant, precedence)?.statement,
        word.writtenAt < written, word.event.ordering.state != 0
      else { continue }
      return word.event.ordering.state
    }
    return 0
  }

  // MARK: Names

  private func nextName(after name: CustomerID) -> CustomerID? {
    var linked = hintedLink(of: AccountID(unchecked: name.rawValue))
    var merged = statedMerges(of: name)
    for statement in statements where statement.event.provider == .manual {
      switch statement.fact.body {
      case .accountLinked(let link) where link.account.rawValue == name.rawValue:
        linked = link.customer
      case .accountUnlinked(let link)
      where link.account.rawValue == name.rawValue && linked == link.customer:
        linked = nil
      case .customersMerged(let merge) where merge.from == name:
        merged = merged.filter { $0 != merge.into } + [merge.into]
      case .mergeUndone(let merge) where merge.from == name:
        merged = merged.filter { $0 != merge.into }
      default: break
      }
    }
    return linked ?? merged.last
  }

  /// Whose the newest document says that the account is, if none says since that it is not.
  private func hintedLink(of account: AccountID) -> CustomerID? {
    let named = events.filter { $0.event.account == account && $0.event.customer != nil }.map {
      Statement(fact: Fact(.unrecognized), event: $0.event, position: $0.position)
    }
    guard let last = newest(named), let customer = last.event.customer else { return nil }
    let isDenied = statements.contains { statement in
      guard case .accountUnlinked(let link) = statement.fact.body else { return false }
      return statement.event.provider != .manual && link.account == account
        && link.customer == customer && statement.writtenAt >= last.writtenAt
    }
    return isDenied ? nil : customer
  }

  /// Into whom documents say that a customer is merged, the newest last.
  private func statedMerges(of name: CustomerID) -> [CustomerID] {
    func target(_ statement: Statement) -> CustomerID? {
      switch statement.fact.body {
      case .customersMerged(let merge), .mergeUndone(let merge):
        merge.from == name ? merge.into : nil
      default: nil
      }
    }
    func isMerge(_ statement: Statement) -> Bool {
      if case .customersMerged = statement.fact.body { true } else { false }
    }
    let stated = statements.filter { $0.event.provider != .manual && target($0) != nil }
    let last = Set(stated.compactMap(target)).compactMap { into in
      newest(stated.filter { target($0) == into }) { isMerge($0) ? 0 : 1 }
    }
    return last.filter(isMerge)
      .sorted { ($0.writtenAt, $0.event.id) < ($1.writtenAt, $1.event.id) }.compactMap(target)
  }

  func lastName(of name: CustomerID) -> CustomerID {
    var path = [name]
    while let next = nextName(after: path[path.count - 1]) {
      if let start = path.firstIndex(of: next) { return path[start...].min() ?? next }
      path.append(next)
    }
    return path[path.count - 1]
  }

  var memberships: Set<MembershipID> {
    Set(statements.compactMap(\.fact.membership))
  }

  func account(of membership: MembershipID) -> AccountID? {
    newest(statements.filter { $0.fact.membership == membership && $0.event.account != nil })?
      .event.account
  }

  private func isSomebodys(_ name: CustomerID) -> Bool {
    !lastName(of: name).rawValue.hasPrefix("stripe:")
  }

  /// The names that documents give a membership, each with the first document that does.
  private func firstWords(on membership: MembershipID) -> [CustomerID: (Timestamp, EventID)] {
    let telling = events.map(\.event).filter { event in
      event.facts.contains { fact in
        if case .transferred = fact.body { return false }
        return fact.membership == membership
      }
    }
    var firsts: [CustomerID: (Timestamp, EventID)] = [:]
    for event in telling {
      guard
        let name = event.account.map({ CustomerID(unchecked: $0.rawValue) }) ?? event.customer
      else { continue }
      let word = (event.effectiveAt, event.id)
      firsts[name] = firsts[name].map { $0 < word ? $0 : word } ?? word
    }
    return firsts
  }

  /// The account named last; while it is nobody's, the somebody who came in last.
  private func owner(of membership: MembershipID) -> CustomerID? {
    guard let last = account(of: membership).map({ CustomerID(unchecked: $0.rawValue) }) else {
      return nil
    }
    if isSomebodys(last) { return last }
    let known = firstWords(on: membership).filter { isSomebodys($0.key) }
    return known.max { $0.value < $1.value }?.key ?? last
  }

  /// When an account gave away all that it held, first from an instant on.
  private func departure(of name: CustomerID, from instant: Timestamp) -> Statement? {
    func transfer(_ statement: Statement) -> Transfer? {
      guard statement.fact.membership == nil, case .transferred(let all) = statement.fact.body,
        all.from == name
      else { return nil }
      return all
    }
    let said = statements.filter { transfer($0) != nil && $0.event.effectiveAt >= instant }
    for time in Set(said.map(\.event.effectiveAt)).sorted() {
      let last = newest(said.filter { $0.event.effectiveAt == time })
      if let last, transfer(last)?.to != name { return last }
    }
    return nil
  }

  /// Who had a membership first of those who gave all away, and the gifts that it went along with.
  private func gifts(of membership: MembershipID) -> (origin: CustomerID, [Statement])? {
    let givers = firstWords(on: membership).filter {
      departure(of: $0.key, from: $0.value.0) != nil
    }
    guard let origin = givers.min(by: { $0.value < $1.value }) else { return nil }
    var gifts: [Statement] = []
    var (name, instant) = (origin.key, origin.value.0)
    while let gift = departure(of: name, from: instant),
      case .transferred(let all) = gift.fact.body
    {
      gifts.append(gift)
      (name, instant) = (all.to, gift.event.effectiveAt.adding(milliseconds: 1))
    }
    return (origin.key, gifts)
  }

  func holder(of membership: MembershipID, _ instant: Timestamp) -> CustomerID? {
    let own = statements.filter { statement in
      guard statement.fact.membership == membership, case .transferred = statement.fact.body
      else { return false }
      return true
    }
    let firstOwn = own.map(\.event.effectiveAt).min() ?? .distantFuture
    let all = gifts(of: membership)
    let moves = (all?.1 ?? []).filter { $0.event.effectiveAt < firstOwn } + own
    var holder = all?.origin ?? owner(of: membership)
    for time in Set(moves.map(\.event.effectiveAt)).sorted() where time <= instant {
      let said = moves.filter { $0.event.effectiveAt == time }
      let decided = said.filter { $0.decision > 0 }.max { $0.decision < $1.decision }
      guard let last = decided ?? newest(said), case .transferred(let transfer) = last.fact.body
      else { continue }
      // A store's word takes nothing from a customer for an account that is nobody's.
      if last.decision == 0, !isSomebodys(transfer.to), holder.map(isSomebodys) ?? false {
        continue
      }
      holder = transfer.to
    }
    return holder
  }

  // MARK: Grants and holds by hand

  private func grants(
    of name: CustomerID, _ entitlement: EntitlementKey, _ instant: Timestamp
  ) -> [Answer] {
    let given = statements.filter { if case .granted = $0.fact.body { true } else { false } }
    func id(_ statement: Statement) -> GrantID? {
      if case .granted(let grant) = statement.fact.body { grant.id } else { nil }
    }
    return Set(given.compactMap(id)).map { grantID in
      guard let last = newest(given.filter { id($0) == grantID }),
        let customer = last.event.customer, lastName(of: customer) == name,
        case .granted(let grant) = last.fact.body, grant.entitlement == entitlement
      else { return .denied }
      let isRevoked = statements.contains { statement in
        guard case .grantRevoked(let revocation) = statement.fact.body else { return false }
        return revocation.id == grantID && statement.event.effectiveAt <= instant
      }
      let isRunning =
        (grant.from ?? last.event.effectiveAt) <= instant
        && instant < (grant.until ?? .distantFuture)
      guard isRunning, !isRevoked else { return .denied }
      guard let source = grant.follows else { return .granted }
      return memberships.contains(source)
        ? NaiveMembership(self, source).answer(at: instant) : .denied
    }
  }

  private func isHeld(_ name: CustomerID, _ instant: Timestamp) -> Bool {
    let holds = statements.filter { statement in
      statement.fact.membership == nil && statement.event.account == nil
        && statement.event.customer != nil && statement.fact.references.isEmpty
    }
    let holders = Set(holds.compactMap(\.event.customer)).filter { lastName(of: $0) == name }
    return holders.contains { holder in
      isHeld(by: holds.filter { $0.event.customer == holder }, instant)
    }
  }

  /// Whether a hold among the statements is open, cause by cause.
  func isHeld(by statements: [Statement], _ instant: Timestamp) -> Bool {
    let causes = Set(statements.compactMap(\.holdCause))
    return causes.contains { cause in
      let said = statements.filter { $0.holdCause == cause }.map { ($0.event.effectiveAt, $0) }
      let last = inForce(said, instant) {
        if case .holdPlaced = $0.fact.body { 1 } else { 0 }
      }
      guard let last, case .holdPlaced(let hold) = last.statement.fact.body else { return false }
      return hold.kind != .fraudWarning || policy(last.since).fraudWarning != .ignore
    }
  }

  // MARK: Terms

  func policy(_ instant: Timestamp) -> Policy {
    var policy = Policy()
    for statement in statements {
      if case .policyRevised(let revision) = statement.fact.body,
        (revision.from ?? statement.event.effectiveAt) <= instant
      {
        policy = revision.policy
      }
    }
    return policy
  }

  func product(
    of offer: Offer, bought: Timestamp, transacted: Timestamp, at instant: Timestamp
  ) -> Catalog.Product? {
    var catalog: Catalog?
    for statement in statements {
      guard case .catalogRevised(let revision) = statement.fact.body else { continue }
      let from = revision.from ?? statement.event.effectiveAt
      let decisive =
        switch revision.appliesTo {
        case .newPurchases: bought
        case .nextRenewal: transacted
        case .everyone: instant
        case .unrecognized: Timestamp.distantPast
        }
      if catalog == nil || decisive >= from { catalog = revision.catalog }
    }
    return catalog?.product(for: offer, of: .stripe)
  }
}

extension NaiveModel.Statement {
  fileprivate var holdCause: String? {
    switch fact.body {
    case .holdPlaced(let hold): hold.cause
    case .holdReleased(let release): release.cause
    default: nil
    }
  }
}
