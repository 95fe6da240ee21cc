import LedgerTestSupport
import MembershipLedger
import Testing

/// Cases of the App Store from its documents to the answers of the ledger.
@Suite struct AppStoreCases {
  typealias A = AppStoreHook

  private func expect(
    _ ledger: Ledger, _ key: EntitlementKey = "premium", on given: [Int64] = [],
    notOn denied: [Int64] = [], _ location: SourceLocation = #_sourceLocation
  ) throws {
    try expectAccess(
      ledger, key, of: A.customer.rawValue, on: given, notOn: denied, location)
  }

  private func membership(_ ledger: Ledger, at number: Int64) throws -> Membership {
    let memberships = try ledger.memberships(of: A.customer, at: day(number))
    #expect(memberships.count == 1)
    return try #require(memberships.first)
  }

  private func reason(_ ledger: Ledger, at number: Int64) throws -> DecisionReason {
    try ledger.decision(for: A.customer, on: "premium", at: day(number)).reason
  }

  @Test func `a subscription is had for its periods by whom the app named`() throws {
    try withAppStore(A.bought, A.renewed) { ledger in
      try expect(ledger, on: [1, 30, 31, 60], notOn: [0, 61])
      let shown = try membership(ledger, at: 40)
      #expect(shown.id == "app-store:2000" && shown.status == .active && shown.willRenew)
      #expect(shown.currentPeriodEnd == day(61))
      try expectAccess(ledger, of: "app-store:2000", on: [40])
    }
  }

  @Test func `STORE-1: a refund, or the loss of sharing, ends a purchase that is known already`()
    throws
  {
    for (type, changes) in [
      ("REFUND", A.taken(10)),
      (
        "REVOKE",
        A.taken(10).merging(["inAppOwnershipType": "\"FAMILY_SHARED\""]) { $1 }
      ),
    ] {
      let over = A.notification(
        type, at: 10, status: 5, A.transaction(signed: 10, changing: changes),
        A.renewal(signed: 10, renews: false))
      try withAppStore(A.bought, over) { ledger in
        try expect(ledger, on: [1, 9], notOn: [10, 20, 40])
        #expect(try reason(ledger, at: 20) == (type == "REFUND" ? .refunded : .revoked))
      }
    }
  }

  @Test func `STORE-32: a renewal that comes late revives nothing that was taken back`() throws {
    let refund = A.notification(
      "REFUND", at: 40, status: 5,
      A.transaction(2001, 31, 61, signed: 40, changing: A.taken(40)),
      A.renewal(61, signed: 40, renews: false))
    try withAppStore(A.bought, A.renewed, refund) { ledger in
      try expect(ledger, on: [1, 30, 31, 39], notOn: [40, 60])
      #expect(try membership(ledger, at: 50).status == .refunded)
    }
  }

  @Test func `a refund of an older period leaves the current one`() throws {
    let refund = A.notification(
      "REFUND", at: 40, A.transaction(signed: 40, changing: A.taken(5)), A.renewal(61, signed: 40))
    try withAppStore(A.bought, A.renewed, refund) { ledger in
      try expect(ledger, on: [1, 4, 31, 40, 60], notOn: [5, 30, 61])
    }
  }

  @Test func `STORE-71: a refund that is undone is undone, by whichever document`() throws {
    let refund = A.notification(
      "REFUND", at: 10, status: 5, A.transaction(signed: 10, changing: A.taken(10)),
      A.renewal(signed: 10, renews: false))
    let reversed = A.notification(
      "REFUND_REVERSED", at: 15, A.transaction(signed: 15), A.renewal(signed: 15))
    let fetched = #"{"signedTransactionInfo": \#(A.transaction(signed: 15))}"#
    for undoing in [reversed, fetched] {
      try withAppStore(A.bought, refund, undoing) { ledger in
        try expect(ledger, on: [9, 15, 30], notOn: [10, 14, 31])
        #expect(try reason(ledger, at: 12) == .refunded)
      }
    }
  }

