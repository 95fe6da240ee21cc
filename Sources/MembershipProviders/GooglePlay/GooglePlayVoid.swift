import MembershipModel

/// An order that was cancelled, refunded or charged back, and with it what it gave.
struct GooglePlayVoid {
  private let object: DocumentObject
  private let membership: MembershipID
  private let at: Timestamp

  init(_ object: DocumentObject, of membership: MembershipID, at: Timestamp) {
    self.object = object
    self.membership = membership
    self.at = at
  }

  /// Takes back what the order gave; other orders of the purchase stand.
  func state(in facts: inout FactCollector) {
    if let quantity = object.integer("voidedQuantity") {
      facts.note("\(quantity) of the order were given back: fetch the product and hand it over")
      return
    }
    guard let order: ReferenceID = object.identifier("orderId") else {
      facts.note("the order that was voided is not named")
      return
    }
    let revocation = AccessRevocation(
      transaction: TransactionID(unchecked: order.rawValue), at: at, reason: reason)
    facts.state(.accessRevoked(revocation), of: membership, references: [order])
  }

  private var reason: String {
    let cause = object.integer("voidedReason").flatMap { Self.reasons[$0] } ?? "other"
    let source = object.integer("voidedSource").flatMap { Self.sources[$0] }
    return source.map { "\(cause), by \($0)" } ?? cause
  }

  private static let reasons: [Int64: String] = [
    0: "other", 1: "remorse", 2: "not received", 3: "defective", 4: "accidental purchase",
    5: "fraud", 6: "friendly fraud", 7: "chargeback", 8: "unacknowledged purchase",
  ]
  private static let sources: [Int64: String] = [0: "user", 1: "developer", 2: "Google"]
}
