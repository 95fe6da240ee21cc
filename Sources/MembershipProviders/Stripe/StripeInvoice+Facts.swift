import MembershipModel

extension StripeInvoice {
  /// Reads an invoice: its state for each membership it bills, and what was bought where it is
  /// paid.
  static let read: StripeEventKind.Read = { notice, facts in
    guard let invoice = StripeInvoice(notice.object) else {
      facts.note("the invoice has no usable id")
      return
    }
    let memberships = invoice.memberships
    if memberships.isEmpty { facts.note("the invoice bills no subscription") }
    for membership in memberships {
      invoice.state(membership, notice.type, in: &facts)
    }
  }

  private static let failures: Set = [
    "invoice.overdue", "invoice.payment_action_required", "invoice.payment_failed",
  ]

  private func state(_ membership: MembershipID, _ type: String, in facts: inout FactCollector) {
    let lines = lines(of: membership)
    let state = type == "invoice.deleted" ? .void : state
    let invoice = Invoice(
      id: id, state: state, period: Self.latestPeriod(of: lines.filter { $0.isProration != true }),
      prorations: Self.prorations(in: lines))
    facts.state(.invoiced(invoice), of: membership, references: references)
    if state == .unrecognized(0) { facts.note("the invoice's status \"\(status)\" is not known") }
    if state == .paid {
      statePurchases(of: membership, lines, in: &facts)
    } else if Self.failures.contains(type), state != .void {
      if let period = invoice.period ?? Self.latestPeriod(of: lines) {
        facts.state(
          .paymentFailed(PaymentFailure(period: period, invoice: id)), of: membership,
          references: references)
      } else {
        facts.note("a payment failed for a period that is not shown")
      }
    }
  }

  /// The period that begins last: lines for use are billed after their period.
  private static func latestPeriod(of lines: [StripeInvoiceLine]) -> Period? {
    lines.compactMap(\.period).max { ($0.start, $0.end) < ($1.start, $1.end) }
  }

  /// The changes that lines settle; what is given back for one is a line of its own.
  private static func prorations(in lines: [StripeInvoiceLine]) -> [Proration] {
    lines.filter { $0.isProration == true }.reduce(into: []) { prorations, line in
      guard let at = line.period?.start else { return }
      let same = prorations.firstIndex { $0.at == at && $0.item == line.item }
      if let same {
        prorations[same].amount = prorations[same].amount.adding(line.amount)
      } else {
        prorations.append(Proration(at: at, item: line.item, amount: line.amount))
      }
    }
  }

  /// Paid-through comes from here: the periods of paid lines that settle no change.
  private func statePurchases(
    of membership: MembershipID, _ lines: [StripeInvoiceLine], in facts: inout FactCollector
  ) {
    var transactions: [Transaction] = []
    for line in lines where line.isProration != true {
      guard let transaction = transaction(line, of: membership, in: &facts) else { continue }
      if let index = transactions.firstIndex(where: { $0.id == transaction.id }) {
        transactions[index].add(transaction)
      } else {
        transactions.append(transaction)
      }
    }
    for transaction in transactions {
      facts.state(
        isFirst ? .purchased(transaction) : .renewed(transaction), of: membership,
        references: references)
    }
  }

  private func transaction(
    _ line: StripeInvoiceLine, of membership: MembershipID, in facts: inout FactCollector
  ) -> Transaction? {
    guard line.isProration == false, let period = line.period, let net = line.net, net >= 0,
      let currency = line.currency, line.quantity > 0
    else {
      facts.note("a paid line without a usable period, amount or quantity buys nothing")
      return nil
    }
    let isUnbilled = net == 0 && !line.isDiscounted
    let id =
      isUnbilled
      ? StripeTransaction.unbilled(membership, line.name, period.start, facts.faults)
      : StripeTransaction.invoiced(id, line.name, period.start, facts.faults)
    return id.map { id in
      Transaction(
        id: id, offer: line.offer, period: period,
        kind: line.isTrial ? .trial : net == 0 ? .free : .paid, quantity: line.quantity,
        amount: Money(minorUnits: net, currency: currency), item: line.item)
    }
  }
}

extension Transaction {
  /// Adds another line for the same item and period, as prices in tiers have them.
  fileprivate mutating func add(_ other: Transaction) {
    let (total, overflows) = quantity.addingReportingOverflow(other.quantity)
    quantity = overflows ? .max : total
    amount = amount.adding(other.amount)
    if let mine = period, let others = other.period, others.end > mine.end { period = others }
    if other.kind == .paid { kind = .paid }
  }
}

extension Money? {
  /// The sum, where both are known and of one currency.
  fileprivate func adding(_ other: Money?) -> Money? {
    guard let self, let other, self.currency == other.currency else { return nil }
    let (sum, overflows) = self.minorUnits.addingReportingOverflow(other.minorUnits)
    return overflows ? nil : Money(minorUnits: sum, currency: self.currency)
  }
}
