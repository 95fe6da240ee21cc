import MembershipModel

/// What is sold for how much, in the places where the payload generations keep it.
extension DocumentObject {
  /// The product and the price of an item or a line.
  var offer: Offer {
    for key in ["price", "plan"] {
      if let plan = id(key) {
        return Offer(product: expanded(key)?.id("product") ?? "", plan: plan)
      }
    }
    guard let details = expanded("pricing")?.expanded("price_details") else { return Offer() }
    return Offer(product: details.id("product") ?? "", plan: details.id("price") ?? "")
  }

  /// Whether one unit costs something; nil where the object does not say.
  var isPriced: Bool? {
    if let amount = expanded("price")?.integer("unit_amount") { return amount > 0 }
    if let amount = expanded("plan")?.integer("amount") { return amount > 0 }
    let decimal =
      expanded("price")?.text("unit_amount_decimal")
      ?? expanded("plan")?.text("amount_decimal")
      ?? expanded("pricing")?.text("unit_amount_decimal")
    return decimal.map { text in text.contains { ("1"..."9").contains($0) } }
  }

  /// How many; one where the object does not say.
  var quantity: Int64 { integer("quantity") ?? 1 }

  /// An amount as sent: minor units are never divided, whatever the currency.
  func money(_ key: String) -> Money? {
    guard let amount = integer(key), let currency else { return nil }
    return Money(minorUnits: amount, currency: currency)
  }

  private var currency: String? {
    guard let code = text("currency") else { return nil }
    guard code.utf8.count == 3, code.allSatisfy({ $0.isASCII && $0.isLetter }) else {
      faults.note("currency is no code of three letters")
      return nil
    }
    return code
  }

  /// The payments and invoices named in these fields, each once.
  func references(_ keys: String...) -> [ReferenceID] {
    var references: [ReferenceID] = []
    for key in keys {
      if let reference: ReferenceID = identifier(key), !references.contains(reference) {
        references.append(reference)
      }
    }
    return references
  }
}
