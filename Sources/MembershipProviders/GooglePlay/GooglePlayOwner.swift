import MembershipModel

/// Whose a purchase is, as far as its resource says.
enum GooglePlayOwner {
  /// The service told Google its own id of the customer.
  case customer(CustomerID)
  /// Whoever owns the purchase with the token that this one follows.
  case formerToken(CustomerID)
  case unknown

  /// The name to which the purchase's account leads.
  var name: CustomerID? {
    switch self {
    case .customer(let customer): customer
    case .formerToken(let name): name
    case .unknown: nil
    }
  }

  /// The service's own id of the customer.
  var customer: CustomerID? {
    if case .customer(let customer) = self { customer } else { nil }
  }
}

extension DocumentObject {
  /// The id that the service gave to the purchase.
  var obfuscatedCustomer: CustomerID? {
    text("obfuscatedExternalAccountId").map(CustomerID.init(unchecked:))
  }
}
