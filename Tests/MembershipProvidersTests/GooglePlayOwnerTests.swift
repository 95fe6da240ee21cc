import MembershipModel
import MembershipProviders
import Testing

/// Whose a purchase is, and what becomes of the one whose place it takes.
@Suite struct GooglePlayOwnerTests {
  typealias G = GooglePlay

  private func links(_ event: Event) -> [AccountLink] {
    event.facts.compactMap {
      if case .accountLinked(let link) = $0.body { link } else { nil }
    }
  }

  @Test func `the obfuscated account id is the customer`() throws {
    let event = try G.event(in: G.fetched(G.subscription()))
    #expect(event.customer == "user_1" && event.account == "google-play:token_1")
    #expect(links(event) == [AccountLink(account: "google-play:token_1", customer: "user_1")])
  }

  @Test func `a linked token's owner owns the new one, whose purchase ends the old`() throws {
    let upgraded = G.subscription(
      changing: ["linkedPurchaseToken": "token_0", "externalAccountIdentifiers": nil])
    let event = try G.event(in: G.fetched(upgraded))
    #expect(event.customer == nil)
    #expect(
      links(event) == [
        AccountLink(account: "google-play:token_1", customer: "google-play:token_0")
      ])
    let end = Fact.Body.ended(End(at: try G.time(G.start), reason: .replaced))
    #expect(event.facts.has(end, of: "google-play:token_0"))
  }

  @Test func `an id of its own goes before that of the linked token`() throws {
    let event = try G.event(
      in: G.fetched(G.subscription(changing: ["linkedPurchaseToken": "token_0"])))
    #expect(links(event).map(\.customer) == ["user_1"])
  }

  @Test func `who subscribes again in the store is known by the purchase before`() throws {
    let context: JSONValue = [
      "expiredExternalAccountIdentifiers": ["obfuscatedExternalAccountId": "user_7"],
      "expiredPurchaseToken": "token_0",
    ]
    let outside = G.subscription(
      changing: ["outOfAppPurchaseContext": context, "externalAccountIdentifiers": nil])
    let event = try G.event(in: G.fetched(outside))
    #expect(event.customer == "user_7")
    #expect(!G.names(event.facts).contains("ended"))
    let nameless = outside.with([
      "outOfAppPurchaseContext": context.without("expiredExternalAccountIdentifiers")
    ])
    #expect(
      links(try G.event(in: G.fetched(nameless))).map(\.customer) == ["google-play:token_0"])
  }

  @Test func `a token linked to itself is linked to nothing`() throws {
    let event = try G.event(
      in: G.fetched(
        G.subscription(
          changing: ["linkedPurchaseToken": "token_1", "externalAccountIdentifiers": nil])))
    #expect(links(event).isEmpty && !G.names(event.facts).contains("ended"))
  }

  @Test func `a test purchase is of the sandbox`() throws {
    let test = G.fetched(G.subscription(changing: ["testPurchase": [:]]))
    #expect(try G.event(in: test).environment == .sandbox)
    #expect(try G.event(in: G.fetched(G.subscription())).environment == .production)
    let production = GooglePlayAdapter(trustsUnsigned: true, environment: .production)
    #expect(refusal(production.read(G.document(test))) == .wrongEnvironment)
  }
}
