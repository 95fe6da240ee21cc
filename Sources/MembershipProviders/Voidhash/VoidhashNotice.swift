import MembershipModel

/// What one webhook or action says.
struct VoidhashNotice {
  /// The webhook's type or the action's name.
  let type: String
  let object: DocumentObject
  /// When it occurred.
  let at: Timestamp
  /// The service's own customer, where the document names one.
  let customer: CustomerID?
  /// Whether another system processed it.
  let isObserver: Bool

  /// What it is about: the subscription or the purchase by Voidhash's own id, else by the store's.
  static func subject(of object: DocumentObject, isSubscription: Bool) -> String? {
    let own = ["subscriptionId", "purchaseId"]
    let names = isSubscription ? own : own.reversed()
    return names.lazy.compactMap { result(of: object)?.text($0) ?? object.text($0) }.first
      ?? object.text("providerSubscriptionId") ?? object.text("providerTransactionId")
  }

  /// What the server made of an action, where that is handed over with it.
  private static func result(of object: DocumentObject) -> DocumentObject? {
    object.expanded("result") ?? object.expanded("resultPayload")
  }

  /// Who holds what an action was about, once it was done.
  var holderAfterwards: String? { Self.result(of: object)?.text("personId") }

  var membership: MembershipID? {
    let isSubscription =
      !type.lowercased().contains("purchase") || object.given("subscriptionId") != nil
    return Self.subject(of: object, isSubscription: isSubscription)
      .flatMap { DocumentObject.identifier($0, object.faults) }
  }

  var offer: Offer {
    Offer(
      product: object.text("productId") ?? "",
      plan: object.text("providerProductId")
        ?? object.text("paymentProviderConfigurationProductId") ?? object.text("productSlug") ?? "")
  }

  /// The store's transaction, by which every route to Voidhash knows a payment.
  var transaction: TransactionID? {
    object.text("providerTransactionId").flatMap { DocumentObject.identifier($0, object.faults) }
  }

  /// The payment as Voidhash and as the store itself name it, so that both routes are one payment.
  var references: [ReferenceID] {
    guard let id = object.text("providerTransactionId") else { return [] }
    let store = object.text("provider") ?? object.text("providerId") ?? ""
    let prefixes = ["voidhash"] + (Self.stores[store].map { [$0.rawValue] } ?? [])
    return prefixes.compactMap { try? ReferenceID("\($0):\(id)") }
  }

  private static let stores: [String: Provider] = [
    "apple-app-store": .appStore, "google-play": .googlePlay, "stripe": .stripe,
  ]

  /// An amount in the smallest unit; nil where none is reported, which is not nothing.
  var amount: Money? {
    guard let money = object.expanded("amount") ?? object.expanded("money") else { return nil }
    guard let amount = money.integer("grossAmount"), let currency = money.text("currency") else {
      return nil
    }
    guard amount >= 0, currency.utf8.count == 3,
      currency.allSatisfy({ $0.isASCII && $0.isLetter })
    else {
      object.faults.note("the amount is not one of a currency with a code of three letters")
      return nil
    }
    return Money(minorUnits: amount, currency: currency)
  }
}
