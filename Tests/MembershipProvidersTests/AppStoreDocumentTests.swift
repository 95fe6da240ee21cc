import MembershipModel
import MembershipProviders
import Testing

/// Transactions, renewal infos and answers by themselves, and what hints and prices become.
@Suite struct AppStoreDocumentTests {
  typealias A = AppStoreFixture

  private func single(_ transaction: JSONValue) throws -> Event {
    try A.event(in: ["signedTransactionInfo": transaction])
  }

  private func code(_ json: JSONValue, _ adapter: AppStoreAdapter = A.trusting) -> Refusal.Code? {
    if case .refused(let refusal) = adapter.read(A.document(json)) { refusal.code } else { nil }
  }

  @Test func `a transaction by itself is the one that its notification states`() throws {
    let event = try single(A.transaction(signedAt: A.at("2026-01-10")))
    let sent = try A.event(
      in: A.notification("SUBSCRIBED", "INITIAL_BUY", A.transaction(), A.renewal(), status: 1))
    #expect(event.facts.transactions == sent.facts.transactions)
    #expect(event.effectiveAt == A.january)
    #expect(event.ordering.writtenAt == A.at("2026-01-10"))
    #expect(event.provenance.origin == .reconcile)
  }

  @Test func `the id of a payload without one follows from what it says`() throws {
    let ids = try [
      A.transaction(), A.transaction(), A.transaction(signedAt: A.march),
      A.transaction(changing: ["isUpgraded": true]),
    ].map { try single($0).id }
    #expect(ids[0] == ids[1])
    #expect(Set(ids).count == 3)
    #expect(ids[0].rawValue.hasPrefix("app-store:2000@"))
  }

