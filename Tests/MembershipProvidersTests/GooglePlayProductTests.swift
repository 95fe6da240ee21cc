import MembershipModel
import MembershipProviders
import Testing

@Suite struct GooglePlayProductTests {
  typealias G = GooglePlay

  private func event(_ product: JSONValue, because notification: JSONValue? = nil) throws -> Event {
    try G.event(in: G.wrapped("product", product, because: notification))
  }

  private func observation(_ status: String, _ standing: Standing) throws -> Fact.Body {
    .observed(Observation(status: status, standing: standing, at: try G.time(G.seen)))
  }

  @Test func `a one-time purchase is had for ever from its purchase on, in both shapes`() throws {
    for (product, plan) in [(G.olderProduct, ""), (G.newerProduct, "buy")] {
      let event = try event(product)
      let bought = Transaction(
        id: "google-play:GPA.1111-2222-3333-44444", offer: Offer(product: "lifetime", plan: plan),
        kind: .oneTime)
      #expect(event.facts.has(.purchased(bought), of: G.membership))
      #expect(event.facts.has(try observation("PURCHASED", .active), of: G.membership))
      #expect(event.effectiveAt == (try G.time(G.start)))
      #expect(event.ordering.writtenAt == (try G.time(G.seen)))
      #expect(event.customer == "user_1" && event.environment == .production)
    }
  }

  @Test func `a pending purchase gives nothing`() throws {
    for product in [
      G.olderProduct.with(["purchaseState": 2]),
      G.newerProduct.with(["purchaseStateContext": ["purchaseState": "PENDING"]]),
    ] {
      let facts = try event(product).facts.filter { $0.body.name != "accountLinked" }
      #expect(facts.map(\.body) == [try observation("PENDING", .incomplete)])
    }
  }

  @Test func `a cancelled purchase is over, whether or not it was paid`() throws {
    for product in [
      G.olderProduct.with(["purchaseState": 1]),
      G.newerProduct.with(["purchaseStateContext": ["purchaseState": "CANCELLED"]]),
    ] {
      let facts = try event(product).facts
      #expect(facts.has(.ended(End(at: try G.time(G.seen), reason: .cancelled)), of: G.membership))
      #expect(facts.transactions.isEmpty)
    }
  }

  @Test func `a state that is missing or not known gives nothing`() throws {
    for product in [
      G.olderProduct.without("purchaseState"), G.olderProduct.with(["purchaseState": 9]),
      G.newerProduct.with(["purchaseStateContext": [:]]),
    ] {
      let facts = try event(product).facts
      #expect(facts.transactions.isEmpty && facts.notes.count == 1)
      #expect(facts.observations.map(\.standing) == [.unrecognized(0)])
    }
  }

  @Test func `the notification names the product where the resource does not`() throws {
    let notification = G.notification(
      "oneTimeProductNotification",
      ["version": "1.0", "notificationType": 1, "purchaseToken": "token_1", "sku": "coins"])
    let facts = try event(G.olderProduct.without("productId"), because: notification).facts
    #expect(facts.transactions.map(\.offer.product) == ["coins"])
    #expect(try event(G.olderProduct.without("productId")).facts.notes.count == 1)
  }

  @Test func `what is left of several is had, and nothing where all were given back`() throws {
    let part = try event(G.olderProduct.with(["quantity": 3, "refundableQuantity": 2])).facts
    #expect(part.transactions.map(\.quantity) == [2])
    let none = try event(G.olderProduct.with(["quantity": 3, "refundableQuantity": 0])).facts
    #expect(G.names(none).contains("accessRevoked"))
  }

  @Test func `a rental and a preorder say no end and no beginning, and give nothing yet`() throws {
    for details: JSONValue in [
      ["rentOfferDetails": [:]],
      ["preorderOfferDetails": ["preorderReleaseTime": "2027-01-01T00:00:00Z"]],
    ] {
      let line: JSONValue = ["productId": "film", "productOfferDetails": details]
      let facts = try event(G.newerProduct.with(["productLineItem": [line]])).facts
      #expect(facts.transactions.isEmpty && facts.notes.count == 1)
    }
  }

  @Test func `a one-time purchase is to be acknowledged in three days`() throws {
    for product in [
      G.olderProduct.with(["acknowledgementState": 0]),
      G.newerProduct.with(["acknowledgementState": "ACKNOWLEDGEMENT_STATE_PENDING"]),
    ] {
      let deadlines = try event(product).facts.observations.map(\.acknowledgeBy)
      #expect(deadlines == [try G.time("2026-01-04T00:00:00Z")])
    }
  }

  @Test func `a test purchase is of the sandbox`() throws {
    for product in [
      G.olderProduct.with(["purchaseType": 0]),
      G.newerProduct.with(["testPurchaseContext": ["fopType": "TEST"]]),
    ] {
      #expect(try event(product).environment == .sandbox)
    }
    #expect(try event(G.olderProduct.with(["purchaseType": 1])).environment == .production)
  }

  // MARK: Voided purchases

  @Test func `a voided order takes back what it gave, in a list or alone`() throws {
    let revocation = AccessRevocation(
      transaction: TransactionID(unchecked: "google-play:\(G.order)"),
      at: Timestamp(milliseconds: 1_768_046_400_000),
      reason: "chargeback, by user")
    for document: JSONValue in [
      G.wrapped("voided", G.voided), ["voidedPurchases": [G.voided]],
      G.wrapped("voided", ["voidedPurchases": [G.voided]]),
    ] {
      let event = try G.event(in: document)
      #expect(event.facts.map(\.body) == [.accessRevoked(revocation)])
      #expect(event.facts.map(\.membership) == [G.membership])
      #expect(event.effectiveAt == Timestamp(milliseconds: 1_768_046_400_000))
    }
  }

  @Test func `a voided purchase fetched again is the same event`() throws {
    let first = try G.event(in: G.wrapped("voided", G.voided, at: G.seen))
    let second = try G.event(in: G.wrapped("voided", G.voided, at: "2026-03-01T00:00:00Z"))
    #expect(first == second)
  }

  @Test func `a part given back, and an order without a name, take nothing`() throws {
    for voided in [G.voided.with(["voidedQuantity": 1]), G.voided.without("orderId")] {
      #expect(G.names(try G.event(in: G.wrapped("voided", voided)).facts) == ["noted"])
    }
  }
}
