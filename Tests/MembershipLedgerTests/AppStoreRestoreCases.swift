import LedgerTestSupport
import MembershipLedger
import MembershipProviders
import Testing

/// Cases of the App Store about restoring, waiting and changing, from its documents to the answers.
@Suite struct AppStoreRestoreCases {
  typealias A = AppStoreHook

  private static let other = "5a2f2c8e-9d0b-4a57-8f25-0f4a1c9e7b11"
  private static let both: [CustomerID] = [A.customer, CustomerID(stringLiteral: other)]

  private func requests(_ documents: [String]) -> [AppendRequest] {
    documents.flatMap { document in
      A.events([document]).map { AppendRequest($0, document: Array(document.utf8)) }
    }
  }

  /// What an app hands over that was asked to restore: transactions as the device has them.
  private func history(_ transactions: String...) -> String {
    #"{"signedTransactions": [\#(transactions.joined(separator: ", "))]}"#
  }

  private func withBuyer(
    _ rule: Policy.RestoreRule, now number: Int64, _ documents: String...,
    body: (Ledger) throws -> Void
  ) throws {
    try withLedger(TestClock(day(number))) { ledger in
      try ledger.add(A.catalog)
      let revision = PolicyRevision(policy: Policy(restores: rule))
      try ledger.add(Make.manual("manual:policy", at: day(0), .policyRevised(revision)))
      try ledger.add(all: A.events(documents))
      try body(ledger)
      try expectSound(ledger)
    }
  }

  private func entitled(_ ledger: Ledger, on number: Int64) throws -> [CustomerID] {
    try Self.both.filter {
      try ledger.decision(for: $0, on: "premium", at: day(number)).isEntitled
    }
  }

  @Test func `STORE-7: the newest signed state counts, and what is pending shows as pending`()
    throws
  {
    // The former purchase is delivered once more beside the upgrade that is already known.
    let upgraded = A.notification(
      "DID_CHANGE_RENEWAL_PREF", "UPGRADE", at: 10,
      A.transaction(2002, 10, 40, signed: 10, product: "com.example.basic"),
      A.renewal(40, signed: 10, product: "com.example.basic"))
    let former = #"{"signedTransactionInfo": \#(A.transaction(signed: 2))}"#
    try withAppStore(A.bought, upgraded, former) { ledger in
      let shown = try ledger.memberships(of: A.customer, at: day(12))
      #expect(shown.map(\.product) == ["basic"])
      #expect(shown.first?.currentPeriodEnd == day(40))
      #expect(shown.first?.pendingChange == nil)
    }
    let planned = A.notification(
      "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", at: 10, A.transaction(signed: 10),
      A.renewal(signed: 10, changing: ["autoRenewProductId": "\"com.example.basic\""]))
    try withAppStore(A.bought, planned, former) { ledger in
      let shown = try #require(try ledger.memberships(of: A.customer, at: day(12)).first)
      #expect(shown.product == "pro")
      #expect(shown.pendingChange?.to?.product == "basic")
    }
  }

  @Test func `STORE-13: a subscription that is long over is told as expired, and gives nothing`()
    throws
  {
    try withBuyer(.transfer, now: 100, A.bought) { ledger in
      let report = try ledger.restore(
        requests([history(A.transaction(signed: 99))]), to: Self.both[1])
      #expect(report.results.map(\.outcome) == [.expired])
      #expect(try entitled(ledger, on: 100) == [])
      // Whose it was in its time stays as it was.
      #expect(try entitled(ledger, on: 10) == [A.customer])
    }
  }

  @Test func `STORE-14: a device without purchases has a result: nothing was found`() throws {
    try withBuyer(.transfer, now: 10, A.bought) { ledger in
      let report = try ledger.restore(requests([history()]), to: Self.both[1])
      #expect(report.results.map(\.outcome) == [.nothingFound])
      #expect(report.receipts.count == 1)
      #expect(try entitled(ledger, on: 10) == [A.customer])
    }
  }

