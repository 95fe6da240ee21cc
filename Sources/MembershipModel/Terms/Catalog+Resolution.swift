extension Catalog {
  /// The product that a store sells under an offer; nil where this revision does not know it.
  ///
  /// A reference to the offer's price goes before one to its product alone, and a product's own
  /// references go before those of its plans.
  ///
  /// - Parameters:
  ///   - offer: The store's product and price.
  ///   - provider: The store.
  /// - Returns: The product, or nil.
  public func product(for offer: Offer, of provider: Provider) -> Product? {
    if let exact = products.first(where: { $0.stores.contains { $0.isPrice(of: offer, provider) } })
    {
      return exact
    }
    if let plan = plan(for: offer, of: provider) {
      return products.first { $0.id == plan.product }
    }
    return products.first { $0.stores.contains { $0.isProduct(of: offer, provider) } }
  }

  /// The plan that a store sells under an offer; nil where this revision does not know it.
  ///
  /// - Parameters:
  ///   - offer: The store's product and price.
  ///   - provider: The store.
  /// - Returns: The plan, or nil.
  public func plan(for offer: Offer, of provider: Provider) -> Plan? {
    plans.first { $0.stores.contains { $0.isPrice(of: offer, provider) } }
      ?? plans.first { $0.stores.contains { $0.isProduct(of: offer, provider) } }
  }
}

extension Catalog.StoreReference {
  /// Whether it names the offer's price.
  fileprivate func isPrice(of offer: Offer, _ provider: Provider) -> Bool {
    self.provider == provider && !price.isEmpty && price == offer.plan
      && (product.isEmpty || product == offer.product)
  }

  /// Whether it names the offer's product, at whatever price.
  fileprivate func isProduct(of offer: Offer, _ provider: Provider) -> Bool {
    self.provider == provider && price.isEmpty && product == offer.product && !product.isEmpty
  }
}
