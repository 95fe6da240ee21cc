import LedgerTestSupport
import MembershipLedger
import Testing

/// Whoever has a seat, the stored answers are those that follow from all that is known.
@Suite("Law 16: seats") struct SeatLawTests {
  private static let customers: [CustomerID] = (1...9).map { CustomerID(stringLiteral: "u\($0)") }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `after each event each customer's stored access is what a check computes`(seed: UInt64)
    throws
  {
    print("seats: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try withLedger(TestClock(day(40))) { ledger in
      var catalog = Make.catalog
      catalog.products[0].isPerSeat = true
      try ledger.add(Make.catalogEvent("manual:c", catalog))
      try ledger.add(Self.purchase("stripe:evt_1", of: Int64.random(in: 1...4, using: &random)))
      let premium = try ledger.entitlement("premium")
      for number in 0..<40 {
        try ledger.add(Self.event(number, &random))
        for customer in Self.customers + ["stripe:cus_1"] {
          for instant in [day(1), day(8), day(16), day(29)] {
            let stored = try ledger.isEntitled(customer.rawValue, to: premium, at: instant)
            let computed = try ledger.decision(for: customer, on: "premium", at: instant)
            #expect(stored == computed.isEntitled, "\(customer) at \(instant) after \(number)")
          }
        }
      }
      try expectSound(ledger)
    }
  }

  private static func purchase(_ id: EventID, of quantity: Int64) -> Event {
    var purchase = Make.purchase(id, days(0, 31))
    guard case .purchased(var transaction) = purchase.facts[0].body else { return purchase }
    transaction.quantity = quantity
    purchase.facts[0].body = .purchased(transaction)
    return purchase
  }

  /// Mostly of seats, at any time, for any customer; now and then another number of seats.
  private static func event(_ number: Int, _ random: inout SeededGenerator) -> Event {
    let instant = day(Int64.random(in: 0...28, using: &random))
    let seat = SeatID(stringLiteral: "s\(Int.random(in: 1...6, using: &random))")
    let customer = customers[Int.random(in: customers.indices, using: &random)]
    let body: Fact.Body
    switch Int.random(in: 0..<10, using: &random) {
    case 0...4: body = .seatClaimed(SeatClaim(seat: seat, customer: customer))
    case 5, 6: body = .seatAssigned(SeatAssignment(seat: seat, customer: customer))
    case 7, 8: body = .seatReleased(SeatRelease(seat: seat))
    default:
      let offer = Offer(product: "prod_pro")
      body = .planChanged(
        PlanChange(
          at: instant, from: offer, to: offer, quantity: Int64.random(in: 1...5, using: &random)))
    }
    return Make.event(
      EventID(stringLiteral: "manual:e\(number)"), at: instant, account: nil, provider: .manual,
      Fact(body, membership: "stripe:sub_1"))
  }
}
