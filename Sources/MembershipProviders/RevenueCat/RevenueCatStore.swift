import MembershipModel

/// The store that a purchase was made in, as RevenueCat names it, and the ids that it goes by.
struct RevenueCatStore {
  /// The name in lower case, such as `app_store`.
  let name: String

  /// The provider whose own ids RevenueCat hands on; nil where the ids are RevenueCat's to name.
  private var provider: Provider? {
    switch name {
    case "app_store", "mac_app_store": .appStore
    case "play_store": .googlePlay
    case "stripe": .stripe
    default: nil
    }
  }

  var isStripe: Bool { provider == .stripe }
  var isGooglePlay: Bool { provider == .googlePlay }
  /// Whether the entitlement was given by hand or by RevenueCat's API, and not bought.
  var isPromotional: Bool { name == "promotional" }

  /// What the store's subscription or order is known by.
  ///
  /// Of Google Play RevenueCat names orders, where Google itself goes by a purchase token; a
  /// renewal's order is that of the purchase with a number behind it.
  func membership(_ original: String, _ faults: DocumentFaults) -> MembershipID? {
    identifier(isGooglePlay ? Self.firstOrder(original) : original, faults)
  }

  /// What one purchase or renewal is known by.
  ///
  /// Stripe's renewals may all bear the id of the subscription: their beginning tells them apart.
  func transaction(
    _ id: String, startingAt start: Timestamp, _ faults: DocumentFaults
  ) -> TransactionID? {
    identifier(isStripe ? "\(id)/\(start.milliseconds / 1000)" : id, faults)
  }

  func reference(_ id: String, _ faults: DocumentFaults) -> ReferenceID? {
    identifier(id, faults)
  }

  private func identifier<Kind>(_ id: String, _ faults: DocumentFaults) -> Identifier<Kind>? {
    let text =
      provider.map { "\($0.rawValue):\(id)" } ?? "\(Provider.revenueCat.rawValue):\(name)/\(id)"
    do {
      return try Identifier(text)
    } catch {
      faults.note("\(error)")
      return nil
    }
  }

  /// `GPA.1` for `GPA.1..4`.
  private static func firstOrder(_ order: String) -> String {
    let parts = order.split(separator: "..", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts.first, !first.isEmpty else { return order }
    return String(first)
  }

  /// What is sold: Google Play's base plan stands behind the product.
  func offer(_ product: String) -> Offer {
    guard isGooglePlay, let colon = product.firstIndex(of: ":") else {
      return Offer(product: product)
    }
    return Offer(
      product: String(product[..<colon]), plan: String(product[product.index(after: colon)...]))
  }
}
