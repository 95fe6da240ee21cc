import FoundationEssentials
import LedgerCrypto
import MembershipModel
import Testing

/// Whop's and Voidhash's documents on the command line.
@Suite struct WhopCommandTests {
  private static let catalog = """
    {"entitlements": [{"key": "premium", "name": "Premium"}],
     "products": [{"id": "prod_pro", "name": "Pro", "entitlements": ["premium"],
       "stores": [{"provider": "whop", "product": "prod_1"},
                  {"provider": "voidhash", "product": "prod_1"}]}],
     "plans": []}
    """

  private static let membership = """
    {"id":"mem_1","status":"active","created_at":"2026-01-01T00:00:00.000Z",\
    "renewal_period_start":"2026-01-01T00:00:00.000Z",\
    "renewal_period_end":"2026-01-31T00:00:00.000Z","cancel_at_period_end":false,\
    "user":{"id":"user_1"},"plan":{"id":"plan_1"},"product":{"id":"prod_1"},\
    "metadata":{"customer_id":"user_42"}}
    """

  private static let webhook = """
    {"id":"msg_1","api_version":"v1","type":"membership.activated",\
    "timestamp":"2026-01-01T00:00:00.000Z","company_id":"biz_1","data":\(membership)}
    """

  private static let created = """
    {"type":"subscription.created","projectId":"proj_1","personId":"person_1",\
    "distinctId":"user_42","productId":"prod_1","productSlug":"monthly",\
    "providerProductId":"com.example.monthly","provider":"apple-app-store",\
    "environment":"production","occurredAt":"2026-01-01T00:00:00.000Z","subscriptionId":"sub_1",\
    "status":"active","providerSubscriptionId":"900","providerTransactionId":"1000",\
    "startsAt":"2026-01-01T00:00:00.000Z","expiresAt":"2026-02-01T00:00:00.000Z",\
    "isTrial":false,"amount":{"currency":"USD","grossAmount":999}}
    """

  private static func code(_ text: String, _ secret: String) -> Digest {
    HMACSHA256.authenticationCode(for: Array(text.utf8), key: Array(secret.utf8))
  }

  private static let now = Timestamp.now().milliseconds / 1000

  private func withCatalog(_ body: (LedgerFolder) throws -> Void) throws {
    try LedgerFolder.with { folder in
      let catalog = try folder.file("catalog.json", Self.catalog)
      try #require(try folder.run("catalog", "apply", catalog).status == 0)
      try body(folder)
    }
  }

  @Test func `a webhook of Whop's is taken by its signature, and answers for its user`() throws {
    try withCatalog { folder in
      let secret = try folder.file("secret", "ws_1\n")
      let code = Data(Self.code("msg_1.\(Self.now).\(Self.webhook)", "ws_1").bytes)
      let headers = try folder.file(
        "headers",
        """
        webhook-id: msg_1
        webhook-timestamp: \(Self.now)
        webhook-signature: v1,\(code.base64EncodedString())

        """)
      let taken = try folder.run(
        "ingest", "whop", "--headers", headers, "--secret-file", secret, input: Self.webhook)
      #expect(taken.output == "appended 2 observed purchased accountLinked\n", "\(taken.errors)")
      let again = try folder.run("ingest", "whop", "--trust-unsigned", input: Self.webhook)
      #expect(again.output == "duplicate 2\n")
      let changed = try folder.run(
        "ingest", "whop", "--headers", headers, "--secret-file", secret, input: Self.webhook + " ")
      #expect(changed.status == 1 && changed.output.contains("signatureMismatch"))
      for customer in ["whop:user_1", "user_42"] {
        let checked = try folder.run("check", customer, "premium", "--at", "2026-01-15")
        #expect(checked.status == 0, "\(checked.output)")
        #expect(try folder.run("check", customer, "premium", "--at", "2026-01-31").status == 1)
      }
      let event = try #require(try folder.run("events", "--json").jsonLines().last)
      #expect(event["verifiedBy"]?.string == "standard-webhooks v1")
    }
  }

  @Test func `a list of Whop's memberships is reconciled`() throws {
    try withCatalog { folder in
      let list = #"{"data":[\#(Self.membership)],"page_info":{"has_next_page":false}}"#
      let report = try folder.json(
        "reconcile", "whop", try folder.file("list.json", list), "--trust-unsigned")
      #expect(report["documents"]?.integer == 1)
      #expect(try folder.run("check", "user_42", "premium", "--at", "2026-01-15").status == 0)
    }
  }

  @Test func `the environment given is that of Whop's documents`() throws {
    try withCatalog { folder in
      let taken = try folder.run(
        "ingest", "whop", "--trust-unsigned", "--environment", "sandbox", input: Self.webhook)
      #expect(taken.status == 0, "\(taken.output)")
      #expect(try folder.run("check", "user_42", "premium", "--at", "2026-01-15").status == 1)
      let sandbox = try folder.run(
        "check", "user_42", "premium", "--at", "2026-01-15", "--environment", "sandbox")
      #expect(sandbox.status == 0)
    }
  }

  @Test func `a webhook of Voidhash's is taken by its signature, and answers for its person`()
    throws
  {
    try withCatalog { folder in
      let secret = try folder.file("secret", "whsec_1\n")
      let headers = try folder.file(
        "headers",
        """
        X-Webhook-Event: subscription.created
        X-Webhook-Timestamp: \(Self.now)
        X-Webhook-Signature: v1=\(Self.code("\(Self.now).\(Self.created)", "whsec_1"))

        """)
      let taken = try folder.run(
        "ingest", "voidhash", "--headers", headers, "--secret-file", secret, input: Self.created)
      #expect(taken.output == "appended 2 observed purchased\n", "\(taken.errors)")
      let unsigned = try folder.run(
        "ingest", "voidhash", "--secret-file", secret, input: Self.created)
      #expect(unsigned.status == 1 && unsigned.output.contains("missingSignature"))
      let person = "voidhash:person_1"
      #expect(try folder.run("check", person, "premium", "--at", "2026-01-15").status == 0)
      #expect(try folder.run("check", person, "premium", "--at", "2026-02-01").status == 1)
    }
  }
}
