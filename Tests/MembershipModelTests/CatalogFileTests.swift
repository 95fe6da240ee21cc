import LedgerTestSupport
import MembershipModel
import Testing

@Suite struct `A catalog file` {
  private static let example = """
    { "entitlements": [ { "key": "premium_tier", "name": "Premium" }, { "key": "archive" } ],
      "products": [
        { "id": "prod_pro", "name": "Pro", "entitlements": ["premium_tier", "archive"],
          "stores": [ { "provider": "stripe", "product": "prod_A" },
                      { "provider": "app-store", "product": "com.example.pro" } ] },
        { "id": "prod_book", "entitlements": ["archive"], "perSeat": true } ],
      "plans": [
        { "id": "plan_monthly", "product": "prod_pro", "title": "Monthly", "description": "Every month",
          "type": "renewal", "period": "P1M", "price": { "amount": "9.90", "currency": "USD" },
          "trial": "P7D", "stores": [ { "provider": "stripe", "price": "price_1" } ] },
        { "id": "plan_book", "product": "prod_book", "type": "one_time",
          "price": { "amount": "500", "currency": "JPY" } } ] }
    """

  private func parse(_ text: String) throws(InvalidValue) -> Catalog {
    try Catalog(parsing: Array(text.utf8))
  }

  @Test func `is read whole`() throws {
    let catalog = try parse(Self.example)
    #expect(
      catalog
        == Catalog(
          entitlements: [
            Catalog.Entitlement(key: "premium_tier", name: "Premium"),
            Catalog.Entitlement(key: "archive"),
          ],
          products: [
            Catalog.Product(
              id: "prod_pro", name: "Pro", entitlements: ["premium_tier", "archive"],
              stores: [
                Catalog.StoreReference(provider: .stripe, product: "prod_A"),
                Catalog.StoreReference(provider: .appStore, product: "com.example.pro"),
              ]),
            Catalog.Product(id: "prod_book", entitlements: ["archive"], isPerSeat: true),
          ],
          plans: [
            Catalog.Plan(
              id: "plan_monthly", product: "prod_pro", title: "Monthly", details: "Every month",
              period: "P1M", price: Money(minorUnits: 990, currency: "USD"), trial: "P7D",
              stores: [Catalog.StoreReference(provider: .stripe, price: "price_1")]),
            Catalog.Plan(
              id: "plan_book", product: "prod_book", type: .oneTime,
              price: Money(minorUnits: 500, currency: "JPY")),
          ]))
  }

  @Test func `is written as it is read`() throws {
    let document = try JSONValue(parsing: Array(Self.example.utf8))
    #expect(try parse(Self.example).fileText() == document.text(indentation: 2) + "\n")
  }

  @Test func `comes back from any catalog that fits together`() throws {
    var generator = EventGenerator(seed: freshSeed())
    for _ in 0..<200 {
      let catalog = generator.catalog()
      try catalog.check()
      #expect(try parse(catalog.fileText()) == catalog)
    }
  }

  @Test func `may leave everything out`() throws {
    #expect(try parse("{}") == Catalog(entitlements: [], products: []))
    #expect(try parse(#"{"plans":null}"#) == Catalog(entitlements: [], products: []))
    let plan = #"{"products":[{"id":"p"}],"plans":[{"id":"a","product":"p","type":"oneTime"}]}"#
    #expect(try parse(plan).plans.first?.type == .oneTime)
  }

  private static let faults: [(file: String, error: String)] = [
    (#"[]"#, #""the file": an object is expected"#),
    (
      #"{"plan":[]}"#,
      #""plan": no such field is known; remove it or use one of entitlements, products, plans"#
    ),
    (#"{"plans":{}}"#, #""plans": a list is expected"#),
    (#"{"products":[1]}"#, #""products[0]": an object is expected"#),
    (#"{"products":[{"name":"Pro"}]}"#, #""products[0].id": it is required; add it"#),
    (#"{"products":[{"id":7}]}"#, #""products[0].id": a string is expected, not 7"#),
    (
      #"{"products":[{"id":""}]}"#,
      #""products[0].id": an identifier has at least one byte; correct """#
    ),
    (
      #"{"products":[{"id":"p","price":"9"}]}"#,
      #""products[0].price": no such field is known; remove it or use one of"#
        + " id, name, entitlements, stores, perSeat"
    ),
    (
      #"{"products":[{"id":"p","perSeat":"yes"}]}"#,
      #""products[0].perSeat": true or false is expected, not "yes""#
    ),
    (
      #"{"entitlements":[{"key":"a"}],"products":[{"id":"p","entitlements":["a","b"]}]}"#,
      #""products[0].entitlements[1]": "b" is no key of entitlements; add it there or correct it"#
    ),
    (
      #"{"products":[{"id":"p","entitlements":[1]}]}"#,
      #""products[0].entitlements[0]": an entitlement's key is expected"#
    ),
    (
      #"{"entitlements":[{"key":"a"},{"key":"a"}]}"#,
      #""entitlements[1].key": "a" is taken by entitlements[0].key; rename or remove one"#
    ),
    (
      #"{"products":[{"id":"p"},{"id":"q"},{"id":"p"}]}"#,
      #""products[2].id": "p" is taken by products[0].id; rename or remove one"#
    ),
    (
      #"{"products":[{"id":"p"}],"plans":[{"id":"a","product":"p"},{"id":"a","product":"p"}]}"#,
      #""plans[1].id": "a" is taken by plans[0].id; rename or remove one"#
    ),
    (
      #"{"plans":[{"id":"a","product":"p"}]}"#,
      #""plans[0].product": "p" is no id of products; add it there or correct it"#
    ),
    (
      #"{"products":[{"id":"p"}],"plans":[{"id":"a","product":"p","period":"1 month"}]}"#,
      #""plans[0].period": a duration is in ISO 8601, such as P1M, P7D or PT2H30M;"#
        + #" correct "1 month""#
    ),
    (
      #"{"products":[{"id":"p"}],"plans":[{"id":"a","product":"p","trial":"7D"}]}"#,
      #""plans[0].trial": a duration is in ISO 8601, such as P1M, P7D or PT2H30M; correct "7D""#
    ),
    (
      #"{"products":[{"id":"p"}],"plans":[{"id":"a","product":"p","type":"yearly"}]}"#,
      #""plans[0].type": "yearly" is no type of plan; use renewal or one_time"#
    ),
  ]

  private static let priceFaults: [(file: String, error: String)] = [
    (
      #"{"amount":9.99,"currency":"USD"}"#,
      #""plans[0].price.amount": a decimal number in a string is expected, such as "9.99""#
    ),
    (
      #"{"amount":"9,99","currency":"USD"}"#,
      #""plans[0].price.amount": a decimal number in a string is expected, such as "9.99""#
    ),
    (
      #"{"amount":"9.99"}"#,
      #""plans[0].price.currency": it is required; add an ISO 4217 code, such as USD"#
    ),
    (
      #"{"amount":"9.99","currency":"EURO"}"#,
      #""plans[0].price.currency": "EURO": a currency is a code of ISO 4217, such as USD;"#
        + " correct the code"
    ),
    (
      #"{"amount":"9.999","currency":"USD"}"#,
      #""plans[0].price.amount": "9.999": an amount of USD has at most 2 decimals"#
    ),
  ]

  private static let storeFaults: [(file: String, error: String)] = [
    (
      #"{"provider":"strype","product":"a"}"#,
      #""products[0].stores[0].provider": "strype" is no provider; use one of stripe, app-store,"#
        + " google-play, whop, voidhash, revenuecat, manual"
    ),
    (#"{"product":"a"}"#, #""products[0].stores[0].provider": it is required; add it"#),
    (
      #"{"provider":"stripe"}"#,
      #""products[0].stores[0]": a store's product or price is required; add one of them"#
    ),
    (
      #"{"provider":"stripe","product":"taken"}"#,
      #""products[1].stores[0]": what a store sells is one product, and products[0].stores[0]"#
        + #" says it is "p"; remove one of them"#
    ),
  ]

  @Test func `with a fault is refused with place, rule and remedy`() {
    let priced = Self.priceFaults.map { price, error in
      (
        #"{"products":[{"id":"p"}],"plans":[{"id":"a","product":"p","price":\#(price)}]}"#, error
      )
    }
    let stored = Self.storeFaults.map { store, error in
      (
        #"{"products":[{"id":"p","stores":[\#(store)]},"#
          + #"{"id":"q","stores":[{"provider":"stripe","product":"taken"}]}]}"#, error
      )
    }
    for (file, expected) in Self.faults + priced + stored {
      do {
        _ = try parse(file)
        Issue.record("\(file) was read")
      } catch {
        #expect(error.description == expected)
      }
    }
  }

  @Test func `gives one store reference to one plan`() {
    let store = #""stores":[{"provider":"stripe","price":"x"}]"#
    let file = """
      {"products":[{"id":"p"}],"plans":[{"id":"a","product":"p",\(store)},
      {"id":"b","product":"p",\(store)}]}
      """
    #expect(
      throws: InvalidValue(
        value: "plans[1].stores[0]",
        rule: #"what a store sells is one plan, and plans[0].stores[0] says it is "a";"#
          + " remove one of them")
    ) { try parse(file) }
  }

  @Test func `checks catalogs made in code by the same rules`() {
    let dangling = Catalog(
      entitlements: [], products: [Catalog.Product(id: "p", entitlements: ["a"])])
    #expect(throws: InvalidValue.self) { try dangling.check() }
    let unnamed = Catalog(
      entitlements: [Catalog.Entitlement(key: EntitlementKey(unchecked: ""))], products: [])
    #expect(throws: InvalidValue.self) { try unnamed.check() }
    let strange = Catalog(
      entitlements: [], products: [Catalog.Product(id: "p", entitlements: [])],
      plans: [
        Catalog.Plan(id: "a", product: "p", price: Money(minorUnits: 1, currency: "QQQ"))
      ])
    #expect(
      throws: InvalidValue(
        value: "plans[0].price.currency", rule: #""QQQ" is no code of ISO 4217; correct it"#)
    ) { try strange.check() }
  }
}

@Suite struct `A store's offer` {
  private let catalog = Catalog(
    entitlements: [],
    products: [
      Catalog.Product(
        id: "basic", entitlements: [], stores: [.init(provider: .stripe, product: "A")]),
      Catalog.Product(
        id: "pro", entitlements: [],
        stores: [
          .init(provider: .stripe, price: "gold"),
          .init(provider: .googlePlay, product: "A", price: "monthly"),
        ]),
      Catalog.Product(
        id: "special", entitlements: [],
        stores: [.init(provider: .stripe, product: "A", price: "gold")]),
    ],
    plans: [
      Catalog.Plan(
        id: "basic_monthly", product: "basic",
        stores: [.init(provider: .stripe, price: "basic_1")]),
      Catalog.Plan(
        id: "pro_any", product: "pro", stores: [.init(provider: .stripe, product: "P")]),
      Catalog.Plan(
        id: "pro_monthly", product: "pro",
        stores: [.init(provider: .stripe, product: "P", price: "pro_1")]),
    ])

  private func resolve(_ product: String, _ plan: String, _ provider: Provider = .stripe)
    -> [String?]
  {
    let offer = Offer(product: product, plan: plan)
    return [
      catalog.product(for: offer, of: provider)?.id.rawValue,
      catalog.plan(for: offer, of: provider)?.id.rawValue,
    ]
  }

  @Test func `is found by product alone, whatever the price`() {
    #expect(resolve("A", "anything") == ["basic", nil])
    #expect(resolve("A", "") == ["basic", nil])
  }

  @Test func `is found by the more specific reference`() {
    #expect(resolve("B", "gold") == ["pro", nil])
    #expect(resolve("A", "gold") == ["special", nil])
    #expect(resolve("P", "other") == ["pro", "pro_any"])
    #expect(resolve("P", "pro_1") == ["pro", "pro_monthly"])
  }

  @Test func `is found by the references of plans`() {
    #expect(resolve("unknown", "basic_1") == ["basic", "basic_monthly"])
    #expect(resolve("A", "basic_1") == ["basic", "basic_monthly"])
  }

  @Test func `never resolves to another product's plan`() {
    #expect(resolve("P", "gold") == ["pro", "pro_any"])
    #expect(resolve("A", "gold") == ["special", nil])
  }

  @Test func `of another provider or without names is not found`() {
    #expect(resolve("A", "gold", .appStore) == [nil, nil])
    #expect(resolve("A", "monthly", .googlePlay) == ["pro", nil])
    #expect(resolve("A", "yearly", .googlePlay) == [nil, nil])
    #expect(resolve("", "") == [nil, nil])
  }
}
