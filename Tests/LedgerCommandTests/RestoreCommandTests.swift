import MembershipModel
import Testing

@Suite struct RestoreCommandTests {
  /// A paid year of another subscription, around any present instant that a test is run at.
  private static func year(_ subscription: String, of account: String) -> String {
    let (start, end) = (1_767_225_600, 4_102_444_800)
    return CommandFixture.invoice
      .replacing("sub_1", with: subscription).replacing("cus_1", with: account)
      .replacing("in_1", with: "in_\(subscription)")
      .replacing(
        "\"start\":\(CommandFixture.start),\"end\":\(CommandFixture.end)",
        with: "\"start\":\(start),\"end\":\(end)")
  }

  @Test func `each transaction has a line, and the status says whether anything is held`() throws {
    try LedgerFolder.withMembership { folder in
      let over = try folder.run(
        "restore", "user_42", "stripe", "--trust-unsigned", input: CommandFixture.invoice)
      #expect(over.status == 1 && over.output.hasPrefix("expired stripe:in_1/si_1/"))
      let live = try folder.run(
        "restore", "user_42", "stripe", "--trust-unsigned",
        input: Self.year("sub_2", of: "cus_2"))
      #expect(live.status == 0, "\(live.errors)")
      #expect(live.output.hasPrefix("restored stripe:in_sub_2/si_1/"))
      #expect(live.output.contains("(granted, until 2100-01-01 00:00Z)"))
      #expect(try folder.run("check", "user_42", "premium_tier").status == 0)
      let other = try folder.run(
        "restore", "user_43", "stripe", "--trust-unsigned",
        input: Self.year("sub_2", of: "cus_2"))
      #expect(other.output.hasPrefix("transferredFrom user_42 stripe:in_sub_2/"))
      #expect(try folder.run("check", "user_43", "premium_tier").status == 0)
      #expect(try folder.run("check", "user_42", "premium_tier").status == 1)
      #expect(try folder.run("replay").status == 0)
    }
  }

  @Test func `the policy says who wins, and the JSON has every field`() throws {
    try LedgerFolder.withMembership { folder in
      let policy = try folder.run("policy", "apply", "-", input: #"{"restores":"keepWithOwner"}"#)
      try #require(policy.status == 0, "\(policy.errors)")
      let file = try folder.file("year.json", Self.year("sub_1", of: "cus_1"))
      let kept = try folder.json(
        "restore", "user_43", "stripe", file, "--trust-unsigned", status: 1)
      #expect(
        kept.keys == [
          "customer", "provider", "at", "results", "refused", "position", "environment",
        ])
      let result = try #require(kept["results"]?.array?.first)
      #expect(
        result.keys == [
          "transaction", "membership", "outcome", "otherCustomer", "reason", "until",
          "transferred", "pingPong",
        ])
      #expect(result["outcome"]?.string == "ownedByAnother")
      #expect(result["otherCustomer"]?.string == "user_42")
      #expect(result["until"]?.string == "2100-01-01T00:00:00.000Z")
      let own = try folder.json("restore", "user_42", "stripe", file, "--trust-unsigned")
      #expect(own["results"]?.array?.first?["outcome"]?.string == "alreadyHeld")
    }
  }

  @Test func `nothing found, nothing proven and nothing readable are told apart`() throws {
    try LedgerFolder.withMembership { folder in
      let nothing = try folder.run("restore", "user_42", "stripe", input: "[]")
      #expect(nothing.status == 1 && nothing.output == "nothingFound\n")
      let events = try folder.json("stats")["events"]?.integer
      let unproven = try folder.run(
        "restore", "user_42", "stripe", input: CommandFixture.invoice)
      #expect(unproven.status == 1 && unproven.output.isEmpty)
      #expect(unproven.errors.contains("--trust-unsigned"))
      let unreadable = try folder.run("restore", "user_42", "stripe", input: "no JSON")
      #expect(unreadable.status == 65)
      let elsewhere = try folder.run(
        "restore", "user_42", "stripe", "--trust-unsigned", "--environment", "sandbox",
        input: CommandFixture.invoice)
      #expect(elsewhere.status == 1 && elsewhere.errors.contains("sandbox is expected"))
      #expect(try folder.json("stats")["events"]?.integer == events)
      #expect(try folder.run("restore", "user_42", "stripe", "/no/such").status == 66)
    }
  }

  @Test func `the holders of a membership are on its timeline`() throws {
    try LedgerFolder.withMembership { folder in
      _ = try folder.run(
        "transfer", "stripe:sub_1", "user_43", "--reason", "sold", "--at", "2026-01-10")
      let timeline = try folder.json("timeline", "stripe:sub_1")
      let holders = try #require(timeline["holders"]?.array)
      #expect(holders.map { $0["customer"]?.string } == ["user_42", "user_43"])
      #expect(holders.last?["reason"]?.string == "sold")
      #expect(timeline["pingPong"]?.bool == false)
      let text = try folder.run("timeline", "stripe:sub_1").output
      #expect(text.contains("user_43 from 2026-01-10 00:00Z: sold"))
      let known = try folder.json("timeline", "stripe:sub_1", "--known-at", "3")
      #expect(known["holders"]?.array?.count == 1)
      #expect(try folder.json("timeline", "user_42")["holders"]?.isNull == true)
    }
  }
}

