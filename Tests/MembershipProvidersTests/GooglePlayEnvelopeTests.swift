import FoundationEssentials
import MembershipModel
import MembershipProviders
import Testing

@Suite struct GooglePlayEnvelopeTests {
  typealias G = GooglePlay

  private func push(_ notification: JSONValue, changing changes: JSONValue = [:]) -> JSONValue {
    let message: JSONValue = [
      "attributes": [:], "messageId": "136969346945",
      "data": .string(Data(notification.text().utf8).base64EncodedString()),
      "publishTime": "2026-01-10T12:00:01Z",
    ]
    return [
      "message": message.with(changes), "subscription": "projects/p/subscriptions/s",
    ]
  }

  // MARK: Notifications

  @Test(arguments: [
    (1, "RECOVERED"), (2, "RENEWED"), (3, "CANCELED"), (4, "PURCHASED"), (5, "ON_HOLD"),
    (6, "IN_GRACE_PERIOD"), (7, "RESTARTED"), (8, "PRICE_CHANGE_CONFIRMED"), (9, "DEFERRED"),
    (10, "PAUSED"), (11, "PAUSE_SCHEDULE_CHANGED"), (12, "REVOKED"), (13, "EXPIRED"),
    (17, "ITEMS_CHANGED"), (18, "CANCELLATION_SCHEDULED"), (19, "PRICE_CHANGE_UPDATED"),
    (20, "PENDING_PURCHASE_CANCELED"), (22, "PRICE_STEP_UP_CONSENT_UPDATED"),
  ])
  func `a notification of a subscription is noted with what to fetch`(
    type: Int64, name: String
  ) throws {
    let notification = G.subscriptionNotification(type)
    for document in [notification, push(notification)] {
      let event = try G.event(in: document)
      let note = Note(
        type: "subscriptionNotification.\(name)", subject: "token_1",
        reason: "fetch purchases.subscriptionsv2 of the token and hand it over "
          + "(package com.example.app, token token_1)")
      #expect(event.facts == [Fact(.noted(note))])
      #expect(event.effectiveAt == (try G.time(G.seen)))
      #expect(event.account == "google-play:token_1")
    }
  }

  @Test(
    arguments: [
      (
        "oneTimeProductNotification",
        ["notificationType": 1, "purchaseToken": "token_1", "sku": "coins"],
        "oneTimeProductNotification.PURCHASED"
      ),
      (
        "oneTimeProductNotification",
        ["notificationType": 2, "purchaseToken": "token_1", "sku": "coins"],
        "oneTimeProductNotification.CANCELED"
      ),
      (
        "voidedPurchaseNotification",
        ["purchaseToken": "token_1", "orderId": "GS.1", "productType": 1, "refundType": 1],
        "voidedPurchaseNotification"
      ),
      (
        "pendingRefundReviewNotification", ["pendingRefundToken": "t", "orderId": "GS.1"],
        "pendingRefundReviewNotification"
      ),
      ("testNotification", ["version": "1.0"], "testNotification"),
      (
        "subscriptionNotification", ["notificationType": 14, "purchaseToken": "token_1"],
        "subscriptionNotification.14"
      ),
      ("subscriptionNotification", ["purchaseToken": "token_1"], "subscriptionNotification"),
      ("somethingNew", ["purchaseToken": "token_1"], "notification"),
    ] as [(String, JSONValue, String)])
  func `every other notification is noted under its name`(
    field: String, content: JSONValue, type: String
  ) throws {
    let event = try G.event(in: G.notification(field, content))
    #expect(G.names(event.facts) == ["noted"])
    #expect(event.facts.notes.map(\.type) == [type])
  }

  @Test func `a push is one event under its message's id`() throws {
    let event = try G.event(in: push(G.subscriptionNotification(4)))
    #expect(event.id == "google-play:136969346945")
    #expect(event.provenance.origin == .webhook)
    let bare = G.subscriptionNotification(4)
    #expect(try G.event(in: bare).id == G.event(in: bare).id)
    #expect(try G.event(in: bare).id != G.event(in: G.subscriptionNotification(3)).id)
  }

  @Test func `the time of a notification may be a number`() throws {
    let event = try G.event(
      in: G.subscriptionNotification(4).with(["eventTimeMillis": 1_503_349_566_168]))
    #expect(event.effectiveAt == Timestamp(milliseconds: 1_503_349_566_168))
  }

  // MARK: Refusals

