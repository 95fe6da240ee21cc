import LedgerTestSupport
import MembershipModel
import MembershipProviders
import Testing

/// Documents damaged at random must be read to events that can be recorded, or be refused.
@Suite struct AppStoreHostileTests {
  typealias A = AppStoreFixture

  private static let taken: JSONValue = [
    "revocationDate": 1_768_000_000_000, "revocationReason": 0,
    "revocationType": "REFUND_PRORATED", "revocationPercentage": 33_333,
    "appAccountToken": "7E3FB20B-4CDB-47CC-936D-99D65F608138", "offerType": 1,
    "offerDiscountType": "FREE_TRIAL", "isUpgraded": true, "previousOriginalTransactionId": "1",
  ]
  private static let coming: JSONValue = [
    "gracePeriodExpiresDate": 1_771_000_000_000, "expirationIntent": 2,
    "isInBillingRetryPeriod": true,
  ]

  static let documents: [JSONValue] = [
    A.notification("SUBSCRIBED", "INITIAL_BUY", A.transaction(), A.renewal(), status: 1),
    A.notification("REFUND", nil, A.transaction(changing: taken), A.renewal(), status: 5),
    A.notification(
      "DID_FAIL_TO_RENEW", "GRACE_PERIOD", A.transaction(), A.renewal(changing: coming), status: 4),
    A.notification(
      "EXPIRED", "VOLUNTARY", A.transaction(), A.renewal(renews: false, changing: coming),
      status: 2),
    A.notification(
      "DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", A.transaction(), A.renewal(next: "basic"), status: 1),
    A.notification("RENEWAL_EXTENDED", nil, A.transaction(), A.renewal(at: A.april), status: 1),
    A.notification(
      "RENEWAL_EXTENSION", "SUMMARY",
      changing: ["succeededCount": 5, "failedCount": 1, "productId": "x"], scope: "summary"),
    A.notification("TEST"),
    ["signedTransactions": [A.transaction(), A.transaction(changing: taken)]],
    [
      "data": [
        [
          "lastTransactions": [
            [
              "status": 1, "signedTransactionInfo": A.transaction(),
              "signedRenewalInfo": A.renewal(),
            ]
          ]
        ]
      ]
    ],
    ["notificationHistory": [A.notification("TEST")]],
    A.transaction(changing: ["type": "Non-Renewing Subscription"]), A.renewal(),
  ]

  static let poison: [JSONValue] = [
    .null, true, false, 0, 1, -1, .integer(.max), .integer(.min), 253_402_300_800_000, "", "x",
    "\u{0}", "a.b.c", "..", "e30.e30.", "app-store:1", [], [:], [[]], [nil], [[:]],
    .string(String(repeating: "ä", count: 300)), .array(Array(repeating: [:], count: 1200)),
    "Production", "Sandbox", "PURCHASED", "RENEWAL", "Consumable", "JPY", "KWD", 100_000,
  ]

  private static let damage = DocumentDamage(poison: poison) { body in
    A.trusting.read(ProviderDocument(body: body, receivedAt: A.now, observedAt: A.now))
  }

  @Test(arguments: 0..<UInt64(8))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    for document in Self.documents {
      try Self.damage.damageFields(of: document, seed: seed, times: 20)
    }
  }

  @Test(arguments: 100..<UInt64(104))
  func `no damage to the bytes of a document traps`(seed: UInt64) throws {
    for document in Self.documents {
      try Self.damage.changeBytes(of: document, seed: seed, times: 10)
    }
  }

  @Test func `each field may be anything, alone`() throws {
    for document in Self.documents { try Self.damage.poisonNodes(of: document) }
  }

  @Test func `deep, large and doubled input is refused`() {
    func code(_ body: String) -> Refusal.Code? {
      let document = ProviderDocument(body: Array(body.utf8), receivedAt: A.now)
      if case .refused(let refusal) = A.trusting.read(document) { return refusal.code }
      return nil
    }
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(code("{\"signedPayload\":\(deep)}") == .unreadable)
    #expect(code("{\"signedPayload\":\"a\",\"signedPayload\":\"b\"}") == .unreadable)
    #expect(code("{\"signedPayload\":1e400}") == .unreadable)
    #expect(code(String(repeating: "e", count: 17 << 20) + "..") == .unreadable)
    let invalid = ProviderDocument(
      body: Array("{\"signedPayload\":\"".utf8) + [0xff, 0x22, 0x7d], receivedAt: A.now)
    #expect(A.trusting.read(invalid) != .events([]))
  }
}
