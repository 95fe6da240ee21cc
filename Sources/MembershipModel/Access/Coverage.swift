/// A stretch for which a transaction gives something, after all that was taken from it.
struct Coverage: Hashable {
  let transaction: TransactionID
  /// What is had in this stretch; a plan change within a period splits its coverage.
  var offer: Offer
  var quantity: Int64
  let kind: TransactionKind
  let ownership: Ownership
  var item: String
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

/// Why something stopped giving access.
struct Cut: Hashable {
  let at: Timestamp
  let reason: DenialReason
  let evidence: [EventID]
}

extension Coverage {
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
