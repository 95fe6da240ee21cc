import LedgerTestSupport
import MembershipLedger
import Synchronization
import Testing

/// Noon of the n-th day of a made-up calendar.
func day(_ number: Int64) -> Timestamp {
  Timestamp(milliseconds: 1_700_000_000_000 + number * 86_400_000)
}

func days(_ first: Int64, _ end: Int64) -> Period {
  Period(start: day(first), end: day(end))
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let milliseconds: Atomic<Int64>

  init(_ instant: Timestamp = day(0)) {
    milliseconds = Atomic(instant.milliseconds)
  }

  var instant: Timestamp {
    get { Timestamp(milliseconds: milliseconds.load(ordering: .relaxed)) }
    set { milliseconds.store(newValue.milliseconds, ordering: .relaxed) }
  }
}

/// A new ledger in a folder that goes with the body.
func withLedger<Result>(
  _ clock: TestClock = TestClock(), _ body: (Ledger) throws -> Result
) throws -> Result {
  try withScratchFolder { folder in
    try body(
      Ledger.create(folder + "/ledger", LedgerConfiguration(clock: { clock.instant })))
  }
}

/// The code of the ledger's error that `body` throws.
func code<Result>(
  _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> LedgerError.Code? {
  do {
    _ = try body()
    Issue.record("nothing was thrown", sourceLocation: location)
    return nil
  } catch let error as LedgerError {
    return error.code
  } catch {
    Issue.record(error, sourceLocation: location)
    return nil
  }
}

/// The message of the ledger's error that `body` throws.
func message<Result>(
  _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> String? {
  do {
    _ = try body()
    Issue.record("nothing was thrown", sourceLocation: location)
  } catch let error as LedgerError {
    return error.message
  } catch {
    Issue.record(error, sourceLocation: location)
  }
  return nil
}

/// Expects that every check of the whole ledger finds nothing.
func expectSound(_ ledger: Ledger, _ location: SourceLocation = #_sourceLocation) throws {
  #expect(try ledger.verify().differences == [], sourceLocation: location)
  #expect(try ledger.replay().differences == [], sourceLocation: location)
}

extension Ledger {
  /// Appends in synchronous code, whatever the caller is.
  @discardableResult
  func add(
    _ event: Event, document: [UInt8]? = nil, if condition: AppendCondition? = nil
  ) throws -> Receipt {
    try append(event, document: document, if: condition)
  }

  /// Appends all, each of which is to be taken.
  func add(all events: [Event]) throws {
    for outcome in append(contentsOf: events.map { AppendRequest($0) }) { _ = try outcome.get() }
  }
}

/// Events of our own making.
enum Make {
  static let catalog = Catalog(
    entitlements: [.init(key: "premium"), .init(key: "archive")],
    products: [
      .init(
        id: "pro", entitlements: ["premium", "archive"],
        stores: [.init(provider: .stripe, product: "prod_pro")]),
      .init(
        id: "basic", entitlements: ["premium"],
        stores: [.init(provider: .stripe, product: "prod_basic")]),
    ])

  static func catalogEvent(
    _ id: EventID = "manual:catalog-1", _ catalog: Catalog = catalog,
    appliesTo cohort: Cohort = .newPurchases, at instant: Timestamp = day(0)
  ) -> Event {
    Event(
      id: id, provider: .manual, effectiveAt: instant,
      facts: [Fact(.catalogRevised(CatalogRevision(catalog: catalog, appliesTo: cohort)))])
  }

  static func event(
    _ id: EventID, at instant: Timestamp, account: AccountID? = "stripe:cus_1",
    customer: CustomerID? = nil, in environment: Environment = .production,
    provider: Provider = .stripe, _ facts: Fact...
  ) -> Event {
    Event(
      id: id, provider: provider, environment: environment, effectiveAt: instant,
      customer: customer, account: account, facts: facts)
  }

  /// A paid period of a subscription.
  static func purchase(
    _ id: EventID, of membership: MembershipID = "stripe:sub_1",
    account: AccountID? = "stripe:cus_1", customer: CustomerID? = nil,
    _ period: Period? = days(1, 31), invoice: ReferenceID = "stripe:in_1",
    product: String = "prod_pro", in environment: Environment = .production
  ) -> Event {
    let transaction = Transaction(
      id: TransactionID(stringLiteral: "\(invoice)/si_1"), offer: Offer(product: product),
      period: period, kind: period == nil ? .oneTime : .paid,
      amount: Money(minorUnits: 999, currency: "USD"))
    return event(
      id, at: period?.start ?? day(1), account: account, customer: customer, in: environment,
      Fact(.purchased(transaction), membership: membership, references: [invoice]))
  }

  static func grant(
    _ id: GrantID, of entitlement: EntitlementKey, to customer: CustomerID, from: Timestamp? = nil,
    until: Timestamp? = nil
  ) -> Event {
    event(
      EventID(stringLiteral: "manual:\(id)"), at: day(1), account: nil, customer: customer,
      provider: .manual,
      Fact(.granted(ManualGrant(id: id, entitlement: entitlement, from: from, until: until))))
  }

  static func manual(_ id: EventID, at instant: Timestamp = day(1), _ body: Fact.Body) -> Event {
    event(id, at: instant, account: nil, provider: .manual, Fact(body))
  }
}
