import LedgerTestSupport
import MembershipLedger
import Testing

/// A provider's own list of entitlements: compared, never trusted.
@Suite("Claims") struct ClaimTests {
  private func summary(
    _ keys: [String], at day: Double, isWhole: Bool = true, customer: String = "cus_1"
  ) -> [AppendRequest] {
    let features = keys.map { #"{"id": "ent_\#($0)", "lookup_key": "\#($0)"}"# }
    let hook = StripeHook(
      "summary", "entitlements.active_entitlement_summary.updated", at: day,
      """
      {"object": "entitlements.active_entitlement_summary", "customer": "\(customer)",
       "livemode": true, "entitlements": {"object": "list", "has_more": \(!isWhole),
       "data": [\(features.joined(separator: ", "))]}}
      """)
    return StoreReading.requests(String(decoding: hook.body, as: UTF8.self), on: Int64(day))
  }

  @Test func `a list that says what the ledger says is agreement`() throws {
    try withOwner { ledger, _ in
      let report = try ledger.reconcile(summary(["archive", "premium"], at: 2), of: .stripe)
      #expect(report.claims.isEmpty && report.drifts.isEmpty && report.documents == 1)
    }
  }

  @Test func `what only one side has is reported, and decides nothing`() throws {
    try withOwner { ledger, _ in
      let position = try ledger.lastPosition()
      let claim = try #require(
        try ledger.reconcile(summary(["export"], at: 2), of: .stripe).claims.first)
      #expect(claim.customer == "user_1")
      #expect(claim.onlyAtProvider == ["export"] && claim.onlyInLedger == ["archive", "premium"])
      try #expect(ledger.lastPosition() == position)
      try #expect(
        ledger.entitlements(of: "user_1", at: day(2)).map(\.entitlement).sorted() == [
          "archive", "premium",
        ])
    }
  }

  @Test func `a list that is not whole misses nothing`() throws {
    try withOwner { ledger, _ in
      let requests = summary(["export"], at: 2, isWhole: false)
      let claim = try #require(try ledger.reconcile(requests, of: .stripe).claims.first)
      #expect(claim.onlyAtProvider == ["export"] && claim.onlyInLedger.isEmpty)
      #expect(!claim.isComplete)
      try #expect(
        ledger.reconcile(summary([], at: 2, isWhole: false), of: .stripe).claims.isEmpty)
    }
  }

  @Test func `a list is compared with the answer at its own instant`() throws {
    try withOwner { ledger, _ in
      try #expect(ledger.reconcile(summary([], at: 0), of: .stripe).claims.isEmpty)
      try #expect(ledger.reconcile(summary([], at: 2), of: .stripe).claims.count == 1)
      try #expect(ledger.reconcile(summary([], at: 40), of: .stripe).claims.isEmpty)
    }
  }

  @Test func `what is given by hand is not the provider's to list`() throws {
    try withOwner { ledger, _ in
      try ledger.add(Make.grant("g1", of: "export", to: "user_1", from: day(1)))
      try #expect(
        ledger.reconcile(summary(["archive", "premium"], at: 2), of: .stripe).claims.isEmpty)
    }
  }
}
