/// What of a payment had been given back, from instant to instant.
struct RefundTimeline {
  struct Stretch {
    let period: Period
    /// Whether all that was paid is given back.
    let isFull: Bool
    /// Whether the source itself says that access is taken back, or not.
    let revokes: Bool?
    let evidence: [EventID]
    /// When the newest of what says so was written.
    let writtenAt: Timestamp
  }

  /// The stretches in which something is given back.
  let stretches: [Stretch]

  /// Reads the refunds of a payment; the transaction's amount stands in where no document says what
  /// had been paid.
  init(_ money: MoneyState, paidAtMost amount: Money?) {
    let histories = Array(money.refunds.values)
    let instants = Set(
      money.totals.moments.keys + histories.flatMap { Array($0.moments.keys) }
    ).sorted()
    stretches = instants.indices.compactMap { index in
      let start = instants[index]
      let end = index + 1 < instants.count ? instants[index + 1] : .distantFuture
      return Self.stretch(
        Period(start: start, end: end), money.totals.entry(at: start),
        histories.compactMap { $0.entry(at: start) }, amount)
    }
  }

  private static func stretch(
    _ period: Period, _ total: Stamped<Refund>?, _ marks: [Stamped<RefundMark>], _ amount: Money?
  ) -> Stretch? {
    let named = marks.filter { !$0.value.isReversed }
    let totalAt = total?.stamp.time ?? .distantPast
    let undone = marks.filter { $0.value.isReversed && $0.stamp.time >= totalAt }
    var totalGiven = total?.value.amount.minorUnits ?? 0
    for mark in undone {
      // A refund of unknown amount that came back leaves nothing to rely on: the total is void.
      totalGiven = mark.value.amount.map { totalGiven &- $0.minorUnits } ?? 0
    }
    let namedGiven = named.reduce(Int64(0)) { $0 &+ ($1.value.amount?.minorUnits ?? 0) }
    let given = max(totalGiven, namedGiven)
    // An amount of nothing that takes access back is one that the source does not tell.
    let isUntold =
      total.map { $0.value.amount.minorUnits == 0 && $0.value.revokes == true } ?? false
    guard given > 0 || (isUntold && undone.isEmpty) else { return nil }
    let paid =
      total?.value.paid ?? named.lazy.compactMap(\.value.paid).first ?? amount
    let revokes = total?.value.revokes ?? named.lazy.compactMap(\.value.revokes).first
    return Stretch(
      period: period, isFull: paid.map { $0.minorUnits > 0 && given >= $0.minorUnits } ?? false,
      revokes: revokes, evidence: (total.map { [$0.stamp.event] } ?? []) + named.map(\.stamp.event),
      writtenAt: max(totalAt, named.map(\.stamp.time).max() ?? totalAt))
  }
}
