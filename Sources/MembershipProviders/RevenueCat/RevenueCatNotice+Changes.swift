import MembershipModel

extension RevenueCatNotice {
  /// States the product that comes next; a change in effect shows with its purchase.
  func statePlanChange(in facts: inout FactCollector) {
    guard let product = object.text("new_product_id"), let expiresAt else {
      facts.note("the event does not say what is changed to: its purchase shows it")
      return
    }
    let change = PlanChange(at: expiresAt, from: offer, to: store.offer(product))
    state(.planChangeScheduled(change), in: &facts)
  }

  func stateExtension(in facts: inout FactCollector) {
    guard let expiresAt else {
      facts.note("the event does not say until when the period is extended")
      return
    }
    state(.extended(Extension(transaction: transaction, until: expiresAt)), in: &facts)
  }

  /// The customer who receives in a transfer.
  var receiver: RevenueCatIdentity {
    RevenueCatIdentity([], others: object.names("transferred_to"), object.faults)
  }

  /// States that whatever one customer holds by RevenueCat's word is another's from now on: no
  /// purchase is named.
  func stateTransfer(in facts: inout FactCollector) {
    let from = object.names("transferred_from")
    guard let receiver = receivingAccount, !from.isEmpty else {
      facts.note("the event does not say from whom to whom")
      return
    }
    RevenueCatIdentity([], others: from, object.faults).state(in: &facts)
    for name in from {
      guard let account: AccountID = DocumentObject.identifier(name, object.faults),
        account != receiver
      else { continue }
      facts.state(
        .transferred(
          Transfer(
            to: CustomerID(unchecked: receiver.rawValue),
            from: CustomerID(unchecked: account.rawValue))))
    }
  }

  /// The account that receives: the service's own customer's, where one is named.
  private var receivingAccount: AccountID? {
    guard let customer = receiver.customer else { return receiver.account }
    return DocumentObject.identifier(customer.rawValue, object.faults)
  }
}
