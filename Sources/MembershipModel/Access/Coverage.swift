/// A stretch for which a transaction gives something, after all that was taken from it.
struct Coverage: Hashable {
  let transaction: TransactionID
  /// What is had in this stretch; a plan change within a period splits its coverage.
  var offer: Offer
  var quantity: Int64
  let kind: TransactionKind
  let ownership: Ownership
  var item: String
  /// The plan change that made the offer what it is, with what was had before it.
  var change: EnteredChange?
  /// Whether only the store's standing speaks for it.
  let isAssumed: Bool
  /// When the transaction began, for the catalog.
  let transactedAt: Timestamp
  /// The catalog revision that the transaction pins; 0 for none.
  let pinnedRevision: UInt64
  var period: Period
  /// Why it ends before what was paid for; nil where it runs out by itself.
  var cut: Cut?
  var evidence: [EventID]
}

/// A plan change in effect: one that a document states, or one that a snapshot shows.
struct EffectiveChange: Hashable {
  let change: PlanChange
  let evidence: [EventID]
  let isSeen: Bool

  /// In one instant, what is stated comes before what is seen besides.
  var order: Int { isSeen ? 1 : 0 }
}

/// A plan change as it comes into effect on what was had.
struct EnteredChange: Hashable {
  let change: PlanChange
  /// What it replaced; nil where it added something.
  let former: Offer?
  let formerQuantity: Int64
}

/// Why something stopped giving access.
struct Cut: Hashable {
  let at: Timestamp
  let reason: DenialReason
  let evidence: [EventID]
  /// Whether it is an end because a payment was not made.
  var isForNonPayment = false
}

extension Coverage {
  /// Whether a payment speaks for it; a trial or a standing is what the newest snapshot shows.
  var isPaidFor: Bool { !isAssumed && kind != .trial }

  /// The part before an instant, cut there, and the part from it on.
  func split(at instant: Timestamp) -> (before: Coverage, after: Coverage) {
    var (before, after) = (self, self)
    before.period.end = instant
    before.cut = nil
    after.period.start = instant
    return (before, after)
  }

  /// What is left after a cut that ends everything from an instant on.
  func ending(by cut: Cut) -> Coverage {
    guard period.start < cut.at, cut.at <= period.end else { return self }
    var copy = self
    copy.period.end = cut.at
    copy.cut = cut
    copy.evidence += cut.evidence
    return copy
  }

  /// It outside a stretch in which its change was taken back, and what was had before in it.
  func withoutChange(in taken: Taking) -> [Coverage] {
    let stretch = taken.period.intersection(period)
    guard let change, !stretch.isEmpty else { return [self] }
    let rest = without(taken.period, taken.reason, taken.evidence)
    guard let former = change.former else { return rest }
    var fallen = self
    fallen.period = stretch
    fallen.offer = former
    fallen.quantity = change.formerQuantity
    fallen.change = nil
    fallen.evidence += taken.evidence
    if stretch.end < period.end {
      fallen.cut = Cut(at: stretch.end, reason: .expired, evidence: taken.evidence)
    }
    return rest + [fallen]
  }

  /// What is left of it outside a stretch in which it was taken back.
  func without(_ stretch: Period, _ reason: DenialReason, _ evidence: [EventID]) -> [Coverage] {
    let from = max(stretch.start, period.start)
    guard from < stretch.end, from < period.end else { return [self] }
    var before = self
    before.period.end = from
    before.cut = Cut(at: from, reason: reason, evidence: evidence)
    before.evidence += evidence
    guard stretch.end < period.end else { return [before] }
    // What is left after it rests on the purchase alone, as if nothing had been taken back.
    var after = self
    after.period.start = stretch.end
    return [before, after]
  }
}
