import MembershipModel
import MembershipProviders
import Testing

/// One subscription's documents lead to one state, in whatever order and however often they come.
@Suite struct GooglePlayOrderingTests {
  typealias G = GooglePlay

  /// A life of a subscription: bought, renewed, in grace, on hold, recovered, cancelled, upgraded.
  static let story: [JSONValue] = [
    G.fetched(G.subscription(), at: "2026-01-01T00:00:10Z"),
    G.fetched(
      G.subscription(items: [G.item(until: "2026-03-01T00:00:00Z", order: "\(G.order)..0")]),
      at: "2026-01-31T22:00:00Z"),
    G.fetched(
      G.subscription("IN_GRACE_PERIOD", items: [G.item(until: "2026-03-04T00:00:00Z")]),
      at: "2026-03-01T00:10:00Z"),
    G.fetched(
      G.subscription("ON_HOLD", items: [G.item(until: "2026-03-04T00:00:00Z")]),
      at: "2026-03-04T00:10:00Z"),
    G.fetched(
      G.subscription(
        "CANCELED",
        items: [G.item(until: "2026-04-10T00:00:00Z", order: "\(G.order)..1")]),
      at: "2026-03-10T00:00:00Z"),
    G.wrapped("voided", G.voided.with(["orderId": .string("\(G.order)..1")])),
    G.fetched(
      G.subscription(
        items: [G.item("plus_yearly", until: "2027-03-20T00:00:00Z", order: "GPA.9")],
        changing: ["startTime": "2026-03-20T00:00:00Z", "linkedPurchaseToken": "token_1"]),
      token: "token_2", at: "2026-03-20T00:00:00Z"),
  ]

  private func states(_ documents: [JSONValue]) throws -> [EntityKey: any EntityState] {
    var fold = Fold(MemoryStore())
    for (index, document) in documents.enumerated() {
      for event in try G.events(in: document) {
        _ = fold.apply(
          RecordedEvent(
            position: Position(UInt64(index + 1)), recordedAt: at(0), event: event))
      }
    }
    return fold.store.states
  }

  private func encoded(_ states: [EntityKey: any EntityState]) -> [EntityKey: [UInt8]] {
    states.mapValues { EntityKind.encode($0) }
  }

  @Test func `every order and any number of repeats give one state`() throws {
    let expected = encoded(try states(Self.story))
    for offset in 0..<5040 where offset % 7 == 3 {
      let order = permutation(offset, of: Self.story)
      #expect(encoded(try states(order)) == expected)
      #expect(encoded(try states(order + order.prefix(3))) == expected)
    }
  }

  @Test func `of two states fetched at one instant the more final one holds`() throws {
    let active = G.fetched(G.subscription(), at: "2026-02-03T00:00:00Z")
    let expired = G.fetched(G.subscription("EXPIRED"), at: "2026-02-03T00:00:00Z")
    for order in [[active, expired], [expired, active]] {
      let state = try states(order)[.membership(G.membership, .production)] as? MembershipState
      let standing = try #require(state).standing.value(at: G.time("2026-02-03T00:00:00Z"))
      #expect(standing?.standing == .ended)
    }
  }

  @Test func `the same document is the same event, however its fields are ordered`() throws {
    let document = G.fetched(G.subscription())
    let reordered = JSONValue.object((document.fields ?? []).reversed())
    #expect(try G.event(in: document) == G.event(in: reordered))
    let later = G.fetched(G.subscription(), at: "2026-01-11T00:00:00Z")
    #expect(try G.event(in: document).id != G.event(in: later).id)
  }

  /// One of all orders, by its number.
  private func permutation<Element>(_ number: Int, of elements: [Element]) -> [Element] {
    var (rest, number) = (elements, number)
    var order: [Element] = []
    while !rest.isEmpty {
      order.append(rest.remove(at: number % rest.count))
      number /= order.count
    }
    return order
  }
}