  @Test func `a document signed before a refund that counts from earlier undoes nothing`() throws {
    let refund = A.notification(
      "REFUND", at: 12, status: 5, A.transaction(signed: 12, changing: A.taken(10)))
    let between = A.notification(
      "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", at: 11, A.transaction(signed: 11),
      A.renewal(signed: 11, renews: false))
    try withAppStore(A.bought, between, refund) { ledger in
      try expect(ledger, on: [9], notOn: [10, 11, 20])
    }
  }

  @Test func `STORE-34: of two documents of one instant the stricter one holds`() throws {
    let on = A.notification(
      "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", at: 10, A.transaction(signed: 10),
      A.renewal(signed: 10))
    let off = A.notification(
      "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", at: 10, A.transaction(signed: 10),
      A.renewal(signed: 10, renews: false))
    let refund = A.notification(
      "REFUND", at: 10, status: 5, A.transaction(signed: 10, changing: A.taken(10)))
    try withAppStore(A.bought, on, off, refund) { ledger in
      try expect(ledger, on: [9], notOn: [10, 20])
    }
    try withAppStore(A.bought, on, off) { ledger in
      #expect(try membership(ledger, at: 20).status == .canceling)
      try expect(ledger, on: [30], notOn: [31])
    }
  }

  @Test func `renewal turned off keeps the period that is paid for`() throws {
    let off = A.notification(
      "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", at: 10, A.transaction(signed: 10),
      A.renewal(signed: 10, renews: false))
    let over = A.notification(
      "EXPIRED", "VOLUNTARY", at: 31.1, status: 2, A.transaction(signed: 31.1),
      A.renewal(signed: 31.1, renews: false, changing: ["expirationIntent": "1"]))
    try withAppStore(A.bought, off, over) { ledger in
      try expect(ledger, on: [30], notOn: [31, 40])
      #expect(try membership(ledger, at: 20).cancelAt == day(31))
      #expect(try membership(ledger, at: 40).status == .canceled)
      #expect(try reason(ledger, at: 40) == .cancelled)
    }
  }

  @Test func `STORE-11: subscribing again after the end gives the new period, not the gap`() throws
  {
    let over = A.notification(
      "EXPIRED", "VOLUNTARY", at: 32, status: 2, A.transaction(signed: 32),
      A.renewal(signed: 32, renews: false, changing: ["expirationIntent": "1"]))
    let again = A.notification(
      "SUBSCRIBED", "RESUBSCRIBE", at: 50, A.transaction(2001, 50, 80, signed: 50),
      A.renewal(80, signed: 50))
    try withAppStore(A.bought, over, again) { ledger in
      try expect(ledger, on: [30, 50, 79], notOn: [31, 49, 80])
      #expect(try membership(ledger, at: 60).status == .active)
    }
  }

  @Test func `grace keeps access while the payment fails, and no longer`() throws {
    let grace = ["gracePeriodExpiresDate": A.milliseconds(47), "isInBillingRetryPeriod": "true"]
    let failed = A.notification(
      "DID_FAIL_TO_RENEW", "GRACE_PERIOD", at: 31, status: 4, A.transaction(signed: 31),
      A.renewal(signed: 31, changing: grace))
    let expired = A.notification(
      "GRACE_PERIOD_EXPIRED", at: 47, status: 3, A.transaction(signed: 47),
      A.renewal(signed: 47, changing: grace))
    let ended = A.notification(
      "EXPIRED", "BILLING_RETRY", at: 91, status: 2, A.transaction(signed: 91),
      A.renewal(signed: 91, renews: false, changing: ["expirationIntent": "2"]))
    try withAppStore(A.bought, failed, expired, ended) { ledger in
      try expect(ledger, on: [30, 31, 46], notOn: [47, 90, 95])
      #expect(try reason(ledger, at: 40) == .grace)
      #expect(try membership(ledger, at: 40).status == .pastDue)
      #expect(try membership(ledger, at: 95).status == .expired)
    }
    let recovered = A.notification(
      "DID_RENEW", "BILLING_RECOVERY", at: 40, A.transaction(2001, 31, 61, signed: 40),
      A.renewal(61, signed: 40))
    try withAppStore(A.bought, failed, recovered) { ledger in
      try expect(ledger, on: [30, 31, 40, 60], notOn: [61])
      #expect(try membership(ledger, at: 50).status == .active)
    }
  }

