/// What an access row gives at each instant, and the instants at which that changes.
///
/// A row that leads to another name, or is not there, gives nothing at any instant.
struct AccessFlips {
  private let entries: [AccessRow.Entry]
  /// The name that the row leads to.
  let leadsTo: CustomerID?

  init(_ row: [UInt8]?) {
    leadsTo = row.flatMap { AccessRow.alias(in: $0.span) }.map { CustomerID(unchecked: $0) }
    entries = leadsTo == nil ? row.map { AccessRow.entries(in: $0.span) } ?? [] : []
  }

  /// The numbers of the entitlements that are had at an instant.
  func held(at instant: Timestamp) -> Set<UInt32> {
    Set(entries.filter { $0.period.contains(instant) }.map(\.entitlement))
  }

  /// The first instant after another at which what is had changes; nil where none comes.
  ///
  /// The stretches of one entitlement do not touch, so that each of their ends is a change.
  func next(after instant: Timestamp) -> Timestamp? {
    var next = Timestamp.distantFuture
    for entry in entries {
      if entry.period.start > instant { next = min(next, entry.period.start) }
      if entry.period.end > instant { next = min(next, entry.period.end) }
    }
    return next == .distantFuture ? nil : next
  }
}
