/// A grant as it was given, and where its event stands.
public struct GrantReceipt: Hashable, Sendable {
  /// The grant with the start and the end that it got.
  public let grant: ManualGrant
  /// Where its event stands.
  public let receipt: Receipt
}

extension Ledger {
  /// Gives an entitlement by hand, durably on return.
  ///
  /// The event is `event` with one fact more: the grant. A grant whose stacking is `after` begins
  /// at the end of the access to the entitlement that the customer has at its start, and not before
  /// its start; both are judged in the transaction that appends the event, so that two gifts given
  /// at one time come one after the other. An event of the same id is not given twice.
  ///
  /// What a grant follows has to be known. A grant that follows a membership of its own receiver
  /// does not begin after it: it would give nothing.
  ///
  /// - Parameters:
  ///   - grant: The grant; without a start it begins at the event's effective time.
  ///   - event: What else the event says: its id, its customer, its time, who gives and why.
  ///   - duration: How long it lasts from its start, in place of an end of its own.
  /// - Returns: The grant as it was given.
  /// - Throws: `LedgerError` with `invalidEvent` where the customer is not named, where the grant
  ///   would have no end that lies after its start, or where there is access without end, or of the
  ///   membership that it follows, to come after; with `unknownReference` where the membership that
  ///   it follows is not known; else as `append` does.
  public func give(
    _ grant: ManualGrant, in event: Event, lasting duration: CalendarDuration? = nil
  ) throws(LedgerError) -> GrantReceipt {
    try decide { (batch, now) throws(LedgerError) in
      try Giving(grant: grant, event: event, duration: duration).give(in: &batch, now: now)
    }
  }

  /// Gives an entitlement by hand without holding the caller's thread; see the synchronous form.
  ///
  /// - Parameters:
  ///   - grant: The grant; without a start it begins at the event's effective time.
  ///   - event: What else the event says: its id, its customer, its time, who gives and why.
  ///   - duration: How long it lasts from its start, in place of an end of its own.
  /// - Returns: The grant as it was given.
  /// - Throws: As the synchronous form does.
  public func give(
    _ grant: ManualGrant, in event: Event, lasting duration: CalendarDuration? = nil
  ) async throws(LedgerError) -> GrantReceipt {
    try await decide { (batch, now) throws(LedgerError) in
      try Giving(grant: grant, event: event, duration: duration).give(in: &batch, now: now)
    }
  }
}

/// A grant whose times are settled in the transaction that records it.
private struct Giving: Sendable {
  let grant: ManualGrant
  /// The event without the grant.
  let event: Event
  let duration: CalendarDuration?

  func give(in batch: inout Batch, now: Timestamp) throws(LedgerError) -> GrantReceipt {
    let settled =
      if let known = try recorded(in: batch) { known } else { try settled(by: batch) }
    var whole = event
    whole.facts.append(Fact(.granted(settled)))
    return GrantReceipt(grant: settled, receipt: try batch.append(whole, now: now))
  }

  private func settled(by batch: Batch) throws(LedgerError) -> ManualGrant {
    var settled = grant
    var start = grant.from ?? event.effectiveAt
    if grant.stacking == .after { start = try endOfAccess(at: start, in: batch) }
    if let followed = grant.follows { try check(followed, from: start, in: batch) }
    settled.from = start
    if let duration {
      guard let end = start.adding(duration) else {
        throw refusal("\(duration) from its start lies after the year 9999; give a shorter one")
      }
      settled.until = end
    }
    if let end = settled.until, end <= start {
      throw refusal("its end, \(end), is not after its start, \(start)")
    }
    return settled
  }

  /// When the access that the customer has at an instant ends; the instant where there is none.
  private func endOfAccess(at instant: Timestamp, in batch: Batch) throws(LedgerError) -> Timestamp
  {
    guard let customer = event.customer else { throw refusal("a grant names its customer") }
    let fold = batch.fold
    let access = AccessStretches(
      try fold.dossier(of: customer, event.environment), try fold.store.terms())
    let end = access[grant.entitlement].first { $0.contains(instant) }?.end ?? instant
    if end == .distantFuture {
      throw refusal("the customer has \(grant.entitlement) without end; nothing comes after")
    }
    return end
  }

  /// Refuses to follow what is not known, and what the receiver has and the grant is to begin after.
  private func check(
    _ followed: MembershipID, from start: Timestamp, in batch: Batch
  ) throws(LedgerError) {
    let fold = batch.fold
    guard let state = try fold.store.membership(followed, event.environment), state.isKnown else {
      throw LedgerError(
        .unknownReference,
        "grant \(grant.id): there is no membership \(followed) in \(event.environment.name) to "
          + "follow; name one that is known, or leave it out")
    }
    guard grant.stacking == .after, let customer = event.customer,
      try fold.dossier(of: customer, event.environment).memberships.contains(where: {
        $0.id == followed
      }),
      !MembershipTimeline(followed, state, try fold.store.terms())
        .membership(of: state, heldBy: nil, at: start, event.environment).isActive
    else { return }
    throw refusal(
      "it is to begin at \(start), after what \(customer) has, and to follow \(followed), which "
        + "\(customer) has and which gives access no longer than that; leave out one of the two")
  }

  private func refusal(_ rule: String) -> LedgerError {
    LedgerError(.invalidEvent, "grant \(grant.id): \(rule)")
  }

  /// The same grant, if its event is recorded already: it has got its times.
  private func recorded(in batch: Batch) throws(LedgerError) -> ManualGrant? {
    guard case .granted(let given)? = try batch.event(event.id)?.facts.last?.body else {
      return nil
    }
    var asked = grant
    (asked.from, asked.until) = (given.from, given.until)
    return asked == given ? given : nil
  }
}
