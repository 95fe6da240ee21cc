import LedgerTestSupport
import MembershipLedger
import MembershipProviders
import Testing

/// Cases of Google Play from its documents to the answers of a ledger.
@Suite struct GooglePlayCases {
  typealias Play = PlayStore

  private func withStory(
    _ documents: String..., body: (Ledger) throws -> Void
  ) throws {
    try withCase([Play.catalog] + Play.events(documents)) { try body($0) }
  }

  private func only(
    _ ledger: Ledger, at number: Int64, of customer: CustomerID = "user_1"
  ) throws -> Membership {
    let memberships = try ledger.memberships(of: customer, at: day(number))
    #expect(memberships.count == 1)
    return try #require(memberships.first)
  }

  private func reason(
    _ ledger: Ledger, at number: Int64, of customer: CustomerID = "user_1"
  ) throws -> DecisionReason {
    try ledger.decision(for: customer, on: "premium", at: day(number)).reason
  }

  // MARK: States

  @Test func `a subscription gives access from its start to its expiry, and ends there`() throws {
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 31), seen: 2),
      Play.subscription("EXPIRED", Play.item(until: 31), seen: 31.5)
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 30], notOn: [0, 31, 40])
      try #expect(only(ledger, at: 5).status == .active)
      try #expect(only(ledger, at: 32).status == .expired)
      try #expect(only(ledger, at: 5).storeStatus == "SUBSCRIPTION_STATE_ACTIVE")
    }
  }

  @Test func `one snapshot of each state answers by itself`() throws {
    for (state, isHad, status) in [
      ("ACTIVE", true, .active), ("CANCELED", true, .canceling),
      ("IN_GRACE_PERIOD", true, .pastDue), ("ON_HOLD", false, .pastDue),
      ("PAUSED", false, .paused), ("EXPIRED", false, .expired), ("PENDING", false, .pending),
      ("PENDING_PURCHASE_CANCELED", false, .expired), ("UNSPECIFIED", false, .pending),
    ] as [(String, Bool, MembershipStatus)] {
      let isOver = ["ON_HOLD", "PAUSED", "EXPIRED"].contains(state)
      try withStory(
        Play.subscription(state, Play.item(until: isOver ? 19 : 31), seen: 20)
      ) { ledger in
        let membership = try only(ledger, at: 20)
        #expect(membership.isActive == isHad && membership.status == status, "\(state)")
        try expectAccess(ledger, of: "user_1", on: isHad ? [20] : [], notOn: isHad ? [40] : [20])
      }
    }
  }

  @Test func `STORE-47: silence after the expiry is grace, for a day`() throws {
    try withStory(Play.subscription("ACTIVE", Play.item(until: 30.5), seen: 2)) { ledger in
      try expectAccess(ledger, of: "user_1", on: [30, 31], notOn: [32])
      try #expect(reason(ledger, at: 31) == .grace)
    }
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 30.5), seen: 2),
      Play.subscription("ACTIVE", Play.item(until: 30.5), seen: 31.75)
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [30, 31, 32], notOn: [33])
      try #expect(reason(ledger, at: 32) == .grace)
    }
    let prepaid = ["autoRenewingPlan": "null", "prepaidPlan": "{}"]
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 30.5, changing: prepaid), seen: 2)
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [30], notOn: [31])
      try #expect(only(ledger, at: 5).willRenew == false)
      try #expect(only(ledger, at: 5).status == .active)
    }
  }

  @Test func `STORE-44: grace keeps access until its end, a hold has none until it is over`()
    throws
  {
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 31), seen: 2),
      Play.subscription("IN_GRACE_PERIOD", Play.item(until: 38), seen: 31.25),
      Play.subscription("ON_HOLD", Play.item(until: 38), seen: 38.25),
      Play.subscription("ACTIVE", Play.item(until: 80, order: "GPA.1..0"), seen: 50)
    ) { ledger in
      try expectAccess(
        ledger, of: "user_1", on: [1, 30, 31, 35, 37, 50, 79], notOn: [0, 38, 45, 49, 82])
      try #expect(reason(ledger, at: 35) == .grace)
      let held = try only(ledger, at: 40)
      #expect(held.status == .pastDue && held.holds == ["account hold"] && !held.isActive)
      try #expect(only(ledger, at: 51).holds == [])
    }
  }

  @Test func `STORE-58: a pause shows as paused, and no access is had for its gap`() throws {
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 31), seen: 2),
      Play.subscription(
        "PAUSED", Play.item(until: 31), seen: 31.25,
        changing: ["pausedStateContext": "{\"autoResumeTime\": \"\(Play.time(92))\"}"]),
      Play.subscription("ACTIVE", Play.item(until: 90, order: "GPA.1..0"), seen: 60)
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [30, 60, 89], notOn: [31, 45, 59])
      try #expect(only(ledger, at: 40).status == .paused)
      try #expect(reason(ledger, at: 40) == .paused)
    }
  }

  @Test func `a cancellation takes effect at the expiry, one withdrawn never does`() throws {
    let cancelled = Play.subscription("CANCELED", Play.item(until: 31), seen: 10)
    try withStory(cancelled) { ledger in
      let membership = try only(ledger, at: 12)
      #expect(membership.status == .canceling && membership.cancelAt == day(31))
      #expect(!membership.willRenew)
      try expectAccess(ledger, of: "user_1", on: [30], notOn: [31])
    }
    try withStory(cancelled, Play.subscription("ACTIVE", Play.item(until: 31), seen: 12)) {
      ledger in
      try #expect(only(ledger, at: 11).status == .canceling)
      try #expect(only(ledger, at: 13).status == .active)
      try #expect(only(ledger, at: 13).cancelAt == nil)
    }
  }

  @Test func `what is revoked stops at once`() throws {
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 31), seen: 2),
      Play.subscription("EXPIRED", Play.item(until: 10), seen: 10, because: 12)
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [9], notOn: [10, 30])
      try #expect(only(ledger, at: 12).status == .revoked)
    }
  }

  @Test func `until when to acknowledge is shown, as long as it is to be done`() throws {
    let pending = ["acknowledgementState": "\"ACKNOWLEDGEMENT_STATE_PENDING\""]
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 31), seen: 1, changing: pending),
      Play.subscription("ACTIVE", Play.item(until: 31), seen: 3)
    ) { ledger in
      try #expect(only(ledger, at: 2).acknowledgeBy == day(4))
      try #expect(only(ledger, at: 3).acknowledgeBy == nil)
    }
  }

  // MARK: Chains

  @Test func `STORE-23: a replaced token's purchase keeps the customer of the first`() throws {
    try withStory(
      Play.subscription("ACTIVE", Play.item("prod_basic", until: 31), seen: 1),
      Play.subscription(
        "ACTIVE", Play.item(until: 40, order: "GPA.2"), token: "token_2", from: 10, seen: 10,
        customer: nil, changing: ["linkedPurchaseToken": "\"token_1\""])
    ) { ledger in
      for name in ["user_1", "google-play:token_1", "google-play:token_2"] {
        try expectAccess(ledger, of: name, on: [1, 10, 39], notOn: [0, 42])
        try expectAccess(ledger, "archive", of: name, on: [10, 39], notOn: [9, 42])
      }
    }
  }

  @Test func `STORE-25: of a chain of tokens the newest alone entitles, and one customer`() throws {
    let link = { (token: String) in ["linkedPurchaseToken": "\"\(token)\""] }
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 400), seen: 1, customer: nil),
      Play.subscription(
        "ACTIVE", Play.item(until: 300, order: "GPA.2"), token: "token_2", from: 10, seen: 10,
        customer: nil, changing: link("token_1")),
      Play.subscription(
        "CANCELED", Play.item("prod_basic", until: 50, order: "GPA.3"), token: "token_3", from: 20,
        seen: 20, customer: nil, changing: link("token_2")),
      // Google calls the replaced tokens good until they expire.
      Play.subscription("ACTIVE", Play.item(until: 400), seen: 30, customer: nil),
      Play.subscription(
        "ACTIVE", Play.item(until: 300, order: "GPA.2"), token: "token_2", from: 10, seen: 30,
        customer: nil, changing: link("token_1"))
    ) { ledger in
      let first = "google-play:token_1"
      try expectAccess(ledger, of: first, on: [1, 19, 20, 49], notOn: [0, 50, 200])
      try expectAccess(ledger, "archive", of: first, on: [1, 19], notOn: [20, 49, 200])
      let holders = try ledger.memberships(of: "google-play:token_3", at: day(30))
      #expect(holders.count == 3)
      #expect(Set(holders.map(\.customer)) == [CustomerID(stringLiteral: first)])
      #expect(holders.filter(\.isActive).map(\.id) == ["google-play:token_3"])
    }
  }

  @Test func `a replaced token of another customer stays that one's past`() throws {
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 61), seen: 1),
      Play.subscription(
        "ACTIVE", Play.item(until: 40, order: "GPA.2"), token: "token_2", from: 10, seen: 10,
        customer: "user_2", changing: ["linkedPurchaseToken": "\"token_1\""])
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [5], notOn: [10, 30])
      try expectAccess(ledger, of: "user_2", on: [10, 39], notOn: [5])
    }
  }

  @Test func `a pending change of plan that falls through leaves the old plan on`() throws {
    let link = ["linkedPurchaseToken": "\"token_1\"", "startTime": "null"]
    let waiting = Play.item(until: nil, order: nil)
    try withStory(
      Play.subscription("ACTIVE", Play.item("prod_basic", until: 31), seen: 1),
      Play.subscription("PENDING", waiting, token: "token_2", seen: 10, changing: link),
      Play.subscription(
        "PENDING_PURCHASE_CANCELED", waiting, token: "token_2", seen: 12, changing: link)
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 11, 30])
      try expectAccess(ledger, "archive", of: "user_1", notOn: [11, 13])
    }
  }

  @Test func `STORE-26, STORE-11: who comes back after an end has a new membership`() throws {
    try withStory(
      Play.subscription("EXPIRED", Play.item(until: 31), seen: 32),
      Play.subscription(
        "ACTIVE", Play.item(until: 130, order: "GPA.5"), token: "token_5", from: 100, seen: 100,
        customer: nil,
        changing: ["outOfAppPurchaseContext": #"{"expiredPurchaseToken": "token_1"}"#])
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [30, 100, 129], notOn: [31, 99, 132])
    }
  }

  @Test func `STORE-28, STORE-29: a deferred downgrade leaves the old plan on, the new one next`()
    throws
  {
    let old = Play.item(
      until: 31, changing: ["deferredItemReplacement": #"{"productId": "prod_basic"}"#])
    let link = ["linkedPurchaseToken": "\"token_0\""]
    try withStory(
      Play.subscription(
        "ACTIVE", Play.item(until: 31, order: "GPA.0"), token: "token_0", from: 1, seen: 1),
      Play.subscription(
        "ACTIVE", old, Play.item("prod_basic", until: nil, order: nil), from: 10, seen: 10,
        changing: link),
      Play.subscription(
        "EXPIRED", Play.item(until: 10, order: "GPA.0"), token: "token_0", from: 1, seen: 11),
      Play.subscription(
        "ACTIVE", Play.item("prod_basic", until: 61, order: "GPA.1..0"), from: 10, seen: 31,
        changing: link)
    ) { ledger in
      let before = try #require(
        try ledger.memberships(of: "user_1", at: day(20)).first { $0.isActive })
      #expect(before.product == "pro" && before.pendingChange?.to?.product == "basic")
      #expect(before.pendingChange?.at == day(31))
      let after = try #require(
        try ledger.memberships(of: "user_1", at: day(32)).first { $0.isActive })
      #expect(after.product == "basic" && after.pendingChange == nil)
      try expectAccess(ledger, "archive", of: "user_1", on: [1, 10, 30], notOn: [31, 60])
      try expectAccess(ledger, of: "user_1", on: [1, 10, 30, 31, 60], notOn: [63])
    }
  }

  // MARK: Orders

  @Test func `a voided order takes what it gave, and no other order's`() throws {
    let first = Play.subscription("ACTIVE", Play.item(until: 31), seen: 1)
    let second = Play.subscription(
      "ACTIVE", Play.item(until: 61, order: "GPA.1..0"), seen: 31)
    try withStory(first, second, Play.voided("GPA.1", at: 40)) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 30, 31, 60])
    }
    try withStory(first, second, Play.voided("GPA.1..0", at: 40)) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 30, 31, 39], notOn: [40, 60])
      try #expect(only(ledger, at: 45).status == .revoked)
    }
  }

  @Test func `a renewal is read under the catalog of its own time`() throws {
    var catalog = Make.catalog
    catalog.products[0].stores = [.init(provider: .googlePlay, product: "prod_pro")]
    catalog.products[0].entitlements = ["premium"]
    let revision = Make.catalogEvent(
      "manual:catalog-next", catalog, appliesTo: .nextRenewal, at: day(20))
    let documents = [
      Play.subscription("ACTIVE", Play.item(until: 31), seen: 1),
      Play.subscription("ACTIVE", Play.item(until: 61, order: "GPA.1..0"), seen: 30.5),
    ]
    for order in [documents, documents.reversed()] {
      try withLedger { ledger in
        try ledger.add(all: [Play.catalog, revision] + Play.events(order))
        try expectAccess(ledger, "archive", of: "user_1", on: [1, 30], notOn: [31, 60])
        try expectAccess(ledger, of: "user_1", on: [1, 30, 31, 60])
      }
    }
  }

  // MARK: One-time purchases

  @Test func `STORE-41: a purchase that waits for its payment is pending until it is made`() throws
  {
    try withStory(
      Play.product(2, bought: 1, seen: 1), Play.product(0, bought: 3, seen: 3)
    ) { ledger in
      try #expect(only(ledger, at: 2).status == .pending)
      try #expect(only(ledger, at: 4).status == .completed)
      try expectAccess(ledger, of: "user_1", on: [3, 4000], notOn: [1, 2])
    }
  }

  @Test func `STORE-2: a lifetime purchase that was voided stays so, whatever is fetched later`()
    throws
  {
    try withStory(
      Play.product(0, seen: 1), Play.voided("GPA.7", at: 20, token: "token_p"),
      Play.product(0, seen: 30)
    ) { ledger in
      try expectAccess(ledger, of: "user_1", on: [1, 19], notOn: [20, 31, 4000])
      try #expect(only(ledger, at: 31).status == .revoked)
    }
  }

  @Test func `STORE-13, STORE-70: a restore gives nothing that is over, and says why`() throws {
    let documents = [
      Play.subscription("EXPIRED", Play.item(until: 31), seen: 40),
      Play.product(0, seen: 1), Play.voided("GPA.7", at: 20, token: "token_p"),
    ]
    try withLedger(TestClock(day(40))) { ledger in
      try ledger.add(Play.catalog)
      let report = try ledger.restore(
        Play.events(documents).map { AppendRequest($0) }, to: "user_1")
      #expect(!report.holdsAny)
      #expect(Set(report.results.map(\.outcome)) == [.expired, .revoked])
    }
  }

  @Test func `a test purchase answers in the sandbox alone`() throws {
    try withStory(
      Play.subscription("ACTIVE", Play.item(until: 31), seen: 2, changing: ["testPurchase": "{}"])
    ) { ledger in
      try expectAccess(ledger, of: "user_1", notOn: [5])
      let premium = try ledger.entitlement("premium")
      #expect(try ledger.isEntitled("user_1", to: premium, at: day(5), in: .sandbox))
    }
  }
}