  @Test func `what is no document of Google Play is refused, each for its reason`() throws {
    let subscription = G.subscription()
    for (document, code) in [
      ([:], .wrongShape), (["kind": "androidpublisher#subscriptionPurchaseV2"], .wrongShape),
      (subscription, .wrongShape), ([], .wrongShape), ("x", .wrongShape),
      (["message": [:]], .malformed), (push([:]), .wrongShape),
      (push([:], changing: ["data": "%%%"]), .malformed),
      (push([:], changing: ["data": .null]), .malformed),
      (push([:], changing: ["data": "e30"]), .malformed),
      (push([:], changing: ["messageId": ""]), .malformed),
      (push([:], changing: ["data": .string(Data("x".utf8).base64EncodedString())]), .unreadable),
      (G.subscriptionNotification(1).with(["eventTimeMillis": "soon"]), .missingTime),
      (G.subscriptionNotification(1).with(["packageName": 1]), .malformed),
      (G.fetched(subscription).without("purchaseToken"), .malformed),
      (
        G.fetched(subscription, token: String(repeating: "a", count: 500)), .malformed
      ),
      (G.fetched(subscription).without("observedAt"), .missingTime),
      (G.fetched(subscription).without("packageName"), .malformed),
      (G.fetched(subscription).with(["product": [:]]), .malformed),
      (G.fetched(subscription).with(["subscription": []]), .malformed),
      (["voidedPurchases": [:]], .malformed), (["voidedPurchases": [nil]], .malformed),
      (G.wrapped("voided", G.voided.without("voidedTimeMillis")), .missingTime),
      (G.wrapped("voided", G.voided, token: "token_9"), .malformed),
    ] as [(JSONValue, Refusal.Code)] {
      #expect(refusal(G.trusting.read(G.document(document))) == code, "\(document.text())")
    }
    let deep = String(repeating: "[", count: 200)
    for body in ["", "{", deep, #"{"message":1,"message":2}"#, "{\"a\":\"\u{0}\"}"] {
      let document = ProviderDocument(body: Array(body.utf8), receivedAt: at(0))
      #expect(refusal(G.trusting.read(document)) == .unreadable, "\(body)")
    }
  }

  @Test func `a resource without its own time is of the document's, or of its notification's`()
    throws
  {
    var document = G.document(G.fetched(G.subscription()).without("observedAt"))
    document.observedAt = at(1_800_000_000)
    guard case .events(let events) = G.trusting.read(document) else { throw Unread() }
    #expect(events.map(\.effectiveAt) == [at(1_800_000_000)])
    let told = G.fetched(G.subscription(), because: G.subscriptionNotification(4))
    #expect(try G.event(in: told.without("observedAt")).effectiveAt == G.time(G.seen))
  }

  @Test func `only the apps named are accepted`() throws {
    let adapter = GooglePlayAdapter(packageNames: ["com.example.other"], trustsUnsigned: true)
    for document in [
      G.fetched(G.subscription()), G.subscriptionNotification(1),
      push(G.subscriptionNotification(1)),
    ] {
      #expect(refusal(adapter.read(G.document(document))) == .wrongApp)
    }
  }

  // MARK: Proof

  private func reading(
    _ secrets: [String], _ headers: [String: String], trusts: Bool = false
  ) -> Reading {
    var document = G.document(push(G.subscriptionNotification(4)))
    document.headers = headers
    return GooglePlayAdapter(secrets: secrets, trustsUnsigned: trusts).read(document)
  }

  private func verdict(_ reading: Reading) -> Verification.Verdict? {
    if case .events(let events) = reading {
      events.first?.provenance.verification.verdict
    } else {
      nil
    }
  }

  @Test func `a bearer token proves a document, each bit of it`() {
    let token = "0123456789abcdef-token"
    #expect(verdict(reading(["other", token], ["Authorization": "Bearer \(token)"])) == .verified)
    #expect(verdict(reading([token], ["authorization": "bearer \(token)"])) == .verified)
    for index in token.utf8.indices {
      for bit in 0..<7 {
        var bytes = Array(token.utf8)
        bytes[token.utf8.distance(from: token.utf8.startIndex, to: index)] ^= 1 << bit
        let flipped = String(decoding: bytes, as: UTF8.self)
        #expect(
          refusal(reading([token], ["authorization": "Bearer \(flipped)"])) == .signatureMismatch)
        #expect(
          refusal(reading([flipped], ["authorization": "Bearer \(token)"])) == .signatureMismatch)
      }
    }
  }

  @Test func `what nothing proves is refused, unless it is trusted`() {
    #expect(refusal(reading([], [:])) == .noSecret)
    #expect(refusal(reading([""], ["authorization": "Bearer "])) == .noSecret)
    #expect(refusal(reading(["a"], [:])) == .missingSignature)
    #expect(refusal(reading(["a"], ["authorization": "Basic YQ=="])) == .badSignatureHeader)
    #expect(
      refusal(reading(["a"], ["authorization": "Bearer a", "Authorization": "Bearer a"]))
        == .badSignatureHeader)
    #expect(verdict(reading([], [:], trusts: true)) == .unverified)
    #expect(verdict(reading(["a"], [:], trusts: true)) == .unverified)
    #expect(
      refusal(reading(["a"], ["authorization": "Bearer b"], trusts: true)) == .signatureMismatch)
  }

  private struct Unread: Error {}
}