  @Test func `STORE-44: billing retry without grace gives no access`() throws {
    let failed = A.notification(
      "DID_FAIL_TO_RENEW", at: 31, status: 3, A.transaction(signed: 31),
      A.renewal(signed: 31, changing: ["isInBillingRetryPeriod": "true"]))
    try withAppStore(A.bought, failed) { ledger in
      try expect(ledger, on: [30], notOn: [31, 40])
      #expect(try membership(ledger, at: 40).status == .pastDue)
    }
  }

  @Test func `STORE-5: what was upgraded gives nothing, however long it would have lasted`() throws
  {
    let yearly = A.notification(
      "SUBSCRIBED", "INITIAL_BUY", at: 1,
      A.transaction(2000, 1, 366, signed: 1, product: "com.example.basic"),
      A.renewal(366, signed: 1, product: "com.example.basic"))
    let upgrade = A.notification(
      "DID_CHANGE_RENEWAL_PREF", "UPGRADE", at: 10, A.transaction(2001, 10, 40, signed: 10),
      A.renewal(40, signed: 10))
    let former = """
      {"signedTransactions": [\(A.transaction(
        2000, 1, 366, signed: 12, product: "com.example.basic", changing: ["isUpgraded": "true"]))]}
      """
    try withAppStore(yearly, upgrade, former) { ledger in
      try expect(ledger, on: [1, 9, 10, 39], notOn: [40, 100])
      try expect(ledger, "archive", on: [10, 39], notOn: [9, 40])
    }
    try withAppStore(yearly, upgrade) { ledger in
      try expect(ledger, on: [9, 39], notOn: [40, 100])
      #expect(try membership(ledger, at: 20).product == "pro")
    }
  }

  @Test func `STORE-28: a downgrade is pending until the renewal`() throws {
    let planned = A.notification(
      "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", at: 10, A.transaction(signed: 10),
      A.renewal(signed: 10, changing: ["autoRenewProductId": "\"com.example.basic\""]))
    let next = A.notification(
      "DID_RENEW", at: 31,
      A.transaction(2001, 31, 61, signed: 31, product: "com.example.basic"),
      A.renewal(61, signed: 31, product: "com.example.basic"))
    try withAppStore(A.bought, planned, next) { ledger in
      #expect(try membership(ledger, at: 20).product == "pro")
      #expect(try membership(ledger, at: 20).pendingChange?.to?.product == "basic")
      #expect(try membership(ledger, at: 40).product == "basic")
      #expect(try membership(ledger, at: 40).pendingChange == nil)
      try expect(ledger, "archive", on: [30], notOn: [31])
    }
    let back = A.notification(
      "DID_CHANGE_RENEWAL_PREF", at: 12, A.transaction(signed: 12), A.renewal(signed: 12))
    try withAppStore(A.bought, planned, back) { ledger in
      try #expect(membership(ledger, at: 11).pendingChange != nil)
      try #expect(membership(ledger, at: 20).pendingChange == nil)
    }
  }

  @Test func `an extension moves the end of the period`() throws {
    let extended = A.notification(
      "RENEWAL_EXTENDED", at: 10, A.transaction(signed: 10), A.renewal(45, signed: 10))
    try withAppStore(A.bought, extended) { ledger in
      try expect(ledger, on: [30, 44], notOn: [45])
    }
  }

  @Test func `STORE-37: sandbox purchases are taken, and grant nothing in production`() throws {
    let changes = ["environment": "\"Sandbox\""]
    let test = A.notification(
      "SUBSCRIBED", "INITIAL_BUY", at: 1, A.transaction(signed: 1, changing: changes),
      A.renewal(signed: 1, changing: changes), environment: "Sandbox")
    try withAppStore(test) { ledger in
      try expect(ledger, notOn: [10])
      let decision = try ledger.decision(
        for: A.customer, on: "premium", at: day(10), in: .sandbox)
      #expect(decision.isEntitled)
    }
  }

