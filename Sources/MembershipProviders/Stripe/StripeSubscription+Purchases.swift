import MembershipModel

extension StripeSnapshot {
  /// Active standing speaks for the period of each item, as an observation and not as a payment.
  func statePurchases(in facts: inout FactCollector) {
    guard now.standing == .active, !isOver else { return }
    if now.items.isEmpty { facts.note("the subscription shows no items") }
    for item in now.items {
      guard let period = item.period else {
        facts.note("an item shows no usable period")
        continue
      }
      let id = StripeTransaction.observed(now.membership, item.id, period.start, facts.faults)
      state(item, id, period, item.isFree ? .free : .paid, in: &facts)
    }
  }

  /// A trial needs no payment; its newest observation shortens or extends it.
  func stateTrial(in facts: inout FactCollector) {
    let isNews = now.standing == .trialing || before.map { $0.trial != now.trial } ?? !isOver
    guard isNews, allowsTrial else { return }
    guard let trial = now.trial else {
      if now.standing == .trialing { facts.note("a trial without a usable start and end") }
      return
    }
    for item in now.items {
      let id = StripeTransaction.unbilled(now.membership, item.id, trial.start, facts.faults)
      state(item, id, trial, .trial, in: &facts)
    }
  }

  /// What never started, or stands as no known word says, had no trial.
  private var allowsTrial: Bool {
    switch now.standing {
    case .incomplete, .unrecognized: false
    default: now.status != "incomplete_expired"
    }
  }

  private func state(
    _ item: StripeSubscriptionItem, _ id: TransactionID?, _ period: Period,
    _ kind: TransactionKind, in facts: inout FactCollector
  ) {
    guard item.quantity > 0 else {
      facts.note("an item with a quantity of \(item.quantity) gives nothing")
      return
    }
    guard let id else { return }
    let transaction = Transaction(
      id: id, offer: item.offer, period: period, kind: kind, quantity: item.quantity,
      item: item.id, isObserved: kind != .trial)
    let isFirst = kind == .trial || notice.type == "customer.subscription.created"
    facts.state(isFirst ? .purchased(transaction) : .renewed(transaction), of: now.membership)
  }
}

/// The ids of transactions, which Stripe does not name itself.
enum StripeTransaction {
  /// What one invoice charged for one item: the same in every document about the invoice.
  static func invoiced(
    _ invoice: ReferenceID, _ item: String, _ start: Timestamp, _ faults: DocumentFaults
  ) -> TransactionID? {
    make([invoice.rawValue, item, seconds(start)], faults)
  }

  /// A period for which nothing was billed, such as a trial: the same from the subscription and
  /// from its invoice, so that the newest document of either kind says how long it lasts.
  static func unbilled(
    _ membership: MembershipID, _ item: String, _ start: Timestamp, _ faults: DocumentFaults
  ) -> TransactionID? {
    make([membership.rawValue, "unbilled", item, seconds(start)], faults)
  }

  /// A period that the standing of the subscription alone speaks for.
  static func observed(
    _ membership: MembershipID, _ item: String, _ start: Timestamp, _ faults: DocumentFaults
  ) -> TransactionID? {
    make([membership.rawValue, item, seconds(start)], faults)
  }

  /// One thing bought once in a checkout.
  static func bought(
    _ checkout: ReferenceID, _ line: String, _ faults: DocumentFaults
  ) -> TransactionID? {
    make([checkout.rawValue, line], faults)
  }

  private static func seconds(_ instant: Timestamp) -> String {
    String(instant.milliseconds / 1000)
  }

  private static func make(_ parts: [String], _ faults: DocumentFaults) -> TransactionID? {
    do {
      return try TransactionID(parts.filter { !$0.isEmpty }.joined(separator: "/"))
    } catch {
      faults.note("\(error)")
      return nil
    }
  }
}