@Suite struct ReconcileCommandTests {
  private static let canceled = CommandFixture.subscription
    .replacing("\"status\":\"active\"", with: "\"status\":\"canceled\"")
    .replacing("\"ended_at\":null", with: "\"ended_at\":\(CommandFixture.start + 86_400)")

  @Test func `drift is printed without writing, then recorded, then gone`() throws {
    try LedgerFolder.withMembership { folder in
      let file = try folder.file("state.json", "{\"object\":\"list\",\"data\":[\(Self.canceled)]}")
      let dry = try folder.run("reconcile", "stripe", file, "--trust-unsigned", "--dry-run")
      #expect(dry.status == 0 && dry.output.contains("status"), "\(dry.errors)")
      #expect(dry.output.contains("user_42 loses premium_tier from 2026-01-02 00:00Z"))
      #expect(dry.output.hasSuffix("1 compared, 1 would be recorded, 0 missing\n"))
      #expect(try folder.json("stats")["events"]?.integer == 3)
      let report = try folder.json("reconcile", "stripe", file, "--trust-unsigned")
      #expect(
        report.keys == [
          "provider", "dryRun", "at", "documents", "drifts", "missing", "claims", "refused",
        ])
      let drift = try #require(report["drifts"]?.array?.first)
      #expect(drift.keys == ["event", "position", "memberships", "access"])
      #expect(drift["position"]?.integer == 4)
      let fields = try #require(drift["memberships"]?.array?.first?["fields"]?.array)
      let status = try #require(fields.first { $0["field"]?.string == "status" })
      #expect(status["provider"]?.string == "canceled")
      let again = try folder.run("reconcile", "stripe", file, "--trust-unsigned")
      #expect(again.output == "1 compared, 0 recorded, 0 missing\n")
      let event = try #require(try folder.run("events", "--after", "3", "--json").jsonLines().first)
      #expect(event["origin"]?.string == "reconcile")
      #expect(try folder.run("replay").status == 0)
    }
  }

  @Test func `a dry run names the events that the real run at the same instant records`() throws {
    try LedgerFolder.withMembership { folder in
      let file = try folder.file("state.json", Self.canceled)
      func ids(_ options: String...) throws -> [String?] {
        let report = try LedgerProcess.run(
          LedgerProcess.executable,
          ["--ledger", folder.path, "--json", "reconcile", "stripe", file, "--trust-unsigned"]
            + options)
        #expect(report.status == 0, "\(report.errors)")
        return try JSONValue(parsing: Array(report.output.utf8))["drifts"]?.array?.map {
          $0["event"]?.string
        } ?? []
      }
      let dry = try ids("--observed-at", "2026-03-01", "--dry-run")
      #expect(dry.count == 1)
      #expect(try ids("--observed-at", "2026-03-01", "--dry-run") == dry)
      #expect(try ids("--observed-at", "2026-03-01") == dry)
      let event = try #require(try folder.run("events", "--after", "3", "--json").jsonLines().first)
      #expect(event["id"]?.string == dry.first)
      #expect(event["effectiveAt"]?.string == "2026-03-01T00:00:00.000Z")
      // Neither the same reading nor a later one finds anything new.
      #expect(try ids("--observed-at", "2026-03-01") == [])
      #expect(try ids("--observed-at", "2026-03-02") == [])
    }
  }

  @Test func `what the input lacks is reported, and ends nothing`() throws {
    try LedgerFolder.withMembership { folder in
      let live = CommandFixture.invoice
        .replacing("\"end\":\(CommandFixture.end)", with: "\"end\":4102444800")
        .replacing("in_1", with: "in_2")
      _ = try folder.run("ingest", "stripe", "--trust-unsigned", input: live)
      for input in ["[]", #"{"object":"list","data":[]}"#] {
        let report = try folder.run("reconcile", "stripe", input: input)
        #expect(report.status == 0, "\(report.errors)")
        #expect(report.output.contains("missing stripe:sub_1: active, of user_42"))
      }
      #expect(try folder.run("check", "user_42", "premium_tier").status == 0)
      let elsewhere = try folder.run(
        "reconcile", "stripe", "--environment", "sandbox", input: "[]")
      #expect(elsewhere.output == "0 compared, 0 recorded, 0 missing\n")
      #expect(try folder.run("reconcile", "stripe", input: "").status == 65)
    }
  }

  @Test func `a refused document does not keep the others out`() throws {
    try LedgerFolder.withMembership { folder in
      let report = try folder.run(
        "reconcile", "stripe", "--trust-unsigned",
        input: "[\(Self.canceled),{\"object\":\"nothing\"}]")
      #expect(report.status == 1 && report.output.contains("1 compared, 1 recorded"))
      #expect(report.errors.contains("refused -[1]"))
      let unproven = try folder.run("reconcile", "stripe", input: Self.canceled)
      #expect(unproven.status == 1 && unproven.errors.contains("--trust-unsigned"))
    }
  }
}
