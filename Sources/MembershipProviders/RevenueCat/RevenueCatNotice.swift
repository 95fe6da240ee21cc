import FoundationEssentials
import MembershipModel

/// What one webhook says of one purchase.
struct RevenueCatNotice {
  let type: String
  let object: DocumentObject
  /// When RevenueCat wrote it, which is not when it happened.
  let writtenAt: Timestamp
  let store: RevenueCatStore

  init(type: String, object: DocumentObject, writtenAt: Timestamp) {
    self.type = type
    self.object = object
    self.writtenAt = writtenAt
    store = RevenueCatStore(name: (object.text("store") ?? "unknown").lowercased())
  }

  /// What the event is about, for the reader of a note.
  var subject: String {
    object.text("transaction_id") ?? object.text("app_user_id") ?? ""
  }

  var transactionText: String? { object.text("transaction_id") }

  /// The membership: it goes by the first transaction of the subscription.
  var membership: MembershipID? {
    guard let original = object.text("original_transaction_id") ?? transactionText else {
      return nil
    }
    return store.membership(original, object.faults)
  }

  var start: Timestamp? { object.milliseconds("purchased_at_ms") }
  var expiresAt: Timestamp? { object.milliseconds("expiration_at_ms") }

  var transaction: TransactionID? {
    guard let id = transactionText, let start else { return nil }
    return store.transaction(id, startingAt: start, object.faults)
  }

  /// The payment of the transaction.
  var references: [ReferenceID] {
    transactionText.flatMap { store.reference($0, object.faults) }.map { [$0] } ?? []
  }

  var offer: Offer { store.offer(object.text("product_id") ?? "") }

  /// What was paid, or given back, in the currency of the purchase.
  var amount: Money? {
    object.money("price_in_purchased_currency", in: "currency")
  }

  var ownership: Ownership {
    object.flag("is_family_share") == true ? .familyShared : .purchased
  }

  /// States a fact of the membership, or notes that it cannot be told which it is.
  func state(_ body: Fact.Body, in facts: inout FactCollector) {
    guard let membership else {
      facts.note("the event names no transaction")
      return
    }
    facts.state(body, of: membership)
  }
}

extension DocumentObject {
  /// A decimal amount of a currency; nil where it is not known, which is not the same as nothing.
  func money(_ key: String, in currencyKey: String) -> Money? {
    guard let amount = given(key), let currency = text(currencyKey) else { return nil }
    do {
      switch amount {
      case .integer(let whole): return try Money(amount: Decimal(whole), currency: currency)
      case .decimal(let decimal): return try Money(amount: decimal, currency: currency)
      default: faults.note("\(key) is no number")
      }
    } catch {
      faults.note("\(key): \(error)")
    }
    return nil
  }
}
