/// A stretch in which a seat is kept for, or claimed by, one customer.
package struct SeatStretch: Hashable, Sendable {
  package let seat: SeatID
  package let customer: CustomerID?
  package let isClaimed: Bool
  package internal(set) var period: Period
  /// The event that began it.
  let begun: EventID
  /// The event that ended it; nil where none did.
  fileprivate(set) var ended: EventID?
}

/// The seats of a membership, in the order in which they stay when there are too few.
///
/// Seats that are claimed come first, by the instant of the claim and then by their ids; those that
/// are only kept for someone follow. Whoever stands beyond the number bought has nothing, until
/// there are more seats or someone before is gone.
struct SeatPool {
  /// All stretches of all seats, in that order.
  private let stretches: [SeatStretch]
  /// The claims of each customer, in that order.
  private let claims: [CustomerID: [SeatStretch]]

  init(_ seats: SortedMap<SeatID, History<SeatMark>>) {
    stretches = seats.entries.flatMap { Self.stretches(of: $0.key, $0.value) }
      .sorted { left, right in
        if left.isClaimed != right.isClaimed { return left.isClaimed }
        return (left.period.start, left.seat) < (right.period.start, right.seat)
      }
    var claims: [CustomerID: [SeatStretch]] = [:]
    for stretch in stretches where stretch.isClaimed {
      if let customer = stretch.customer { claims[customer, default: []].append(stretch) }
    }
    self.claims = claims
  }

  /// The claims of a customer under one of its names, in the order of time.
  func claims(of name: CustomerID) -> [SeatTenure.Claim] {
    (claims[name] ?? []).map(claim)
  }

  /// Everyone for whom a seat was ever kept, or who ever claimed one.
  static func customers(
    of seats: some Sequence<(key: SeatID, value: History<SeatMark>)>
  ) -> Set<CustomerID> {
    var found: Set<CustomerID> = []
    for (seat, history) in seats {
      found.formUnion(stretches(of: seat, history).compactMap(\.customer))
    }
    return found
  }

  /// Those whose claims have others before them that leave no room among so many seats: what
  /// becomes of those others makes a difference to them, and to nobody else.
  func crowded(among size: Int64) -> Set<CustomerID> {
    var found: Set<CustomerID> = []
    // When those leave who are there, the first one first.
    var departures: [Timestamp] = []
    for claim in stretches.prefix(while: \.isClaimed) {
      departures.removeFirst(Self.place(after: claim.period.start, in: departures))
      if Int64(departures.count) >= size, let customer = claim.customer { found.insert(customer) }
      let end = claim.period.end
      departures.insert(end, at: Self.place(after: end, in: departures))
    }
    return found
  }

  /// How many of the instants, which lie in order, are not after another.
  private static func place(after instant: Timestamp, in instants: [Timestamp]) -> Int {
    var (low, high) = (0, instants.count)
    while low < high {
      let middle = (low + high) / 2
      if instants[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// A customer who is said again to have, or to be meant to have, the seat keeps the first claim.
  private static func stretches(
    of seat: SeatID, _ history: History<SeatMark>
  ) -> [SeatStretch] {
    var found: [SeatStretch] = []
    for (period, entry) in history.stretches {
      if let last = found.indices.last, found[last].period.end == period.start {
        let keeps =
          found[last].isClaimed && entry.value.customer != nil
          && entry.value.customer == found[last].customer
        if keeps {
          found[last].period.end = period.end
          continue
        }
        found[last].ended = entry.stamp.event
      }
      guard entry.value.isTaken else { continue }
      found.append(
        SeatStretch(
          seat: seat, customer: entry.value.customer, isClaimed: entry.value.isClaimed,
          period: period, begun: entry.stamp.event))
    }
    return found
  }

  /// The seats taken at an instant, in the order in which they stay.
  func taken(at instant: Timestamp) -> [SeatStretch] {
    stretches.filter { $0.period.contains(instant) }
  }

  /// A claim with what decides from when on it has room.
  private func claim(_ stretch: SeatStretch) -> SeatTenure.Claim {
    let start = stretch.period.start
    // Claims come first, by their starts.
    let earlier = stretches.lazy.prefix {
      $0.isClaimed && ($0.period.start, $0.seat) < (start, stretch.seat)
    }
    let departures = earlier.filter { $0.period.end > start }.map { $0.period.end }
    return SeatTenure.Claim(stretch: stretch, departures: departures.sorted(by: >))
  }

  /// How many seats there are of each product: the sum over the lines of what was bought.
  ///
  /// What is had of one line at one time is had once, as where a renewal is paid early.
  static func sizes(
    _ lines: some Sequence<(product: ProductID, item: String, quantity: Int64)>
  ) -> [ProductID: Int64] {
    var sizes: [ProductID: [String: Int64]] = [:]
    for line in lines {
      let known = sizes[line.product]?[line.item] ?? 0
      sizes[line.product, default: [:]][line.item] = max(known, line.quantity)
    }
    return sizes.mapValues { items in
      items.values.reduce(0) { total, quantity in
        let (sum, overflows) = total.addingReportingOverflow(quantity)
        return overflows ? .max : sum
      }
    }
  }
}

/// The pools of memberships whose states stay as they are while it is in use, each made once.
package final class SeatPools {
  private var pools: [EntityKey: SeatPool] = [:]

  package init() {}

  func pool(of key: EntityKey, _ state: MembershipState) -> SeatPool {
    if let known = pools[key] { return known }
    let pool = SeatPool(state.seats)
    pools[key] = pool
    return pool
  }
}

/// A seat of a membership that a customer claims, at times.
package struct SeatTenure: Sendable {
  package let seat: SeatID
  let claims: [Claim]

  struct Claim: Sendable {
    let stretch: SeatStretch
    /// When those who came before and were there at its start leave, the last one first.
    let departures: [Timestamp]

    /// From when on the claim has room among so many seats; nil while it never has.
    ///
    /// Those who came before only become fewer, so that there is one such instant.
    func admission(among size: Int64) -> Timestamp? {
      if size <= 0 { return nil }
      if size > Int64(departures.count) { return stretch.period.start }
      let instant = departures[Int(size) - 1]
      return instant < stretch.period.end ? instant : nil
    }
  }
}

extension SeatTenure {
  /// The times in which the customer has no claim on the seat, and why.
  var gaps: [(period: Period, reason: DenialReason, evidence: [EventID])] {
    let stretches = claims.map(\.stretch)
    var gaps: [(period: Period, reason: DenialReason, evidence: [EventID])] = []
    if let first = stretches.first {
      gaps.append(
        (Period(start: .distantPast, end: first.period.start), .notStarted, [first.begun]))
    }
    for (index, stretch) in stretches.enumerated() {
      let next = index + 1 < stretches.count ? stretches[index + 1].period.start : .distantFuture
      gaps.append(
        (
          Period(start: stretch.period.end, end: next), .revoked,
          [stretch.begun] + [stretch.ended].compactMap { $0 }
        ))
    }
    return gaps.filter { !$0.period.isEmpty }
  }
}
