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

  @Test(arguments: 0..<UInt64(8))
  func `no damage to a document traps, and what is read can be recorded`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for document in Self.documents {
      for _ in 0..<20 {
        var damaged = document
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          damaged = damage(damaged, using: &random)
        }
        try expectReadable(Array(damaged.text().utf8), seed)
      }
    }
  }

  @Test(arguments: 100..<UInt64(104))
  func `no damage to the bytes of a document traps`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for document in Self.documents {
      for _ in 0..<10 {
        var bytes = Array(document.text().utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = bytes.indices.randomElement(using: &random) ?? 0
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.remove(at: index)
          default: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: index)
          }
        }
        try expectReadable(bytes, seed)
      }
    }
  }

  @Test func `each field may be anything, alone`() throws {
    for document in Self.documents {
      for value in Self.poison {
        for variant in variants(of: document, value) {
          try expectReadable(Array(variant.text().utf8), 0)
        }
      }
    }
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

  private func expectReadable(_ body: [UInt8], _ seed: UInt64) throws {
    let document = ProviderDocument(body: body, receivedAt: A.now, observedAt: A.now)
    guard case .events(let events) = A.trusting.read(document) else { return }
    for event in events {
      let record = event.encoded()
      // Decoding checks every rule of the model.
      let isSound =
        record.count < RecordedEvent.maximumSize && !event.facts.isEmpty
        && (try? Event(decoding: record))?.encoded() == record
      #expect(isSound, "seed \(seed): \(String(decoding: body, as: UTF8.self))")
    }
  }

  /// The value with each of its nodes replaced in turn.
  private func variants(of value: JSONValue, _ poison: JSONValue) -> [JSONValue] {
    switch value {
    case .object(let fields):
      return fields.indices.flatMap { index in
        ([poison] + variants(of: fields[index].value, poison)).map { changed in
          var copy = fields
          copy[index] = .init(fields[index].key, changed)
          return .object(copy)
        }
      }
    case .array(let elements):
      return elements.indices.flatMap { index in
        ([poison] + variants(of: elements[index], poison)).map { changed in
          var copy = elements
          copy[index] = changed
          return .array(copy)
        }
      }
    default:
      return []
    }
  }

  /// Replaces or removes one node, reached by a random walk.
  private func damage(_ value: JSONValue, using random: inout SeededGenerator) -> JSONValue {
    let descends = Int.random(in: 0..<8, using: &random) > 0
    switch value {
    case .object(var fields) where descends && !fields.isEmpty:
      let index = Int.random(in: 0..<fields.count, using: &random)
      if Int.random(in: 0..<10, using: &random) == 0 {
        fields.remove(at: index)
      } else {
        fields[index] = .init(fields[index].key, damage(fields[index].value, using: &random))
      }
      return .object(fields)
    case .array(var elements) where descends && !elements.isEmpty:
      let index = Int.random(in: 0..<elements.count, using: &random)
      elements[index] = damage(elements[index], using: &random)
      return .array(elements)
    default:
      return Self.poison.randomElement(using: &random) ?? .null
    }
  }
}
