/// Payments of a store that does not say which period they are for.
///
/// A payment is for the period that the membership is in at its time. A renewal that finds that
/// period run out is for one more, as long as the one before; a trial says nothing of the length of
/// what follows it.
struct UndatedPayments {
  /// The payments, by the transaction whose period they are for.
  private(set) var payers: [TransactionID: [TransactionID]] = [:]
  /// What renewals give for which no snapshot shows a period.
  private(set) var renewals: [Coverage] = []
  /// When each of those renewals was paid.
  private(set) var paidAt: [TransactionID: Timestamp] = [:]

  private struct Payment {
    let id: TransactionID
    let at: Timestamp
    let purchase: Stamped<Purchase>
  }

  /// Finds the period of each undated payment among what the other transactions cover.
  init(_ state: MembershipState, among dated: [Coverage]) {
    let payments = Self.payments(of: state)
    if payments.isEmpty { return }
    var hosts = dated.filter { !$0.period.isEmpty }
    for payment in payments {
      guard let host = Self.host(of: payment, hosts) else { continue }
      let isWithin = payment.at.adding(milliseconds: host.advance) < host.period.end
      if isWithin {
        payers[host.transaction, default: []].append(payment.id)
      } else if let renewal = Self.renewal(of: host, by: payment) {
        renewals.append(renewal)
        paidAt[payment.id] = payment.at
        hosts.append(renewal)
      }
    }
  }

  private static func payments(of state: MembershipState) -> [Payment] {
    state.transactions.entries.compactMap { entry -> Payment? in
      guard let winner = entry.value.purchase.winner, winner.value.transaction.isUndated,
        winner.value.transaction.period == nil, winner.value.transaction.isUnderstood
      else { return nil }
      return Payment(id: entry.key, at: entry.value.bought.at, purchase: winner)
    }
    .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
  }

  /// What began last by the time of the payment.
  private static func host(of payment: Payment, _ hosts: [Coverage]) -> Coverage? {
    hosts.filter { $0.period.start <= payment.at.adding(milliseconds: $0.advance) }
      .max {
        ($0.period.start, $0.period.end, $0.transaction) < (
          $1.period.start, $1.period.end, $1.transaction
        )
      }
  }

  private static func renewal(of host: Coverage, by payment: Payment) -> Coverage? {
    let length = host.length
    guard payment.purchase.value.isRenewal, host.kind != .trial, host.kind != .oneTime, length > 0
    else { return nil }
    var renewal = host
    let follows = payment.at < host.period.end.adding(milliseconds: length)
    let start = follows ? host.period.end : payment.at
    let transaction = payment.purchase.value.transaction
    renewal.period = Period(start: start, end: start.adding(milliseconds: length))
    return renewal.paid(by: payment.id, transaction, payment.purchase.stamp.event)
  }
}

extension Coverage {
  /// How long before a period its payment may be made: a day, or a quarter of a short period.
  fileprivate var advance: Int64 { min(86_400_000, length / 4) }

  /// Its length in milliseconds; that of an endless one is the longest there is.
  fileprivate var length: Int64 {
    let (length, overflows) = period.end.milliseconds.subtractingReportingOverflow(
      period.start.milliseconds)
    return overflows ? .max : length
  }

  fileprivate func paid(
    by id: TransactionID, _ transaction: Transaction, _ event: EventID
  ) -> Coverage {
    Coverage(
      transaction: id, offer: transaction.offer == Offer() ? offer : transaction.offer,
      quantity: quantity, kind: transaction.kind, ownership: transaction.ownership, item: item,
      change: nil, isAssumed: false, transactedAt: period.start,
      pinnedRevision: transaction.catalogRevision, period: period, cut: nil,
      evidence: evidence + [event])
  }
}

extension Transaction {
  /// Whether its kind and its ownership are known, so that it can give something.
  fileprivate var isUnderstood: Bool {
    kind.unrecognizedNumber == nil && ownership.unrecognizedNumber == nil && kind != .oneTime
  }
}
