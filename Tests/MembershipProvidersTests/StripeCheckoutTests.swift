import MembershipModel
import MembershipProviders
import Testing

@Suite struct StripeCheckoutTests {
  typealias S = StripeFixture

  func closed(_ outcome: CheckoutOutcome) -> Fact.Body {
    .checkoutClosed(CheckoutClosure(id: "stripe:cs_1", outcome: outcome))
  }

  @Test(arguments: [
    ("checkout.session.completed", "paid", CheckoutOutcome.paid),
    ("checkout.session.completed", "no_payment_required", .paid),
    ("checkout.session.completed", "unpaid", .pending),
    ("checkout.session.async_payment_succeeded", "paid", .paid),
    ("checkout.session.async_payment_failed", "unpaid", .declined),
    ("checkout.session.expired", "unpaid", .cancelled),
  ])
  func `a session for a subscription tells how its checkout stands`(
    type: String, paymentStatus: String, outcome: CheckoutOutcome
  ) throws {
    let facts = try facts(type, S.checkout(paymentStatus: paymentStatus))
    #expect(
      facts == [
        Fact(
          closed(outcome), membership: "stripe:sub_1",
          references: ["stripe:cs_1", "stripe:in_1"])
      ])
  }

  @Test func `a session links the account to the customer that the service named`() throws {
    let event = try event(in: S.event("checkout.session.completed", S.checkout()))
    #expect(event.account == "stripe:cus_1")
    #expect(event.customer == "user_42")
    #expect(
      event.facts.has(
        .accountLinked(AccountLink(account: "stripe:cus_1", customer: "user_42")), of: nil))
  }

  @Test func `things bought once are bought by the session, line by line`() throws {
    let session = S.checkout(mode: "payment", changing: ["line_items": S.lineItems])
    for type in ["checkout.session.completed", "checkout.session.async_payment_succeeded"] {
      let facts = try facts(type, session)
      let transaction = Transaction(
        id: "stripe:cs_1/li_1", offer: Offer(product: "prod_once", plan: "price_once"),
        kind: .oneTime, quantity: 2, amount: Money(minorUnits: 4900, currency: "EUR"),
        item: "li_1")
      let references: [ReferenceID] = ["stripe:cs_1", "stripe:pi_1"]
      #expect(
        facts == [
          Fact(closed(.paid), membership: "stripe:cs_1", references: references),
          Fact(.purchased(transaction), membership: "stripe:cs_1", references: references),
        ])
    }
  }

  @Test func `an unpaid session sells nothing yet`() throws {
    let session = S.checkout(
      mode: "payment", paymentStatus: "unpaid", changing: ["line_items": S.lineItems])
    let pending = try facts("checkout.session.completed", session)
    #expect(names(pending) == ["checkoutClosed"])
    #expect(pending.has(closed(.pending), of: "stripe:cs_1"))
    let declined = try facts("checkout.session.async_payment_failed", session)
    #expect(declined.has(closed(.declined), of: "stripe:cs_1"))
    #expect(names(declined) == ["checkoutClosed"])
  }

  @Test func `without line items what was bought is not known, and noted`() throws {
    let facts = try facts("checkout.session.completed", S.checkout(mode: "payment"))
    #expect(names(facts) == ["checkoutClosed", "noted"])
    #expect(facts.notes.allSatisfy { $0.reason.contains("line_items") })
  }

  @Test func `a session left alone leaves no order behind`() throws {
    let facts = try facts("checkout.session.expired", S.checkout(mode: "payment"))
    #expect(facts.has(closed(.cancelled), of: nil))
  }

  @Test func `a session that sets up a payment method is noted`() throws {
    #expect(
      try names(facts("checkout.session.completed", S.checkout(mode: "setup"))) == ["noted"])
  }

  @Test func `a bare open session is a checkout begun`() throws {
    let session = S.checkout(
      paymentStatus: "unpaid",
      changing: ["status": "open", "subscription": nil, "invoice": nil, "line_items": S.lineItems])
    let event = try event(in: session)
    #expect(names(event.facts) == ["checkoutOpened", "accountLinked"])
    let opening = CheckoutOpening(id: "stripe:cs_1", plan: "price_once")
    #expect(event.facts.has(.checkoutOpened(opening), of: nil))
  }
}
