import LedgerStorage
import LedgerTestSupport
import MembershipLedger
import Testing

/// A revision of the catalog is seen whole, by all it touches at once, or not at all.
@Suite struct CatalogPublishTests {
  private static let members = 20
  private static let revisions = 30

  private static func product(of revision: Int) -> ProductID {
    ProductID(stringLiteral: "pro_\(revision)")
  }

  private static func revision(_ number: Int) -> Event {
    var catalog = Make.catalog
    catalog.products = [
      .init(
        id: product(of: number), entitlements: [number % 2 == 0 ? "premium" : "archive"],
        stores: [.init(provider: .stripe, product: "prod_pro")])
    ]
    return Make.catalogEvent(
      EventID(stringLiteral: "manual:catalog-\(number)"), catalog, appliesTo: .everyone)
  }

  @Test func `readers see a revision touch everyone or nobody, while others are applied`()
    async throws
  {
    try await withScratchFolder { folder in
      let ledger = try Ledger.create(folder + "/ledger")
      try ledger.add(Self.revision(0))
      try ledger.add(
        all: (0..<Self.members).map { number in
          Make.purchase(
            EventID(stringLiteral: "stripe:evt_\(number)"),
            of: MembershipID(stringLiteral: "stripe:sub_\(number)"),
            account: AccountID(stringLiteral: "stripe:cus_\(number)"),
            invoice: ReferenceID(stringLiteral: "stripe:in_\(number)"))
        })
      let isDone = Lock(false)
      let readers = (0..<2).map { _ in
        Background {
          var seen: Set<ProductID> = []
          while !isDone.withLock({ $0 }) { seen.formUnion(try Self.expectOneRevision(ledger)) }
          #expect(!seen.isEmpty)
        }
      }
      do {
        defer { isDone.withLock { $0 = true } }
        for number in 1...Self.revisions { try ledger.add(Self.revision(number)) }
      }
      for reader in readers { try await reader.finish() }
      #expect(try Self.expectOneRevision(ledger) == [Self.product(of: Self.revisions)])
    }
  }

  /// The products in one listing of all memberships: one, and that of one entitlement.
  private static func expectOneRevision(_ ledger: Ledger) throws -> Set<ProductID> {
    let products = Set(try ledger.memberships(at: day(2)).compactMap(\.product))
    #expect(products.count == 1)
    let holdings = try ledger.entitlements(of: "stripe:cus_7", at: day(2))
    #expect(holdings.count == 1, "one revision's entitlement, never both or neither")
    return products
  }
}
