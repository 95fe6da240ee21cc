extension Catalog {
  /// The product that a store's offer is, by the references of products and of their plans.
  ///
  /// A reference with a price matches that price only; one with a product alone matches every price
  /// of it. The more specific one wins: both, then price, then product.
  ///
  /// - Parameters:
  ///   - offer: The offer in the store's names.
  ///   - provider: The store.
  /// - Returns: The product; nil where the catalog does not know the offer.
  public func product(for offer: Offer, of provider: Provider) -> Product? {
    var best: (product: ProductID, specificity: Int)?
    func consider(_ stores: [StoreReference], _ product: ProductID) {
      for store in stores {
        let specificity = store.specificity(for: offer, of: provider)
        if specificity > best?.specificity ?? 0 { best = (product, specificity) }
      }
    }
    for product in products { consider(product.stores, product.id) }
    for plan in plans { consider(plan.stores, plan.product) }
    return best.flatMap { best in products.first { $0.id == best.product } }
  }

  /// The plan that a store's offer is: the best match among the plans of the offer's product.
  ///
  /// - Parameters:
  ///   - offer: The offer in the store's names.
  ///   - provider: The store.
  /// - Returns: The plan; nil where the catalog does not know it.
  public func plan(for offer: Offer, of provider: Provider) -> Plan? {
    guard let product = product(for: offer, of: provider) else { return nil }
    var best: (plan: Plan, specificity: Int)?
    for plan in plans where plan.product == product.id {
      for store in plan.stores {
        let specificity = store.specificity(for: offer, of: provider)
        if specificity > best?.specificity ?? 0 { best = (plan, specificity) }
      }
    }
    return best?.plan
  }

  /// The plan of a name: the catalog's own, else the one that a store sells under it.
  ///
  /// - Parameters:
  ///   - name: The plan's id in this catalog, or a store's price.
  ///   - provider: The store; nil for any.
  /// - Returns: The plan; nil where the catalog does not know it.
  package func plan(named name: String, at provider: Provider?) -> Plan? {
    plans.first { $0.id.rawValue == name }
      ?? plans.first { plan in
        plan.stores.contains { store in
          store.price == name && provider.map { $0 == store.provider } ?? true
        }
      }
  }
}

extension Catalog.StoreReference {
  /// How closely the reference names the offer: 3 by product and price, 2 by price, 1 by product, 0
  /// not at all.
  fileprivate func specificity(for offer: Offer, of provider: Provider) -> Int {
    guard provider == self.provider, product.isEmpty || product == offer.product,
      price.isEmpty || price == offer.plan
    else { return 0 }
    return (product.isEmpty ? 0 : 1) + (price.isEmpty ? 0 : 2)
  }
}
