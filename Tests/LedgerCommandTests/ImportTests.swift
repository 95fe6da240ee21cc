import LedgerTestSupport
import MembershipModel
import Testing

/// Histories from exports, and RevenueCat's documents by the command.
@Suite struct ImportTests {
  private static let header =
    "rc_original_app_user_id;rc_last_seen_app_user_id_alias;product_identifier;start_time;"
    + "end_time;store;is_auto_renewable;is_trial_period;is_in_intro_offer_period;is_sandbox;"
    + "store_transaction_id;original_store_transaction_id;refunded_at;purchased_currency;"
    + "price_in_purchased_currency;renewal_number;updated_at"

  private static func row(
    _ user: String, _ transaction: String, start: String = "2026-01-01 00:00:00",
    end: String = "2026-02-01 00:00:00"
  ) -> String {
    "\(user);\(user);pro_monthly;\(start);\(end);app_store;true;false;false;false;"
      + "\(transaction);t1;;EUR;9.99;1;2026-01-02 00:00:00"
  }

  private static let webhook = """
    {"api_version":"1.0","event":{"type":"INITIAL_PURCHASE","id":"e1","app_user_id":"user_42",\
    "original_app_user_id":"user_42","aliases":["user_42"],"event_timestamp_ms":1767225605000,\
    "product_id":"pro_monthly","period_type":"NORMAL","purchased_at_ms":1767225600000,\
    "expiration_at_ms":1769904000000,"store":"APP_STORE","environment":"PRODUCTION",\
    "price_in_purchased_currency":9.99,"currency":"EUR","transaction_id":"t1",\
    "original_transaction_id":"t1","is_family_share":false}}
    """

  private static let catalog = """
    {"entitlements":[{"key":"premium_tier","name":"Premium"}],"products":[{"id":"prod_pro",\
    "name":"Pro","entitlements":["premium_tier"],"stores":[{"provider":"app-store",\
    "product":"pro_monthly"}]}]}
    """

