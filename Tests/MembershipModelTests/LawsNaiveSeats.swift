import MembershipModel

/// Whose part of a membership is asked about.
enum NaiveShare {
  case holder
  /// The seat that so many others come before.
  case seat(Int)
}

/// The slow obvious model of the seats of one membership.
struct NaiveSeats {
  let model: NaiveModel
  let statements: [NaiveModel.Statement]

  init(_ model: NaiveModel, _ membership: MembershipID) {
    self.model = model
    statements = model.statements.filter {
      $0.fact.membership == membership && $0.fact.seat != nil
    }
  }

  /// A seat that is taken, by whom and since when.
  struct Taken {
    let seat: SeatID
    var customer: CustomerID?
    var isClaimed: Bool
    var since: Timestamp
  }

  /// The claims at an instant, the first to stay first.
  func claims(at instant: Timestamp) -> [Taken] {
    Set(statements.compactMap(\.fact.seat)).compactMap { taken($0, at: instant) }
      .filter(\.isClaimed).sorted { ($0.since, $0.seat) < ($1.since, $1.seat) }
  }

  private func taken(_ seat: SeatID, at instant: Timestamp) -> Taken? {
    let own = statements.filter { $0.fact.seat == seat }.map { ($0.seatInstant, $0) }
    var taken: Taken?
    for time in Set(own.map(\.0)).filter({ $0 <= instant }).sorted() {
      switch model.inForce(own, time, \.seatRank)?.statement.fact.body {
      case .seatClaimed(let claim):
        if taken?.isClaimed == true, taken?.customer == claim.customer { continue }
        taken = Taken(seat: seat, customer: claim.customer, isClaimed: true, since: time)
      case .seatAssigned(let assignment):
        let isKnown = taken?.isClaimed == true && assignment.customer != nil
        if isKnown, taken?.customer == assignment.customer { continue }
        taken = Taken(seat: seat, customer: assignment.customer, isClaimed: false, since: time)
      default:
        taken = nil
      }
    }
    return taken
  }
}

extension Fact {
  var seat: SeatID? {
    switch body {
    case .seatAssigned(let assignment): assignment.seat
    case .seatClaimed(let claim): claim.seat
    case .seatReleased(let release): release.seat
    default: nil
    }
  }

  /// The instant that a fact about a seat names.
  var seatInstant: Timestamp? {
    switch body {
    case .seatAssigned(let assignment): assignment.at
    case .seatClaimed(let claim): claim.at
    case .seatReleased(let release): release.at
    default: nil
    }
  }
}

extension NaiveModel.Statement {
  fileprivate var seatInstant: Timestamp { fact.seatInstant ?? event.effectiveAt }

  fileprivate var seatRank: Int64 {
    switch fact.body {
    case .seatClaimed: 1
    case .seatReleased: 2
    default: 0
    }
  }
}
