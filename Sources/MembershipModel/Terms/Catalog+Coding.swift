extension Catalog: Message {
  package static var messageName: String { "Catalog" }

  package static var blank: Catalog { Catalog(entitlements: [], products: []) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "entitlements", &entitlements)
    try visitor.field(2, "products", &products)
    try visitor.field(3, "plans", &plans)
  }
}

extension Catalog.Entitlement: Message {
  package static var messageName: String { "Entitlement" }

  package static var blank: Catalog.Entitlement { Catalog.Entitlement(key: .defaultValue) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "key", &key)
    try visitor.field(2, "name", &name)
  }

  package func validate() throws(WireError) {
    try require(key, "key")
  }
}

extension Catalog.Product: Message {
  package static var messageName: String { "Product" }

  package static var blank: Catalog.Product { Catalog.Product(id: .defaultValue, entitlements: []) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "name", &name)
    try visitor.field(3, "entitlements", &entitlements)
    try visitor.field(4, "stores", &stores)
    try visitor.field(5, "perSeat", &isPerSeat)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
  }
}

extension Catalog.Plan: Message {
  package static var messageName: String { "Plan" }

  package static var blank: Catalog.Plan {
    Catalog.Plan(id: .defaultValue, product: .defaultValue, type: .defaultValue)
  }

  package static var jsonBlank: Catalog.Plan {
    Catalog.Plan(id: .defaultValue, product: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "id", &id)
    try visitor.field(2, "product", &product)
    try visitor.field(3, "title", &title)
    try visitor.field(4, "description", &details)
    try visitor.field(5, "type", &type)
    try visitor.field(6, "period", &period)
    try visitor.field(7, "price", &price)
    try visitor.field(8, "trial", &trial)
    try visitor.field(9, "stores", &stores)
  }

  package func validate() throws(WireError) {
    try require(id, "id")
    try require(product, "product")
  }
}

extension Catalog.PlanType: OpenEnum {
  package static var schemaType: String { "PlanType" }
  package static let known: [(value: Catalog.PlanType, number: Int64, name: String)] = [
    (.renewal, 1, "renewal"), (.oneTime, 2, "oneTime"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

extension Catalog.StoreReference: Message {
  package static var messageName: String { "StoreReference" }

  package static var blank: Catalog.StoreReference {
    Catalog.StoreReference(provider: .defaultValue)
  }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "provider", &provider)
    try visitor.field(2, "product", &product)
    try visitor.field(3, "price", &price)
  }

  package func validate() throws(WireError) {
    try require(provider, "provider")
    if product.isEmpty, price.isEmpty {
      throw .invalid(field: "stores", rule: "a store reference names a product or a price")
    }
  }
}

extension Cohort: OpenEnum {
  package static let known: [(value: Cohort, number: Int64, name: String)] = [
    (.newPurchases, 1, "new-purchases"), (.nextRenewal, 2, "next-renewal"),
    (.everyone, 3, "everyone"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

extension CatalogRevision: Message {
  package static var messageName: String { "CatalogRevision" }

  package static var blank: CatalogRevision {
    CatalogRevision(catalog: .blank, appliesTo: .defaultValue)
  }

  package static var jsonBlank: CatalogRevision { CatalogRevision(catalog: .blank) }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "catalog", &catalog)
    try visitor.field(2, "appliesTo", &appliesTo)
    try visitor.field(3, "from", &from)
  }
}
