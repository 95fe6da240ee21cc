import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeCustomerTests {
  typealias S = StripeFixture

  @Test func `a deleted customer ends everything of the account`() throws {
    let deleted: JSONValue = ["id": "cus_1", "object": "customer", "deleted": true]
    let event = try event(in: S.event("customer.deleted", deleted))
    #expect(event.account == "stripe:cus_1")
    #expect(event.facts == [Fact(.ended(End(at: at(S.january), reason: .accountDeleted)))])
  }

  @Test(arguments: ["customer.created", "customer.updated"])
  func `a customer that carries the service's id is linked`(type: String) throws {
    let customer: JSONValue = [
      "id": "cus_1", "object": "customer", "metadata": ["customer_id": "user_42"],
    ]
    let event = try event(in: S.event(type, customer))
    #expect(event.customer == "user_42")
    #expect(
      event.facts == [
        Fact(.accountLinked(AccountLink(account: "stripe:cus_1", customer: "user_42")))
      ])
  }

  @Test func `a customer without it is noted`() throws {
    let customer: JSONValue = ["id": "cus_1", "object": "customer", "metadata": []]
    #expect(try names(facts("customer.updated", customer)) == ["noted"])
  }

  @Test func `the service's id counts in the metadata of what it is about`() throws {
    let metadata: JSONValue = ["metadata": ["customer_id": "user_42"]]
    let invoice = S.invoice(changing: [
      "parent": [
        "type": "subscription_details",
        "subscription_details": metadata.with(["subscription": "sub_1"]),
      ]
    ])
    for (type, object) in [
      ("customer.subscription.updated", S.subscription(changing: metadata)),
      ("invoice.paid", invoice), ("charge.succeeded", S.charge(changing: metadata)),
    ] {
      #expect(try event(in: S.event(type, object)).customer == "user_42")
    }
  }

  @Test func `an account of the newer kind stands in for a missing customer`() throws {
    let subscription = S.subscription(
      changing: ["customer": nil, "customer_account": "acct_1"])
    let event = try event(in: S.event("customer.subscription.updated", subscription))
    #expect(event.account == "stripe:acct_1")
  }

  @Test func `expanded objects count by their ids`() throws {
    let subscription = S.subscription(
      changing: ["customer": ["id": "cus_1", "object": "customer", "email": "a@example.com"]])
    let event = try event(in: S.event("customer.subscription.updated", subscription))
    #expect(event.account == "stripe:cus_1")
  }

  @Test func `the summary of entitlements is a claim, whole unless it has more`() throws {
    let type = "entitlements.active_entitlement_summary.updated"
    let whole = try facts(type, S.summary)
    #expect(
      whole == [
        Fact(
          .claimed(EntitlementClaim(entitlements: ["premium", "export"], isComplete: true)))
      ])
    let list: JSONValue = ["has_more": true, "data": [["lookup_key": "premium"]]]
    let part = try facts(type, S.summary.with(["entitlements": list]))
    #expect(
      part == [Fact(.claimed(EntitlementClaim(entitlements: ["premium"], isComplete: false)))])
  }
}
