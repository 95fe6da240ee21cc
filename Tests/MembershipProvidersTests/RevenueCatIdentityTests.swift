import MembershipModel
import MembershipProviders
import Testing

/// Whose purchase it is, and by which ids it goes.
@Suite struct RevenueCatIdentityTests {
  typealias R = RevenueCatFixture

  @Test func `an app user id is the service's own id`() throws {
    let event = try R.event(in: R.webhook("RENEWAL"))
    #expect(event.customer == "user_42")
    #expect(event.account == "revenuecat:user_42")
    #expect(event.facts.contains(link("revenuecat:user_42", "user_42")))
  }

  @Test(arguments: [R.anonymous, "guest", "null", "-1"])
  func `an anonymous id, or a placeholder, names nobody`(name: String) throws {
    let event = try R.event(
      in: R.webhook(
        "RENEWAL",
        [
          "app_user_id": .string(name), "original_app_user_id": .string(name),
          "aliases": [.string(name)],
        ]))
    #expect(event.customer == nil)
    #expect(event.account?.rawValue == "revenuecat:\(name)")
    #expect(!event.facts.contains { $0.body.name == "accountLinked" })
  }

  @Test func `all anonymous names of a customer are the customer's accounts`() throws {
    let event = try R.event(
      in: R.webhook(
        "RENEWAL",
        ["original_app_user_id": .string(R.anonymous), "aliases": ["$RCAnonymousID:b", "user_42"]]))
    #expect(event.customer == "user_42")
    for name in ["user_42", R.anonymous, "$RCAnonymousID:b"] {
      #expect(event.facts.contains(link("revenuecat:\(name)", "user_42")), "\(name)")
    }
    #expect(!event.facts.contains { $0.body.name == "customersMerged" })
  }

  @Test func `an anonymous name in use is the customer's that its aliases name`() throws {
    let event = try R.event(
      in: R.webhook(
        "SUBSCRIBER_ALIAS",
        [
          "app_user_id": .string(R.anonymous), "original_app_user_id": .string(R.anonymous),
          "aliases": ["user_43", "user_42"],
        ]))
    #expect(event.customer == "user_42")
    #expect(event.account?.rawValue == "revenuecat:\(R.anonymous)")
    #expect(
      event.facts.contains(Fact(.customersMerged(CustomerMerge(from: "user_43", into: "user_42")))))
  }

  @Test func `more names than can be read do not crowd out the purchase`() throws {
    let names = (0..<3000).map { JSONValue.string("$RCAnonymousID:\($0)") }
    let event = try R.event(in: R.webhook("RENEWAL", ["aliases": .array(names)]))
    #expect(event.facts.transactions.count == 1)
    #expect(event.encoded().count < 20_000)
    #expect(event.facts.notes.count == 1)
  }

  @Test(arguments: [
    ("APP_STORE", "2000000001", "app-store:2000000001"),
    ("MAC_APP_STORE", "2000000001", "app-store:2000000001"),
    ("PLAY_STORE", "GPA.3312-1", "google-play:GPA.3312-1"),
    ("PLAY_STORE", "GPA.3312-1..4", "google-play:GPA.3312-1"),
    ("STRIPE", "sub_1", "stripe:sub_1"),
    ("AMAZON", "a.b", "revenuecat:amazon/a.b"),
    ("RC_BILLING", "rcb_1", "revenuecat:rc_billing/rcb_1"),
    ("PROMOTIONAL", "p1", "revenuecat:promotional/p1"),
  ])
  func `a membership goes by the store's own id`(
    store: String, original: String, membership: String
  ) throws {
    let facts = try R.facts(
      "INITIAL_PURCHASE",
      ["store": .string(store), "original_transaction_id": .string(original)])
    #expect(facts.first?.membership?.rawValue == membership)
  }

  @Test func `Google Play's base plan is the plan of the product`() throws {
    let facts = try R.facts("RENEWAL", ["store": "PLAY_STORE", "product_id": "pro:monthly"])
    #expect(facts.transactions.map(\.offer) == [Offer(product: "pro", plan: "monthly")])
    #expect(facts.map(\.body.name) == ["renewed", "observed", "resumed"])
  }

  @Test func `Stripe's own invoices outrank what RevenueCat says of its periods`() throws {
    let stripe: JSONValue = [
      "store": "STRIPE", "transaction_id": "in_1", "original_transaction_id": "sub_1",
    ]
    let renewed = try R.facts("RENEWAL", stripe)
    #expect(renewed.transactions.map(\.isObserved) == [true])
    #expect(renewed.transactions.map(\.id) == ["stripe:in_1/1767225600"])
    #expect(renewed.first?.references == ["stripe:in_1"])
    let unpaid = try R.facts("RENEWAL", stripe.with(["price_in_purchased_currency": 0]))
    #expect(unpaid.map(\.body.name) == ["noted"])
  }

  @Test func `a gift lasts as long as it says and ends when it is taken back`() throws {
    let gift: JSONValue = [
      "store": "PROMOTIONAL", "period_type": "PROMOTIONAL", "product_id": "rc_promo_pro_monthly",
      "app_id": nil, "price": 0, "price_in_purchased_currency": 0,
    ]
    let given = try R.facts("NON_RENEWING_PURCHASE", gift).transactions
    #expect(given.map(\.kind) == [.free])
    #expect(given.map(\.offer.product) == ["rc_promo_pro_monthly"])
    let forEver = try R.facts(
      "NON_RENEWING_PURCHASE", gift.with(["expiration_at_ms": nil])
    ).transactions
    #expect(forEver.map(\.kind) == [.oneTime])
    let taken = try R.facts(
      "CANCELLATION", gift.with(["cancel_reason": "DEVELOPER_INITIATED"]))
    #expect(
      taken.map(\.body) == [.ended(End(at: R.at(R.january + 5000), reason: .cancelled))])
  }

  @Test func `a transfer moves whatever the names of one customer hold, and names no purchase`()
    throws
  {
    let event = try R.event(
      in: R.transfer(from: ["user_1", .string(R.anonymous)], to: ["$RCAnonymousID:b", "user_2"]))
    #expect(event.customer == "user_2")
    #expect(event.effectiveAt == R.at(R.january + R.day))
    let moves = event.facts.filter { $0.body.name == "transferred" }
    #expect(
      moves.map(\.body) == [
        .transferred(Transfer(to: "revenuecat:user_2", from: "revenuecat:user_1")),
        .transferred(
          Transfer(
            to: "revenuecat:user_2", from: CustomerID(unchecked: "revenuecat:\(R.anonymous)"))),
      ])
    #expect(moves.allSatisfy { $0.membership == nil })
    #expect(event.facts.contains(link("revenuecat:$RCAnonymousID:b", "user_2")))
    #expect(
      event.facts.contains(link("revenuecat:\(R.anonymous)", "user_1")))
  }

  @Test func `a transfer from or to nobody is noted`() throws {
    for (from, to) in [([], ["a"]), (["a"], []), (nil, ["a"]), ("a", "b")]
      as [(
        JSONValue, JSONValue
      )]
    {
      let event = try R.event(in: R.transfer(from: from, to: to))
      #expect(!event.facts.contains { $0.body.name == "transferred" })
      #expect(event.facts.notes.count == 1)
    }
  }

  private func link(_ account: String, _ customer: CustomerID) -> Fact {
    Fact(
      .accountLinked(AccountLink(account: AccountID(unchecked: account), customer: customer)))
  }
}
