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
  /// The event is `event` with one fact more: the grant. A grant whose stacking is `after` begins at
  /// the end of the access to the entitlement that the customer has at its start, and not before its
  /// start; both are judged in the transaction that appends the event, so that two gifts given at one
  /// time come one after the other. An event of the same id is not given twice.
  ///
  /// - Parameters:
  ///   - grant: The grant; without a start it begins at the event's effective time.
  ///   - event: What else the event says: its id, its customer, its time, who gives and why.
  ///   - duration: How long it lasts from its start, in place of an end of its own.
  /// - Returns: The grant as it was given.
  /// - Throws: `LedgerError` with `invalidEvent` where the customer is not named, where the grant
  ///   would have no end that lies after its start, or where there is access without end to come
  ///   after; else as `append` does.
  public func give(
    _ grant: ManualGrant, in event: Event, lasting duration: CalendarDuration? = nil
  ) throws(LedgerError) -> GrantReceipt {
    var attempts = GrantAttempts(grant, event, duration)
    while true {
      let prepared = try attempts.next(in: self)
      do throws(LedgerError) {
        return prepared.receipt(try append(prepared.event, if: prepared.condition))
      } catch  where error.code == .conditionFailed && attempts.mayGoOn {
        continue
      }
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
    var attempts = GrantAttempts(grant, event, duration)
    while true {
      let prepared = try attempts.next(in: self)
      do throws(LedgerError) {
        return prepared.receipt(try await append(prepared.event, if: prepared.condition))
      } catch  where error.code == .conditionFailed && attempts.mayGoOn {
        continue
      }
    }
  }
}

/// A grant with its times settled, and what must still hold when it is appended.
private struct PreparedGrant {
  let grant: ManualGrant
  let event: Event
  let condition: AppendCondition?

  func receipt(_ receipt: Receipt) -> GrantReceipt {
    GrantReceipt(grant: grant, receipt: receipt)
  }
}

/// Settles the times of a grant, anew each time that something came in between.
private struct GrantAttempts {
  private let grant: ManualGrant
  private let event: Event
  private let duration: CalendarDuration?
  /// Each failed attempt means that others have got on; so many of them are no accident.
  private var left = 100

  init(_ grant: ManualGrant, _ event: Event, _ duration: CalendarDuration?) {
    self.grant = grant
    self.event = event
    self.duration = duration
  }

  var mayGoOn: Bool { left > 0 }

  mutating func next(in ledger: Ledger) throws(LedgerError) -> PreparedGrant {
    left -= 1
    if let known = try recorded(in: ledger) { return known }
    var settled = grant
    let start = grant.from ?? event.effectiveAt
    settled.from = start
    var condition: AppendCondition?
    if grant.stacking == .after {
      guard let customer = event.customer else { throw refusal("a grant names its customer") }
      let end = try ledger.endOfAccess(
        to: grant.entitlement, of: customer, at: start, event.environment)
      if end.instant == .distantFuture {
        throw refusal("the customer has \(grant.entitlement) without end; nothing comes after")
      }
      settled.from = end.instant
      condition = .last(of: customer, is: end.position)
    }
    if let duration {
      guard let end = (settled.from ?? start).adding(duration) else {
        throw refusal("\(duration) from its start lies after the year 9999; give a shorter one")
      }
      settled.until = end
    }
    if let end = settled.until, end <= settled.from ?? start {
      throw refusal("its end, \(end), is not after its start, \(settled.from ?? start)")
    }
    return PreparedGrant(grant: settled, event: event(of: settled), condition: condition)
  }

  private func event(of grant: ManualGrant) -> Event {
    var whole = event
    whole.facts.append(Fact(.granted(grant)))
    return whole
  }

  private func refusal(_ rule: String) -> LedgerError {
    LedgerError(.invalidEvent, "grant \(grant.id): \(rule)")
  }

  /// The same grant, if its event is recorded already: it has got its times.
  private func recorded(in ledger: Ledger) throws(LedgerError) -> PreparedGrant? {
    guard let known = try ledger.event(event.id)?.event,
      case .granted(let given)? = known.facts.last?.body
    else { return nil }
    var asked = grant
    (asked.from, asked.until) = (given.from, given.until)
    guard asked == given else { return nil }
    return PreparedGrant(grant: given, event: event(of: given), condition: nil)
  }
}

extension Ledger {
  /// When the access to an entitlement that a customer has at an instant ends, or the instant where
  /// there is none; with the position of the last event that bears on it.
  fileprivate func endOfAccess(
    to entitlement: EntitlementKey, of customer: CustomerID, at instant: Timestamp,
    _ environment: Environment
  ) throws(LedgerError) -> (instant: Timestamp, position: Position) {
    try withStore { (store, _, _) throws(LedgerError) in
      let fold = Fold(store)
      let access = AccessStretches(
        try fold.dossier(of: customer, environment), try store.terms())
      let present = access[entitlement].first { $0.contains(instant) }
      let position = try Projector(store).lastPosition(
        of: fold.related(to: customer, environment))
      return (present?.end ?? instant, position)
    }
  }
}
