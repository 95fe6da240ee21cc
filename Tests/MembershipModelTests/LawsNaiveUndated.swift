import MembershipModel

/// The slow obvious model of payments that do not show their period.
struct NaiveUndated {
  /// The payments of each purchase, by its transaction.
  private(set) var payers: [TransactionID: [NaivePurchase]] = [:]
  /// The periods that payments add, with the instant of each payment.
  private(set) var added: [(purchase: NaivePurchase, paidAt: Timestamp)] = []

  private let model: NaiveModel

  init(
    _ statements: [NaiveModel.Statement], _ purchases: [NaivePurchase], _ model: NaiveModel
  ) {
    self.model = model
    let payments = purchases.filter { $0.transaction.isUndated && $0.transaction.period == nil }
      .filter { $0.transaction.kind == .paid || $0.transaction.kind == .free }
      .sorted { ($0.start, $0.transaction.id) < ($1.start, $1.transaction.id) }
    var known = purchases.filter { $0.isUnderstood && $0.start < $0.end }
    for payment in payments {
      let begun = known.filter { $0.start <= soon(after: payment.start, in: $0) }
      guard
        let last = begun.max(by: { left, right in
          (left.start, left.end, left.transaction.id)
            < (right.start, right.end, right.transaction.id)
        })
      else { continue }
      if soon(after: payment.start, in: last) < last.end {
        payers[last.transaction.id, default: []].append(payment)
        continue
      }
      guard isRenewal(payment, statements), last.transaction.kind != .trial,
        last.transaction.kind != .oneTime
      else { continue }
      let length = last.end.milliseconds - last.start.milliseconds
      let end = last.end.adding(milliseconds: length)
      let start = payment.start < end ? last.end : payment.start
      var transaction = payment.transaction
      if transaction.offer == Offer() { transaction.offer = last.transaction.offer }
      transaction.quantity = last.transaction.quantity
      transaction.item = last.transaction.item
      let purchase = NaivePurchase(
        transaction: transaction, start: start, end: start.adding(milliseconds: length),
        names: payment.names, shownIntact: payment.shownIntact,
        opened: start)
      added.append((purchase, payment.start))
      known.append(purchase)
    }
  }

  /// A payment may be made a day before its period, or a quarter of a short one.
  private func soon(after instant: Timestamp, in purchase: NaivePurchase) -> Timestamp {
    let isEndless = purchase.end == .distantFuture
    let quarter = (purchase.end.milliseconds &- purchase.start.milliseconds) / 4
    return instant.adding(milliseconds: isEndless ? 86_400_000 : min(86_400_000, quarter))
  }

  private func isRenewal(
    _ payment: NaivePurchase, _ statements: [NaiveModel.Statement]
  ) -> Bool {
    let told = statements.filter { $0.fact.transaction?.id == payment.transaction.id }
    let newest = model.newest(told) { if case .renewed = $0.fact.body { 1 } else { 0 } }
    if case .renewed = newest?.fact.body { return true }
    return false
  }
}
