/// What a store's standing alone may speak for: every period before the first that invoices speak
/// of.
///
/// From that period on the service hears of invoices, so that what is not paid is not had. Before
/// it there may be none to hear of, and the standing is all there is.
struct StandingTrust {
  /// The start of the first period that an invoice speaks of, and the event that shows it.
  private let invoiced: (from: Timestamp, event: EventID)?
  /// The start of the first period of all, where its checkout is not paid.
  private let unpaidStart: Timestamp?

  init(_ state: MembershipState) {
    invoiced = Self.invoicedPeriods(of: state).min {
      ($0.from, $0.event) < ($1.from, $1.event)
    }
    let isUnpaid = state.checkouts.values.contains { checkout in
      checkout.value.map { $0.outcome != .paid } ?? false
    }
    unpaidStart = isUnpaid ? Self.firstStart(of: state) : nil
  }

  /// What of a coverage that rests on the standing alone is to be believed; nil where nothing is.
  func believed(_ coverage: Coverage) -> Coverage? {
    if coverage.period.start == unpaidStart { return nil }
    guard let invoiced, invoiced.from < coverage.period.end else { return coverage }
    guard coverage.period.start < invoiced.from else { return nil }
    var copy = coverage
    copy.period.end = invoiced.from
    copy.evidence.append(invoiced.event)
    return copy
  }

  /// The periods that documents about money speak of.
  ///
  /// An invoice that only settles a change within a period does not say how the period itself is
  /// paid, be it paid itself or not.
  private static func invoicedPeriods(
    of state: MembershipState
  ) -> [(from: Timestamp, event: EventID)] {
    let billed = state.invoices.values.compactMap(\.winner).compactMap { invoice in
      invoice.value.period.map { ($0.start, invoice.stamp.event) }
    }
    let failed = state.failures.values.compactMap(\.winner)
      .filter { failure in
        guard let id = failure.value.invoice else { return false }
        return state.invoices[id]?.value.map { $0.prorations.isEmpty || $0.period != nil } ?? true
      }
      .map { ($0.value.period.start, $0.stamp.event) }
    let paid = state.transactions.values.compactMap(\.purchase.winner).compactMap { purchase in
      let transaction = purchase.value.transaction
      let isPaid = !transaction.isObserved && transaction.kind != .trial
      return isPaid ? transaction.period.map { ($0.start, purchase.stamp.event) } : nil
    }
    return billed + failed + paid
  }

  private static func firstStart(of state: MembershipState) -> Timestamp? {
    state.transactions.values.compactMap(\.purchase.value?.transaction)
      .filter { $0.kind != .trial }.compactMap(\.period?.start).min()
  }
}
