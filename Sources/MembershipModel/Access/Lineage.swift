/// Who held a membership, and by which events it came to whom.
public struct Lineage: Hashable, Sendable {
  /// The membership.
  public let membership: MembershipID
  /// Its holders in the order of time, without gaps: never two at an instant.
  public let holders: [Holder]
  /// Whether it goes to and fro: within 30 days it came back at least twice, each time to a
  /// customer who had left it at most 30 days before.
  public let isPingPong: Bool

  /// A stretch in which one customer holds the membership.
  public struct Holder: Hashable, Sendable {
    /// The customer, by the name that all of its names lead to.
    public let customer: CustomerID
    /// The name that the store or the transfer gave.
    public let name: CustomerID
    /// Its start; nil is since ever.
    public let from: Timestamp?
    /// The first instant after it; nil is for ever.
    public let until: Timestamp?
    /// The event of the transfer that it begins with; nil where the store names the owner.
    public let event: EventID?
    /// Why it was transferred; empty where nothing was said.
    public let reason: String
    /// The event of the transfer that was undone by this one; nil where none was.
    public let undoes: EventID?
    /// The links and merges by which the name leads to the customer.
    public let succession: [EventID]
    /// The position of the transfer, where it was decided in the ledger; else 0.
    package let decision: UInt64
  }

  /// The holder at an instant.
  ///
  /// - Parameter instant: The instant.
  /// - Returns: The holder, or nil where the store names no owner.
  public func holder(at instant: Timestamp) -> Holder? {
    holders.last { $0.from ?? .distantPast <= instant }
  }
}

extension Fold {
  /// Who held a membership; nil for an unknown one.
  package func lineage(
    of id: MembershipID, _ environment: Environment
  ) throws(Store.Failure) -> Lineage? {
    guard let state = try store.membership(id, environment) else { return nil }
    let holdings = try holdings(of: state, environment)
    return Lineage(
      membership: id, holders: holdings.map(Lineage.Holder.init),
      isPingPong: PingPong.goesOn(in: holdings))
  }
}

extension Lineage.Holder {
  fileprivate init(_ holding: Holding) {
    self.init(
      customer: holding.customer, name: holding.name, from: holding.period.start.bounded,
      until: holding.period.end.bounded, event: holding.transfer?.stamp.event,
      reason: holding.transfer?.value.reason ?? "", undoes: holding.transfer?.value.undoes,
      succession: holding.succession, decision: holding.transfer?.stamp.decision ?? 0)
  }
}

extension Lineage {
  /// The transfer that an undoing would undo now: the one decided last that none has undone, be it
  /// in effect yet or not; of those that only stores tell of, the one in effect last.
  ///
  /// An undoing is not undone itself: whoever wants the membership to move again transfers it.
  package var transferInForce: (moved: Holder, before: Holder?)? {
    var open: [(moved: Holder, before: Holder?)] = []
    for (index, holder) in holders.enumerated() {
      if let undone = holder.undoes {
        open.removeAll { $0.moved.event == undone }
      } else if holder.event != nil {
        open.append((holder, index == 0 ? nil : holders[index - 1]))
      }
    }
    return open.enumerated().max {
      ($0.element.moved.decision, $0.offset) < ($1.element.moved.decision, $1.offset)
    }?.element
  }
}

/// Memberships that go to and fro between customers.
enum PingPong {
  /// 30 days in milliseconds.
  private static let window: Int64 = 30 * 86_400_000

  static func goesOn(in holdings: [Holding]) -> Bool {
    let returns = returns(in: holdings)
    return zip(returns, returns.dropFirst()).contains { isWithin(window, from: $0, to: $1) }
  }

  /// When the membership came back to a customer who had left it not long before.
  private static func returns(in holdings: [Holding]) -> [Timestamp] {
    var left: [CustomerID: Timestamp] = [:]
    var returns: [Timestamp] = []
    for (index, holding) in holdings.enumerated() {
      let isNew = index == 0 || holdings[index - 1].customer != holding.customer
      if isNew, let end = left[holding.customer],
        isWithin(window, from: end, to: holding.period.start)
      {
        returns.append(holding.period.start)
      }
      left[holding.customer] = holding.period.end
    }
    return returns
  }

  private static func isWithin(_ window: Int64, from: Timestamp, to: Timestamp) -> Bool {
    let (span, overflow) = to.milliseconds.subtractingReportingOverflow(from.milliseconds)
    return !overflow && span <= window
  }
}
