import FoundationEssentials
import MembershipModel
import Testing

/// Google Play's documents at the command line.
@Suite struct GooglePlayCommandTests {
  private static let catalog = """
    {"entitlements": [{"key": "premium_tier", "name": "Premium"}],
     "products": [{"id": "prod_pro", "name": "Pro", "entitlements": ["premium_tier"],
       "stores": [{"provider": "google-play", "product": "pro_monthly"}]}], "plans": []}
    """

  private static func fetched(
    _ state: String = "ACTIVE", token: String = "token_1", acknowledged: Bool = false,
    observedAt: String = "2026-01-02T00:00:00Z"
  ) -> String {
    """
    {"packageName": "com.example.app", "purchaseToken": "\(token)", "observedAt": "\(observedAt)", \
    "subscription": {"startTime": "2026-01-01T00:00:00Z", \
    "subscriptionState": "SUBSCRIPTION_STATE_\(state)", "acknowledgementState": \
    "ACKNOWLEDGEMENT_STATE_\(acknowledged ? "ACKNOWLEDGED" : "PENDING")", \
    "externalAccountIdentifiers": {"obfuscatedExternalAccountId": "user_42"}, \
    "lineItems": [{"productId": "pro_monthly", "expiryTime": "2026-02-01T00:00:00Z", \
    "latestSuccessfulOrderId": "GPA.\(token)", "autoRenewingPlan": {"autoRenewEnabled": true}}]}}
    """
  }

  private static let notification = """
    {"version": "1.0", "packageName": "com.example.app", "eventTimeMillis": "1767225600000", \
    "subscriptionNotification": {"version": "1.0", "notificationType": 4, \
    "purchaseToken": "token_1"}}
    """

  private static let push = """
    {"message": {"attributes": {}, "messageId": "136969346945", \
    "data": "\(Data(notification.utf8).base64EncodedString())"}, "subscription": "projects/p"}
    """

  private func withCatalog(_ body: (LedgerFolder) throws -> Void) throws {
    try LedgerFolder.with { folder in
      let file = try folder.file("catalog.json", Self.catalog)
      try #require(try folder.run("catalog", "apply", file).status == 0)
      try body(folder)
    }
  }

  @Test func `a push is noted, what is fetched because of it gives access`() throws {
    try withCatalog { folder in
      let lines = [Self.push, Self.fetched(), Self.push, Self.fetched()]
      let result = try folder.run(
        "ingest", "google-play", "--trust-unsigned", input: lines.joined(separator: "\n"))
      #expect(
        result.output == """
          noted 2 subscriptionNotification.PURCHASED
          appended 3 observed purchased accountLinked
          duplicate 2
          duplicate 3

          """, "\(result.errors)")
      for customer in ["user_42", "google-play:token_1"] {
        let check = try folder.run("check", customer, "premium_tier", "--at", "2026-01-20")
        #expect(check.status == 0, "\(check.output)")
        #expect(
          try folder.run("check", customer, "premium_tier", "--at", "2026-02-03").status == 1)
      }
      let memberships = try folder.json("memberships", "user_42", "--at", "2026-01-03")
      let membership = try #require(memberships.array?.first)
      #expect(membership["id"]?.string == "google-play:token_1")
      #expect(membership["acknowledgeBy"]?.string == "2026-01-04T00:00:00.000Z")
      #expect(membership["storeProduct"]?.string == "pro_monthly")
      let text = try folder.run("memberships", "user_42", "--at", "2026-01-03").output
      #expect(text.contains("acknowledge by"))
    }
  }

  @Test func `documents are proven by the token that they bear, or refused`() throws {
    try withCatalog { folder in
      let push = try folder.file("push.json", Self.push)
      let secret = try folder.file("token", "shared-token\n")
      let right = try folder.file("right", "Authorization: Bearer shared-token\n")
      let wrong = try folder.file("wrong", "Authorization: Bearer shared-tokem\n")
      let unproven = try folder.run("ingest", "google-play", push)
      #expect(unproven.status == 1 && unproven.output.contains(": noSecret: "))
      let mismatch = try folder.run(
        "ingest", "google-play", push, "--secret-file", secret, "--headers", wrong)
      #expect(mismatch.status == 1 && mismatch.output.contains(": signatureMismatch: "))
      let proven = try folder.run(
        "ingest", "google-play", push, "--secret-file", secret, "--headers", right)
      #expect(proven.status == 0 && proven.output.hasPrefix("noted 2"))
    }
  }

  @Test func `other apps and other environments are refused on request`() throws {
    try withCatalog { folder in
      let other = try folder.run(
        "ingest", "google-play", "--trust-unsigned", "--package-name", "com.example.other",
        input: Self.fetched())
      #expect(other.status == 1 && other.output.contains(": wrongApp: "))
      let sandbox = try folder.run(
        "ingest", "google-play", "--trust-unsigned", "--environment", "sandbox",
        input: Self.fetched())
      #expect(sandbox.status == 1 && sandbox.output.contains(": wrongEnvironment: "))
    }
  }

  @Test func `reconciling records what differs and names what is missing`() throws {
    try withCatalog { folder in
      let first = [Self.fetched(), Self.fetched(token: "token_2")].joined(separator: "\n")
      #expect(
        try folder.run("ingest", "google-play", "--trust-unsigned", input: first).status == 0)
      let state = try folder.file(
        "state.json",
        "[\(Self.fetched("EXPIRED", acknowledged: true, observedAt: "2026-02-02T00:00:00Z"))]")
      let drift = try folder.json("reconcile", "google-play", state, "--trust-unsigned")
      #expect(drift["provider"]?.string == "google-play")
      #expect(drift["drifts"]?.array?.isEmpty == false)
      let again = try folder.json("reconcile", "google-play", state, "--trust-unsigned")
      #expect(again["drifts"]?.array?.isEmpty == true)
    }
  }

  @Test func `a restore gives what the store reports, a line for each order`() throws {
    try withCatalog { folder in
      let report = try folder.file("report.json", "[\(Self.fetched("EXPIRED"))]")
      let result = try folder.run(
        "restore", "user_42", "google-play", report, "--trust-unsigned", "--reason", "asked")
      #expect(result.status == 1 && result.output.hasPrefix("expired google-play:token_1"))
    }
  }
}
