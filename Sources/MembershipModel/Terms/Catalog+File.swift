import FoundationEssentials

extension Catalog {
  /// Reads a catalog file in JSON and checks it.
  ///
  /// - Parameter bytes: The file.
  /// - Throws: `InvalidValue` that names the place in the file, the rule broken and the remedy.
  public init(parsing bytes: some Collection<UInt8>) throws(InvalidValue) {
    let file = try FileSection(
      JSONValue(parsing: bytes), knows: ["entitlements", "products", "plans"])
    self.init(entitlements: [], products: [])
    for (place, value) in try file.elements("entitlements") {
      entitlements.append(try Entitlement(file: value, at: place))
    }
    for (place, value) in try file.elements("products") {
      products.append(try Product(file: value, at: place))
    }
    for (place, value) in try file.elements("plans") {
      plans.append(try Plan(file: value, at: place))
    }
    try check()
  }

  /// The catalog as a file in JSON, which `init(parsing:)` reads back.
  ///
  /// - Returns: The text of the file, one field a line.
  public func fileText() -> String {
    let document = JSONValue.object([
      .init("entitlements", .array(entitlements.map(\.file))),
      .init("products", .array(products.map(\.file))),
      .init("plans", .array(plans.map(\.file))),
    ])
    return document.text(indentation: 2) + "\n"
  }
}

extension Catalog.Entitlement {
  fileprivate init(file: JSONValue, at place: String) throws(InvalidValue) {
    let section = try FileSection(file, at: place, knows: ["key", "name"])
    self.init(key: try section.identifier("key"), name: try section.text("name") ?? "")
  }

  fileprivate var file: JSONValue {
    .object([.init("key", .string(key.rawValue))] + named("name", name))
  }
}

extension Catalog.Product {
  fileprivate init(file: JSONValue, at place: String) throws(InvalidValue) {
    let section = try FileSection(
      file, at: place, knows: ["id", "name", "entitlements", "stores", "perSeat"])
    self.init(
      id: try section.identifier("id"), name: try section.text("name") ?? "", entitlements: [],
      stores: try section.stores(), isPerSeat: try section.flag("perSeat") ?? false)
    for (place, value) in try section.elements("entitlements") {
      guard let text = value.string, let key = try? EntitlementKey(text) else {
        throw InvalidValue(value: place, rule: "an entitlement's key is expected")
      }
      entitlements.append(key)
    }
  }

  fileprivate var file: JSONValue {
    .object(
      [.init("id", .string(id.rawValue))] + named("name", name)
        + [.init("entitlements", .array(entitlements.map { .string($0.rawValue) }))]
        + filed(stores) + (isPerSeat ? [.init("perSeat", .bool(true))] : []))
  }
}

extension Catalog.Plan {
  private static let fields = [
    "id", "product", "title", "description", "type", "period", "price", "trial", "stores",
  ]

  fileprivate init(file: JSONValue, at place: String) throws(InvalidValue) {
    let section = try FileSection(file, at: place, knows: Self.fields)
    self.init(
      id: try section.identifier("id"), product: try section.identifier("product"),
      title: try section.text("title") ?? "", details: try section.text("description") ?? "",
      type: try Self.type(in: section), period: try section.text("period") ?? "",
      price: try Self.price(in: section), trial: try section.text("trial") ?? "",
      stores: try section.stores())
  }

  private static func type(in section: FileSection) throws(InvalidValue) -> Catalog.PlanType {
    switch try section.text("type") {
    case nil, "renewal": return .renewal
    case "one_time", "oneTime": return .oneTime
    case .some(let text):
      throw section.fault("type", "\"\(text)\" is no type of plan; use renewal or one_time")
    }
  }

  private static func price(in section: FileSection) throws(InvalidValue) -> Money? {
    guard let value = section.value("price") else { return nil }
    let price = try FileSection(
      value, at: "\(section.path).price", knows: ["amount", "currency"])
    guard case .string(let text)? = price.value("amount"), let amount = Self.decimal(text) else {
      throw price.fault("amount", "a decimal number in a string is expected, such as \"9.99\"")
    }
    guard let currency = try price.text("currency") else {
      throw price.fault("currency", "it is required; add an ISO 4217 code, such as USD")
    }
    do {
      return try Money(amount: amount, currency: currency)
    } catch {
      let name = error.value == currency ? "currency" : "amount"
      throw price.fault(name, "\"\(error.value)\": \(error.rule)")
    }
  }

  /// Reads digits with or without a point: `Decimal` alone would take more and cut some off.
  private static func decimal(_ text: String) -> Decimal? {
    switch try? JSONValue(parsing: Array(text.utf8)) {
    case .integer(let value)?: Decimal(value)
    case .decimal(let value)?: value
    default: nil
    }
  }

  fileprivate var file: JSONValue {
    var fields: [JSONValue.Field] = [
      .init("id", .string(id.rawValue)), .init("product", .string(product.rawValue)),
    ]
    fields += named("title", title) + named("description", details)
    fields.append(.init("type", .string(type == .oneTime ? "one_time" : type.name)))
    fields += named("period", period)
    if let price {
      let amount = price.amountText() ?? String(price.minorUnits)
      fields.append(
        .init(
          "price",
          .object([
            .init("amount", .string(amount)), .init("currency", .string(price.currency)),
          ])))
    }
    return .object(fields + named("trial", trial) + filed(stores))
  }
}

extension FileSection {
  fileprivate func stores() throws(InvalidValue) -> [Catalog.StoreReference] {
    var stores: [Catalog.StoreReference] = []
    for (place, value) in try elements("stores") {
      let section = try FileSection(value, at: place, knows: ["provider", "product", "price"])
      stores.append(
        Catalog.StoreReference(
          provider: try section.provider("provider"),
          product: try section.text("product") ?? "", price: try section.text("price") ?? ""))
    }
    return stores
  }
}

/// A field of a text; none where there is no text.
private func named(_ name: String, _ text: String) -> [JSONValue.Field] {
  text.isEmpty ? [] : [.init(name, .string(text))]
}

private func filed(_ stores: [Catalog.StoreReference]) -> [JSONValue.Field] {
  if stores.isEmpty { return [] }
  let values = stores.map { store in
    JSONValue.object(
      [.init("provider", .string(store.provider.rawValue))]
        + named("product", store.product) + named("price", store.price))
  }
  return [.init("stores", .array(values))]
}
