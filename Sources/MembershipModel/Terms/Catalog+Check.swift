extension Catalog {
  /// Checks that the parts of the catalog fit together.
  ///
  /// A file that is read is checked already; a catalog that is made in code is checked when it is
  /// appended.
  ///
  /// - Throws: `InvalidValue` that names the part, the rule broken and the remedy.
  public func check() throws(InvalidValue) {
    try checkIdentifiers(entitlements.map(\.key), in: "entitlements", named: "key")
    try checkIdentifiers(products.map(\.id), in: "products", named: "id")
    try checkIdentifiers(plans.map(\.id), in: "plans", named: "id")
    try checkEntitlementsOfProducts()
    for (index, plan) in plans.enumerated() { try check(plan, at: "plans[\(index)]") }
    try checkStores()
  }

  private func checkIdentifiers<Kind>(
    _ identifiers: [Identifier<Kind>], in list: String, named field: String
  ) throws(InvalidValue) {
    var places: [Identifier<Kind>: String] = [:]
    for (index, identifier) in identifiers.enumerated() {
      let place = "\(list)[\(index)].\(field)"
      if let fault = Identifier<Kind>.fault(in: identifier.rawValue) {
        throw InvalidValue(value: place, rule: "\(fault); correct it")
      }
      if let first = places.updateValue(place, forKey: identifier) {
        throw InvalidValue(
          value: place, rule: "\"\(identifier)\" is taken by \(first); rename or remove one")
      }
    }
  }

  private func checkEntitlementsOfProducts() throws(InvalidValue) {
    let known = Set(entitlements.map(\.key))
    for (index, product) in products.enumerated() {
      for (number, key) in product.entitlements.enumerated() where !known.contains(key) {
        throw InvalidValue(
          value: "products[\(index)].entitlements[\(number)]",
          rule: "\"\(key)\" is no key of entitlements; add it there or correct it")
      }
    }
  }

  private func check(_ plan: Plan, at place: String) throws(InvalidValue) {
    if !products.contains(where: { $0.id == plan.product }) {
      throw InvalidValue(
        value: "\(place).product",
        rule: "\"\(plan.product)\" is no id of products; add it there or correct it")
    }
    for (name, duration) in [("period", plan.period), ("trial", plan.trial)] {
      guard !duration.isEmpty else { continue }
      do {
        _ = try CalendarDuration(parsing: duration)
      } catch {
        throw InvalidValue(
          value: "\(place).\(name)", rule: "\(error.rule); correct \"\(error.value)\"")
      }
    }
    if let price = plan.price, Currency.exponent(of: price.currency) == nil {
      throw InvalidValue(
        value: "\(place).price.currency",
        rule: "\"\(price.currency)\" is no code of ISO 4217; correct it")
    }
  }

  private func checkStores() throws(InvalidValue) {
    var products: [StoreReference: (id: String, place: String)] = [:]
    var plans: [StoreReference: (id: String, place: String)] = [:]
    for (index, product) in self.products.enumerated() {
      for (number, store) in product.stores.enumerated() {
        let place = "products[\(index)].stores[\(number)]"
        try check(store, at: place)
        try claim(store, for: product.id.rawValue, "product", at: place, among: &products)
      }
    }
    for (index, plan) in self.plans.enumerated() {
      for (number, store) in plan.stores.enumerated() {
        let place = "plans[\(index)].stores[\(number)]"
        try check(store, at: place)
        try claim(store, for: plan.product.rawValue, "product", at: place, among: &products)
        try claim(store, for: plan.id.rawValue, "plan", at: place, among: &plans)
      }
    }
  }

  private func check(_ store: StoreReference, at place: String) throws(InvalidValue) {
    if !store.provider.isKnown {
      let names = Provider.known.map(\.rawValue).joined(separator: ", ")
      throw InvalidValue(
        value: "\(place).provider",
        rule: "\"\(store.provider.rawValue)\" is no provider; use one of \(names)")
    }
    if store.product.isEmpty, store.price.isEmpty {
      throw InvalidValue(
        value: place, rule: "a store's product or price is required; add one of them")
    }
  }

  private func claim(
    _ store: StoreReference, for id: String, _ kind: String, at place: String,
    among claims: inout [StoreReference: (id: String, place: String)]
  ) throws(InvalidValue) {
    let first = claims[store]
    if let first, first.id != id {
      throw InvalidValue(
        value: place,
        rule: "what a store sells is one \(kind), and \(first.place) says it is \"\(first.id)\";"
          + " remove one of them")
    }
    if first == nil { claims[store] = (id, place) }
  }
}
