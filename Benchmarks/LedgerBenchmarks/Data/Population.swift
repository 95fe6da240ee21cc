import MembershipLedger
import MembershipModel

/// Customers with their memberships, made from a seed, and the events that tell of them.
struct Population {
  let seed: UInt64
  let count: Int

  /// The instant at which checks ask.
  static let now = Timestamp(milliseconds: 1_750_000_000_000)
  static let month: Int64 = 30 * 86_400_000
  static let entitlements: [EntitlementKey] = ["premium", "archive", "support"]

  /// The service's own id of a customer, 18 bytes long.
  func customer(_ index: Int) -> String { "user_" + word(index, .customer, length: 13) }

  /// The store's account of a customer.
  func account(_ index: Int) -> String { "stripe:cus_" + word(index, .account, length: 14) }

  /// An id of the right shape that nobody has.
  func stranger(_ index: Int) -> String { "user_" + word(index, .stranger, length: 13) }

  func membership(_ index: Int, _ product: Int) -> String {
    "stripe:sub_" + word(index * 4 + product, .membership, length: 24)
  }

  /// One to three products, of three that give one entitlement each.
  func products(_ index: Int) -> [Int] {
    let choice = mixed(index, .choice)
    let number = Int(choice % 3) + 1
    return (0..<number).map { ($0 + Int(choice / 3 % 3)) % 3 }
  }

  /// A catalog with three products.
  var catalogEvent: Event {
    let catalog = Catalog(
      entitlements: Self.entitlements.map { .init(key: $0) },
      products: Self.entitlements.enumerated().map { index, key in
        .init(
          id: ProductID(unchecked: "product_\(index)"), entitlements: [key],
          stores: [.init(provider: .stripe, product: "prod_\(index)")])
      })
    return Event(
      id: "manual:catalog", provider: .manual,
      effectiveAt: Timestamp(milliseconds: Self.now.milliseconds - 36 * Self.month),
      facts: [Fact(.catalogRevised(CatalogRevision(catalog: catalog)))])
  }

  /// The first paid invoice of each membership of a customer; one in ten has run out.
  func purchases(_ index: Int) -> [Event] {
    products(index).map { product in
      let hasExpired = mixed(index * 4 + product, .choice) % 10 == 0
      let days = Int64(mixed(index, .customer) % 28) * 86_400_000
      let start = Self.now.milliseconds - days - 3_600_000 - (hasExpired ? 2 * Self.month : 0)
      return paidInvoice(
        number: index * 4 + product, of: index, product, from: start, isFirst: true)
    }
  }

  /// A paid invoice for a further period of a random membership.
  func renewal(_ number: Int) -> Event {
    let customer = Int(mixed(number, .renewal) % UInt64(count))
    let owned = products(customer)
    let product = owned[Int(mixed(number, .invoice) % UInt64(owned.count))]
    let start = Self.now.milliseconds + Int64(mixed(number, .account) % 12) * Self.month
    return paidInvoice(
      number: 4 * count + number, of: customer, product, from: start, isFirst: false)
  }

  /// A paid invoice as Stripe tells of it: its state, and what was bought.
  private func paidInvoice(
    number: Int, of customer: Int, _ product: Int, from start: Int64, isFirst: Bool
  ) -> Event {
    let membership = MembershipID(unchecked: membership(customer, product))
    let invoice = ReferenceID(unchecked: "stripe:in_" + word(number, .invoice, length: 24))
    let period = Period(
      start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: start + Self.month))
    let item = "si_" + word(customer * 4 + product, .item, length: 14)
    let transaction = Transaction(
      id: TransactionID(unchecked: "\(invoice)/\(item)/\(start / 1000)"),
      offer: Offer(product: "prod_\(product)", plan: "price_\(product)"), period: period,
      kind: .paid, amount: Money(minorUnits: 999, currency: "USD"), item: item)
    let facts: [Fact.Body] = [
      .invoiced(Invoice(id: invoice, state: .paid, period: period)),
      isFirst ? .purchased(transaction) : .renewed(transaction),
    ]
    return Event(
      id: EventID(unchecked: "stripe:evt_" + word(number, .event, length: 24)),
      provider: .stripe, effectiveAt: Timestamp(milliseconds: start + 5000),
      customer: CustomerID(unchecked: self.customer(customer)),
      account: AccountID(unchecked: account(customer)),
      facts: facts.map { Fact($0, membership: membership, references: [invoice]) },
      provenance: Provenance(
        origin: .webhook, verification: Verification(.verified, method: "stripe-signature v1")))
  }
}

extension Population {
  /// What a random choice is for; each use draws from a sequence of its own.
  enum Use: UInt64 {
    case customer = 1, account, stranger, membership, item, invoice, event, choice, renewal, query
  }

  /// A random number that follows from seed, use and index alone.
  func mixed(_ index: Int, _ use: Use) -> UInt64 {
    Self.mix(Self.mix(seed &* 0x9e37_79b9_7f4a_7c15 &+ use.rawValue) &+ UInt64(index))
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  private func word(_ index: Int, _ use: Use, length: Int) -> String {
    var state = mixed(index, use)
    let digits = (0..<length).map { _ in
      defer { state = Self.mix(state) }
      return Self.digits[Int(state % 62)]
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