  @Test(arguments: [
    (Policy.RestoreRule.transfer, 1), (.keepWithOwner, 0), (.transferIfInactive, 0),
  ])
  func `STORE-16: who has it after a restore by another user is the policy's rule, by one event`(
    _ rule: Policy.RestoreRule, _ owner: Int
  ) throws {
    try withBuyer(rule, now: 10, A.bought) { ledger in
      let before = try ledger.lastPosition()
      let report = try ledger.restore(
        requests([history(A.transaction(signed: 9))]), to: Self.both[1])
      #expect(try ledger.lastPosition().rawValue == before.rawValue + 1)
      #expect(report.results.map(\.outcome) == [owner == 1 ? .transferredFrom : .ownedByAnother])
      #expect(report.results.first?.otherCustomer == A.customer)
      #expect(try entitled(ledger, on: 10) == [Self.both[owner]])
    }
  }

  @Test func `STORE-17: of two users of one device each has what the app's token names`() throws {
    let second = A.notification(
      "SUBSCRIBED", "INITIAL_BUY", at: 5,
      A.transaction(
        3000, 5, 35, signed: 5,
        changing: [
          "originalTransactionId": "\"3000\"", "appAccountToken": "\"\(Self.other)\"",
        ]),
      A.renewal(35, signed: 5, changing: ["originalTransactionId": "\"3000\""]))
    try withBuyer(.keepWithOwner, now: 10, A.bought, second) { (ledger) throws in
      #expect(try entitled(ledger, on: 10) == Self.both)
      #expect(try ledger.memberships(of: A.customer).map(\.id) == ["app-store:2000"])
      #expect(try ledger.memberships(of: Self.both[1]).map(\.id) == ["app-store:3000"])
    }
  }

  @Test func `STORE-41: a purchase that a parent allows later counts from when it is made`() throws
  {
    // Until then the App Store sends nothing: there is nothing that could grant.
    try withBuyer(.keepWithOwner, now: 3) { ledger in
      #expect(try entitled(ledger, on: 3) == [])
      try ledger.add(
        all: A.events([
          A.notification(
            "SUBSCRIBED", "INITIAL_BUY", at: 4, A.transaction(2000, 4, 34, signed: 4),
            A.renewal(34, signed: 4))
        ]))
      #expect(try entitled(ledger, on: 3) == [])
      #expect(try entitled(ledger, on: 4) == [A.customer])
    }
  }

  @Test func `STORE-47: until the renewal is told, one that renews is trusted as the policy says`()
    throws
  {
    let rule = Policy(providers: [
      .init(provider: .appStore, renewalToleranceMilliseconds: 3_600_000)
    ])
    for (documents, isOpen) in [([A.bought], true), ([A.bought, canceled], false)] {
      try withLedger(TestClock(day(31))) { ledger in
        try ledger.add(A.catalog)
        let revision = PolicyRevision(policy: rule)
        try ledger.add(Make.manual("manual:policy", at: day(0), .policyRevised(revision)))
        try ledger.add(all: A.events(documents))
        let premium = try ledger.entitlement("premium")
        for (milliseconds, expected) in [(3_599_999, isOpen), (3_600_000, false)]
          as [(Int64, Bool)]
        {
          #expect(
            try ledger.isEntitled(
              A.customer.rawValue, to: premium, at: day(31).adding(milliseconds: milliseconds))
              == expected)
        }
        let shown = try ledger.memberships(of: A.customer, at: day(31))
        #expect(shown.first?.isActive == isOpen)
        // The renewal comes minutes late, and there was no gap.
        if isOpen {
          try ledger.add(all: A.events([A.renewed]))
          #expect(try entitled(ledger, on: 31) == [A.customer])
        }
      }
    }
  }

  private var canceled: String {
    A.notification(
      "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", at: 5, A.transaction(signed: 5),
      A.renewal(signed: 5, renews: false))
  }
}