  @Test func `a dry run gives a verdict per row and records nothing`() throws {
    try LedgerFolder.with { folder in
      let table = [
        Self.header, Self.row("user_1", "t1"), Self.row("user_2", "t2"), Self.row("user_1", "t1"),
        "too;few", Self.row("user_3", "t3", start: ""),
      ].joined(separator: "\r\n")
      let file = try folder.file("export.csv", table)
      let dry = try folder.run(
        "import", "revenuecat", "--trust-unsigned", "--dry-run", file)
      #expect(dry.status == 1)
      let lines = dry.output.split(separator: "\n").map(String.init)
      #expect(
        Array(lines.prefix(3)) == [
          "would append purchased observed accountLinked",
          "would append purchased observed accountLinked", "duplicate",
        ])
      #expect(lines[3].hasPrefix("refused \(file):5: unreadable: the row has 2 cells"))
      #expect(lines[4] == "would append accountLinked noted")
      #expect(try folder.json("stats")["events"] == .integer(0))
    }
  }

  @Test func `an import is run again without effect, and goes on where it was broken off`() throws {
    try LedgerFolder.with { folder in
      let rows = (1...5).map { Self.row("user_\($0)", "t\($0)") }
      let part = try folder.file(
        "part.csv", ([Self.header] + rows.prefix(2)).joined(separator: "\n"))
      let whole = try folder.file(
        "whole.csv", ([Self.header] + rows).joined(separator: "\n") + "\n")
      #expect(try folder.run("import", "revenuecat", "--trust-unsigned", part).status == 0)
      let rest = try folder.run("import", "revenuecat", "--trust-unsigned", whole)
      #expect(rest.status == 0)
      #expect(
        rest.output.split(separator: "\n").map { $0.prefix(11) } == [
          "duplicate 1", "duplicate 2", "appended 3 ", "appended 4 ", "appended 5 ",
        ])
      let again = try folder.run("import", "revenuecat", "--trust-unsigned", whole)
      #expect(again.output.split(separator: "\n").allSatisfy { $0.hasPrefix("duplicate ") })
      let events = try folder.run("events", "--json").jsonLines()
      #expect(events.count == 5)
      #expect(events.allSatisfy { $0["origin"] == .string("import") })
      let dry = try folder.run(
        "import", "revenuecat", "--trust-unsigned", "--dry-run", "--json", whole)
      let verdicts = try dry.jsonLines()
      #expect(verdicts.allSatisfy { $0["outcome"] == .string("duplicate") })
      #expect(verdicts.map { $0["position"] } == (1...5).map { .integer($0) })
    }
  }

  @Test func `cells in quotes hold delimiters, quotes and lines`() throws {
    try LedgerFolder.with { folder in
      let table =
        "\u{FEFF}rc_original_app_user_id,product_identifier,start_time,store,note\n"
        + "\"a,\"\"b\"\"\",pro,2026-01-01 00:00:00,app_store,\"one\ntwo\"\n\n"
      let file = try folder.file("export.csv", table)
      let result = try folder.run("import", "revenuecat", "--trust-unsigned", file)
      #expect(result.status == 0, "\(result.errors)")
      let event = try #require(try folder.run("events", "--json").jsonLines().first)
      #expect(event["customer"] == .string("a,\"b\""))
    }
  }

  @Test func `without trust nothing is imported`() throws {
    try LedgerFolder.with { folder in
      let file = try folder.file("export.csv", "\(Self.header)\n\(Self.row("user_1", "t1"))\n")
      let result = try folder.run("import", "revenuecat", file)
      #expect(result.status == 1)
      #expect(result.output.hasPrefix("refused "))
      #expect(result.errors.contains("--trust-unsigned"))
    }
  }

  @Test func `a webhook is proven by its Authorization header`() throws {
    try LedgerFolder.with { folder in
      let catalog = try folder.file("catalog.json", Self.catalog)
      try #require(try folder.run("catalog", "apply", catalog).status == 0)
      let body = try folder.file("hook.json", Self.webhook)
      let secret = try folder.file("secret", "Bearer abc\n")
      let right = try folder.file("right", "Authorization: Bearer abc\n")
      let wrong = try folder.file("wrong", "Authorization: Bearer abd\n")
      let refused = try folder.run(
        "ingest", "revenuecat", body, "--headers", wrong, "--secret-file", secret)
      #expect(refused.status == 1 && refused.output.contains("signatureMismatch"))
      let taken = try folder.run(
        "ingest", "revenuecat", body, "--headers", right, "--secret-file", secret)
      #expect(taken.output == "appended 2 purchased observed accountLinked\n", "\(taken.errors)")
      let checked = try folder.json(
        "check", "user_42", "premium_tier", "--at", "2026-01-15T00:00:00Z")
      #expect(checked["entitled"] == .bool(true))
      let late = try folder.json(
        "check", "user_42", "premium_tier", "--at", "2026-02-01T00:00:00Z", status: 1)
      #expect(late["reason"] == .string("expired"))
    }
  }

  @Test func `a subscriber object is compared and restored`() throws {
    try LedgerFolder.with { folder in
      let catalog = try folder.file("catalog.json", Self.catalog)
      try #require(try folder.run("catalog", "apply", catalog).status == 0)
      let hook = try folder.run("ingest", "revenuecat", "--trust-unsigned", input: Self.webhook)
      try #require(hook.status == 0)
      func subscriber(until end: String, seenOn day: Int) -> String {
        """
        {"request_date":"2026-01-\(day)T00:00:00Z","subscriber":{\
        "original_app_user_id":"user_42","entitlements":{},"non_subscriptions":{},"subscriptions":{\
        "pro_monthly":{"purchase_date":"2026-01-01T00:00:00Z",\
        "original_purchase_date":"2026-01-01T00:00:00Z","expires_date":"\(end)",\
        "store":"app_store","is_sandbox":false,"period_type":"normal",\
        "store_transaction_id":"t1","price":{"amount":9.99,"currency":"EUR"}}}}}
        """
      }
      let same = try folder.file("same.json", subscriber(until: "2026-02-01T00:00:00Z", seenOn: 20))
      let equal = try folder.json("reconcile", "revenuecat", same, "--trust-unsigned")
      #expect(equal["drifts"] == .array([]))
      let longer = try folder.file(
        "longer.json", subscriber(until: "2026-03-01T00:00:00Z", seenOn: 21))
      let drifted = try folder.json("reconcile", "revenuecat", longer, "--trust-unsigned")
      #expect(drifted["drifts"]?.array?.count == 1)
      let check = try folder.json(
        "check", "user_42", "premium_tier", "--at", "2026-02-15T00:00:00Z")
      #expect(check["entitled"] == .bool(true))
      let restored = try folder.run("restore", "user_42", "revenuecat", longer, "--trust-unsigned")
      #expect(restored.output.contains("app-store:t1"))
    }
  }
}