  @Test func `the token of the app names the customer, in lower case`() throws {
    let event = try single(A.transaction(changing: ["appAccountToken": .string(A.token)]))
    let customer = CustomerID(unchecked: A.token.lowercased())
    #expect(event.customer == customer)
    #expect(event.account == "app-store:2000")
    #expect(
      event.facts.last?.body
        == .accountLinked(AccountLink(account: "app-store:2000", customer: customer)))
    let zeros = try single(
      A.transaction(changing: ["appAccountToken": "00000000-0000-0000-0000-000000000000"]))
    #expect(zeros.customer == nil)
    let renewal = A.renewal(changing: ["appAccountToken": .string(A.token)])
    #expect(try A.event(in: ["signedRenewalInfo": renewal]).customer == customer)
  }

  @Test func `what is bought once keeps its first id, even where a restore made a new one`() throws
  {
    let restored = try single(
      A.transaction(
        "3001", original: "3000", to: nil, changing: ["type": "Non-Consumable"]))
    #expect(restored.facts.transactions.first?.id == "app-store:3000")
    #expect(restored.facts.map(\.body.name) == ["purchased"])
  }

  @Test func `a non-renewing subscription lasts as long as the service says, else not at all`()
    throws
  {
    func bought(_ product: String) throws -> Event {
      try single(
        A.transaction(
          "4000", original: "4000", product: product, to: nil,
          changing: ["type": "Non-Renewing Subscription"]))
    }
    let known = try bought("com.example.season")
    #expect(known.facts.transactions.first?.period == Period(start: A.january, end: A.february))
    #expect(known.facts.notes.isEmpty)
    let unknown = try bought("com.example.other")
    #expect(unknown.facts.transactions.first?.period?.isEmpty == true)
    #expect(unknown.facts.notes.count == 1)
  }

  @Test func `prices are exact, or there is none`() throws {
    for (price, currency, amount) in [
      (9990, "USD", 999), (9995, "USD", nil), (1_000_000, "JPY", 1000), (1500, "JPY", nil),
      (1234, "KWD", 1234), (10, "XYZ", nil), (-1, "USD", nil), (.max, "KWD", nil),
    ] as [(Int64, String, Int64?)] {
      let event = try single(
        A.transaction(changing: ["price": .integer(price), "currency": .string(currency)]))
      #expect(event.facts.transactions.first?.amount?.minorUnits == amount, "\(price) \(currency)")
      #expect(event.facts.notes.isEmpty == (amount != nil))
    }
  }

  @Test func `a transaction of unknown type or without an end gives nothing, and is noted`() throws
  {
    for changes in [
      ["type": "Rental"], ["type": nil], ["expiresDate": nil], ["expiresDate": 5],
      ["purchaseDate": nil, "originalPurchaseDate": nil], ["quantity": 0],
      ["expiresDate": "2026-02-01"],
    ] as [JSONValue] {
      let event = try single(A.transaction(changing: changes))
      #expect(event.facts.map(\.body.name) == ["noted"], "\(changes)")
    }
  }

  @Test func `an upgraded transaction gives nothing any more`() throws {
    let event = try single(
      A.transaction(signedAt: A.at("2026-01-10"), changing: ["isUpgraded": true]))
    #expect(event.facts.transactions.first?.isIntact == false)
    #expect(
      event.facts.last?.body
        == .accessRevoked(
          AccessRevocation(
            transaction: "app-store:2000", at: A.at("2026-01-10"), reason: "upgraded")))
  }

  @Test func `an answer with statuses is one event for each subscription`() throws {
    let answer: JSONValue = [
      "environment": "Production", "bundleId": .string(A.bundle), "appAppleId": 41_234,
      "data": [
        [
          "subscriptionGroupIdentifier": "21000000",
          "lastTransactions": [
            [
              "status": 1, "originalTransactionId": "2000",
              "signedTransactionInfo": A.transaction(), "signedRenewalInfo": A.renewal(),
            ],
            [
              // Nobody signs the status: what is signed decides.
              "status": 1, "originalTransactionId": "5000",
              "signedTransactionInfo": A.transaction("5000", original: "5000"),
              "signedRenewalInfo": A.renewal(
                original: "5000", renews: false, signedAt: A.march,
                changing: ["expirationIntent": 1]),
            ],
          ],
        ]
      ],
    ]
    let events = try A.events(in: answer)
    #expect(events.map(\.account) == ["app-store:2000", "app-store:5000"])
    #expect(
      events.map { $0.facts.map(\.body.name) } == [
        ["purchased", "observed", "planChangeWithdrawn"], ["purchased", "observed", "ended"],
      ])
    #expect(events.allSatisfy { $0.provenance.origin == .reconcile })
  }

  @Test func `a history is one event for each transaction`() throws {
    let answer: JSONValue = [
      "revision": "r", "hasMore": true, "bundleId": .string(A.bundle),
      "signedTransactions": [
        A.transaction(), A.transaction("2001", from: A.february, to: A.march),
      ],
    ]
    let names = try A.events(in: answer).map { $0.facts.map(\.body.name) }
    #expect(names == [["purchased"], ["renewed"]])
    #expect(try A.events(in: ["signedTransactions": []]).isEmpty)
  }

  @Test func `a renewal info by itself tells what is to come`() throws {
    let off = A.renewal(renews: false, signedAt: A.at("2026-01-10"))
    #expect(
      try A.names(["signedRenewalInfo": off])
        == ["observed", "cancellationScheduled", "planChangeWithdrawn"])
  }

  @Test func `sandbox is sandbox, and so is what does not say that its money is real`() throws {
    for (name, environment) in [
      ("Production", .production), ("Sandbox", .sandbox), ("Staging", .sandbox),
      ("Xcode", .sandbox), ("LocalTesting", .sandbox),
    ] as [(JSONValue, Environment)] {
      let event = try single(A.transaction(changing: ["environment": name]))
      #expect(event.environment == environment)
    }
    #expect(try single(A.transaction(changing: ["environment": nil])).environment == .sandbox)
    let token = A.notification(
      "EXTERNAL_PURCHASE_TOKEN", "CREATED",
      changing: ["externalPurchaseId": "SANDBOX_1", "environment": nil],
      scope: "externalPurchaseToken")
    #expect(try A.event(in: token).environment == .sandbox)
  }

  @Test func `what is not signed is refused unless it is trusted`() throws {
    let strict = AppStoreAdapter(bundleID: A.bundle)
    #expect(code(["signedTransactionInfo": A.transaction()], strict) == .missingSignature)
    #expect(code(A.notification("TEST"), strict) == .missingSignature)
    #expect(code(A.transaction(), strict) == .wrongShape)
    #expect(code(A.transaction()) == nil)
    #expect(code(["signedPayload": "a.b.c"], strict) == .malformed)
    #expect(code(["signedPayload": 7], strict) == .malformed)
    #expect(code(["hello": "world"], strict) == .wrongShape)
    #expect(code([], strict) == .wrongShape)
    for body in ["", "{", "ewoicHVyY2hhc2UtaW5mbyI", "null"] {
      let reading = strict.read(ProviderDocument(body: Array(body.utf8), receivedAt: A.now))
      guard case .refused(let refusal) = reading else {
        Issue.record("\(body) is read")
        continue
      }
      #expect(refusal.code == (body == "null" ? .wrongShape : .unreadable))
    }
  }

  @Test func `a document without any time is refused unless it is known when it was seen`() {
    let transaction = A.transaction(changing: ["signedDate": nil])
    #expect(code(transaction) == .missingTime)
    let reading = A.trusting.read(A.document(transaction, observedAt: A.march))
    guard case .events(let events) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(events.first?.ordering.writtenAt == A.march)
  }

  @Test func `each part is written at its own time`() throws {
    let event = try A.event(
      in: A.notification(
        "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED",
        A.transaction(signedAt: A.at("2026-01-03")),
        A.renewal(renews: false, signedAt: A.at("2026-01-05")), status: 1,
        signedAt: A.at("2026-01-06")))
    #expect(event.effectiveAt == A.at("2026-01-05"))
    #expect(event.facts.map(\.writtenAt) == [A.at("2026-01-03"), nil, nil])
  }
}