  @Test func `STORE-62, STORE-67: one purchase told by several routes is one transaction`() throws {
    let handed = #"{"signedTransactionInfo": \#(A.transaction(signed: 1.01))}"#
    let answer = """
      {"data": [{"lastTransactions": [{"status": 1, "signedTransactionInfo":
       \(A.transaction(signed: 3)), "signedRenewalInfo": \(A.renewal(signed: 3))}]}]}
      """
    try withAppStore(handed, A.bought, answer) { ledger in
      try expect(ledger, on: [1, 30], notOn: [31])
      #expect(try ledger.entitlements(of: A.customer, at: day(10)).count == 2)
      #expect(try membership(ledger, at: 10).createdAt == day(1))
    }
  }

  @Test func `STORE-61: a refund and the end after it leave one reason`() throws {
    let refund = A.notification(
      "REFUND", at: 10, status: 5, A.transaction(signed: 10, changing: A.taken(10)))
    let over = A.notification(
      "EXPIRED", at: 31.5, status: 2, A.transaction(signed: 31.5, changing: A.taken(10)),
      A.renewal(signed: 31.5, renews: false, changing: ["expirationIntent": "5"]))
    try withAppStore(A.bought, refund, over) { ledger in
      try expect(ledger, on: [9], notOn: [10, 20, 40])
      #expect(try reason(ledger, at: 20) == .refunded)
      #expect(try reason(ledger, at: 40) == .refunded)
    }
  }

  @Test func `STORE-40: what is shared in a family says so`() throws {
    let shared = A.notification(
      "SUBSCRIBED", "INITIAL_BUY", at: 1,
      A.transaction(signed: 1, changing: ["inAppOwnershipType": "\"FAMILY_SHARED\""]),
      A.renewal(signed: 1))
    try withAppStore(shared) { ledger in
      #expect(try membership(ledger, at: 10).ownership == .familyShared)
      try expect(ledger, on: [10])
    }
  }

  @Test func `a lifetime purchase lasts from when it was bought, and stays refunded`() throws {
    let changes = [
      "type": "\"Non-Consumable\"", "expiresDate": "null", "transactionReason": "\"PURCHASE\"",
    ]
    let charge = A.notification(
      "ONE_TIME_CHARGE", at: 2, A.transaction(signed: 2, changing: changes))
    let refund = A.notification(
      "REFUND", at: 20, A.transaction(signed: 20, changing: changes.merging(A.taken(20)) { $1 }))
    // A restore of it gives it a new id, signed before the refund.
    let restored = """
      {"signedTransactionInfo": \(A.transaction(2005, 1, 31, signed: 15, changing: changes))}
      """
    try withAppStore(charge) { ledger in
      try expect(ledger, on: [1, 300], notOn: [0])
      #expect(try membership(ledger, at: 10).status == .completed)
    }
    try withAppStore(charge, restored, refund) { ledger in
      try expect(ledger, on: [1, 19], notOn: [20, 300])
    }
  }

  @Test func `each part of a document counts by its own time`() throws {
    // The envelope is newer, what it holds is older.
    let stale = A.notification(
      "PRICE_INCREASE", "ACCEPTED", at: 20, A.transaction(signed: 5), A.renewal(signed: 5))
    let off = A.notification(
      "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", at: 10, A.transaction(signed: 10),
      A.renewal(signed: 10, renews: false))
    let refund = A.notification(
      "REFUND", at: 12, status: 5, A.transaction(signed: 12, changing: A.taken(12)))
    try withAppStore(A.bought, off, stale) { ledger in
      try #expect(membership(ledger, at: 25).cancelAt == day(31))
    }
    try withAppStore(A.bought, refund, stale) { ledger in
      try expect(ledger, on: [11], notOn: [12, 25])
    }
  }
}
