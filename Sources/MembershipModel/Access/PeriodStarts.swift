extension MembershipState {
  /// The state with the starts of those periods of which the source tells the end alone.
  ///
  /// What was seen first counts from the beginning of the membership; what was seen later from
  /// where the period before it, of the same product, ended. A product that is new counts from when
  /// it was first seen, and so does a period that follows on trouble with payment or on a pause.
  var withPeriodStarts: MembershipState {
    let open = transactions.entries.compactMap { OpenPeriod($0.key, $0.value) }.sorted()
    guard let first = open.first?.seenAt else { return self }
    var copy = self
    for (index, later) in open.enumerated() where later.seenAt > first {
      let before = open[..<index].filter { $0.product == later.product }.map(\.period.end).max()
      let seen = standing.value(at: later.seenAt.adding(milliseconds: -1))
      let goesOn = seen?.standing.isGood ?? true
      let begun = goesOn ? before ?? later.seenAt : later.seenAt
      let start = min(max(begun, later.period.start), later.period.end)
      copy.transactions[later.id, default: TransactionState()].begin(at: start)
    }
    return copy
  }
}

/// A period whose start is not told, with what tells where it lies among others.
private struct OpenPeriod: Comparable {
  let id: TransactionID
  let product: String
  let seenAt: Timestamp
  let period: Period

  init?(_ id: TransactionID, _ state: TransactionState) {
    guard let bought = state.purchase.value?.transaction, bought.hasUnknownStart,
      let period = bought.period
    else { return nil }
    self.id = id
    self.period = period
    product = bought.offer.product
    seenAt = state.bought.at
  }

  static func < (left: OpenPeriod, right: OpenPeriod) -> Bool {
    (left.seenAt, left.period.end, left.id) < (right.seenAt, right.period.end, right.id)
  }
}

extension TransactionState {
  /// Puts the start of the newest observation where it belongs.
  fileprivate mutating func begin(at start: Timestamp) {
    purchase.replaceWinner { $0.transaction.period?.start = start }
    trial.replaceWinner { $0.transaction.period?.start = start }
  }
}

extension Register {
  /// Leaves the observation that holds alone, and changed.
  fileprivate mutating func replaceWinner(_ change: (inout Value) -> Void) {
    guard var winner else { return }
    change(&winner.value)
    self = Register()
    join(winner.value, winner.stamp)
  }
}
