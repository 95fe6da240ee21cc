import MembershipModel
import Testing

@testable import LedgerCommand

/// The verbs that ask.
@Suite struct AskingTests {
  private static let inside = "2026-01-15T12:00:00Z"

  @Test func `check answers with every field and the status of its answer`() throws {
    try LedgerFolder.withMembership { folder in
      let granted = try folder.json(
        "check", "user_42", "premium_tier", "--at", Self.inside, "--explain")
      try expectSnapshot(
        granted.comparable.text(indentation: 2) + "\n", named: "check-granted.json")
      let expired = try folder.json(
        "check", "user_42", "premium_tier", "--at", "2026-02-01", status: 1)
      try expectSnapshot(expired.text(indentation: 2) + "\n", named: "check-expired.json")
      #expect(granted.keys == expired.keys)
    }
  }

  @Test func `check tells people the same`() throws {
    try LedgerFolder.withMembership { folder in
      let result = try folder.run("check", "user_42", "premium_tier", "--at", Self.inside)
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(
        result.output.hasPrefix(
          "user_42 may use premium_tier: granted, a membership or a grant gives it\n"))
      #expect(result.output.contains("2026-01-01 00:00Z"))
      let denied = try folder.run("check", "user_42", "premium_tier", "--at", "2027-01-01")
      #expect(denied.status == 1 && denied.output.hasPrefix("user_42 may not use premium_tier"))
    }
  }

  @Test func `a planned change has the catalog's names, and the store's where it knows none`()
    throws
  {
    try LedgerFolder.withMembership { folder in
      let phases = [("price_1", CommandFixture.start), ("price_new", CommandFixture.end)]
        .map { price, start in
          """
          {"start_date":\(start),"end_date":\(start + 2_678_400),"items":[{"price":"\(price)",\
          "quantity":1}]}
          """
        }
      let schedule = """
        {"id":"sub_sched_1","object":"subscription_schedule","customer":"cus_1",\
        "subscription":"sub_1","status":"active","end_behavior":"cancel","livemode":true,\
        "phases":[\(phases.joined(separator: ","))]}
        """
      let event = CommandFixture.event(
        "evt_3", "subscription_schedule.updated", at: CommandFixture.start + 60, schedule)
      let sent = try folder.run("ingest", "stripe", "--trust-unsigned", input: event)
      #expect(
        sent.output == "appended 4 planChangeScheduled cancellationScheduled\n", "\(sent.output)")
      let shown = try #require(
        try folder.json("memberships", "user_42", "--at", Self.inside).array?.first)
      let (from, to) = (shown["pendingChange"]?["from"], shown["pendingChange"]?["to"])
      #expect(from?.keys == ["product", "plan", "storeProduct", "storePlan"])
      #expect(from?["product"]?.string == "prod_pro" && from?["plan"]?.string == "monthly")
      #expect(to?["product"]?.isNull == true && to?["plan"]?.isNull == true)
      #expect(to?["storePlan"]?.string == "price_new")
      #expect(shown["cancelAt"]?.string == "2026-03-04T00:00:00.000Z")
      #expect(shown["status"]?.string == "canceling" && shown["willRenew"]?.bool == false)
    }
  }

  private static let denials: [(customer: String, entitlement: String, reason: String)] = [
    ("nobody", "premium_tier", "unknownCustomer"), ("user_42", "nothing", "unknownEntitlement"),
  ]

  @Test(arguments: denials)
  func `what is unknown is denied by name`(
    customer: String, entitlement: String, reason: String
  ) throws {
    try LedgerFolder.withMembership { folder in
      let answer = try folder.json("check", customer, entitlement, status: 1)
      #expect(answer["reason"]?.string == reason)
      #expect(answer["entitled"]?.bool == false)
    }
  }

  @Test func `access on the store's word alone says so`() throws {
    try LedgerFolder.with { folder in
      let catalog = try folder.file("catalog.json", CommandFixture.catalog)
      _ = try folder.run("catalog", "apply", catalog)
      let sent = try folder.run(
        "ingest", "stripe", "--trust-unsigned", input: CommandFixture.paidMonth[0])
      #expect(sent.output == "appended 2 observed purchased accountLinked\n", "\(sent.errors)")
      let answer = try folder.json("check", "user_42", "premium_tier", "--at", Self.inside)
      #expect(answer["assumed"]?.bool == true)
      let text = try folder.run("check", "user_42", "premium_tier", "--at", Self.inside)
      #expect(text.output.contains("(assumed: no payment seen)"))
    }
  }

  @Test func `what was known at a position or a time is answered for ever`() throws {
    try LedgerFolder.withMembership { folder in
      let question = ["check", "user_42", "premium_tier", "--at", Self.inside]
      for point in ["1", "2020-01-01"] {
        let answer = try folder.json(
          question[0], question[1], question[2], question[3], question[4], "--known-at", point,
          status: 1)
        #expect(
          answer["reason"]?.string == (point == "1" ? "unknownCustomer" : "unknownEntitlement"))
        #expect(answer["knownAt"]?.integer == (point == "1" ? 1 : 0))
      }
      let holdings = try folder.json(
        "entitlements", "user_42", "--at", Self.inside, "--known-at", "1")
      #expect(holdings == .array([]))
      #expect(
        try folder.json("memberships", "user_42", "--at", Self.inside, "--known-at", "1")
          == .array([]))
      #expect(
        try folder.json("memberships", "--at", Self.inside, "--known-at", "3").array?.count == 1)
      let beyond = try folder.run("check", "user_42", "premium_tier", "--known-at", "99")
      #expect(beyond.status == 65 && beyond.errors.contains("ends at position 3"))
    }
  }

  @Test func `environments do not mix`() throws {
    try LedgerFolder.withMembership { folder in
      let answer = try folder.json(
        "check", "user_42", "premium_tier", "--at", Self.inside, "--environment", "sandbox",
        status: 1)
      #expect(answer["environment"]?.string == "sandbox")
      #expect(try folder.json("memberships", "--environment", "sandbox") == .array([]))
    }
  }

  @Test func `entitlements and memberships are listed with every field`() throws {
    try LedgerFolder.withMembership { folder in
      let holdings = try folder.json("entitlements", "user_42", "--at", Self.inside)
      try expectSnapshot(holdings.text(indentation: 2) + "\n", named: "entitlements.json")
      let memberships = try folder.json("memberships", "--at", Self.inside)
      try expectSnapshot(memberships.text(indentation: 2) + "\n", named: "memberships.json")
      #expect(try folder.json("memberships", "user_42", "--at", Self.inside) == memberships)
      let table = try folder.run("memberships", "--at", Self.inside)
      try expectSnapshot(table.output, named: "memberships.txt")
      #expect(try folder.json("entitlements", "user_42", "--at", "2027-01-01") == .array([]))
    }
  }

  @Test func `a membership that nobody is known for is listed without a customer`() throws {
    try LedgerFolder.with { folder in
      let appended = try folder.run(
        "append",
        input: #"{"type":"purchased","membership":"stripe:sub_7","id":"stripe:t","kind":"paid","#
          + #""period":{"start":"2026-01-01T00:00:00Z","end":"2026-02-01T00:00:00Z"},"#
          + #""offer":{"product":"prod_A"}}"#)
      try #require(appended.status == 0, "\(appended.output)\(appended.errors)")
      let found = try folder.json("memberships", "--at", Self.inside).array
      #expect(found?.map { $0["id"]?.string } == ["stripe:sub_7"])
      #expect(found?.first?["customer"] == .null)
      let table = try folder.run("memberships", "--at", Self.inside).output
      #expect(table.contains(#/stripe:sub_7 +- /#))
      #expect(try folder.json("memberships", "--status", "held", "--at", Self.inside) == .array([]))
    }
  }

  @Test func `memberships are chosen by status, several at once`() throws {
    try LedgerFolder.withMembership { folder in
      for (statuses, count) in [(["active"], 1), (["past_due"], 0), (["past_due", "active"], 1)] {
        let options = statuses.flatMap { ["--status", $0] }
        let result = try LedgerProcess.run(
          LedgerProcess.executable,
          ["--ledger", folder.path, "--json", "memberships", "--at", Self.inside] + options)
        let found = try JSONValue(parsing: Array(result.output.utf8)).array
        #expect(found?.count == count, "\(statuses)")
      }
    }
  }

  @Test func `both names of a linked customer answer alike`() throws {
    try LedgerFolder.withMembership { folder in
      let answer = try folder.json("check", "stripe:cus_1", "premium_tier", "--at", Self.inside)
      #expect(answer["entitled"]?.bool == true)
      #expect(answer["customer"]?.string == "stripe:cus_1")
    }
  }

  @Test(arguments: ["user_42", "stripe:sub_1"])
  func `a timeline has segments, plans and events`(subject: String) throws {
    try LedgerFolder.withMembership { folder in
      let timeline = try folder.json("timeline", subject, "--at", Self.inside)
      let name = subject == "user_42" ? "timeline-customer.json" : "timeline-membership.json"
      try expectSnapshot(timeline.comparable.text(indentation: 2) + "\n", named: name)
      let drawing = try folder.run("timeline", subject, "--at", Self.inside)
      #expect(drawing.output.contains("2026-01-01 → 2026-02-01"))
      #expect(drawing.output.contains("renewal of stripe:sub_1"))
    }
  }

  @Test func `timelines, catalog and policy are told as they were known, and for an instant`()
    throws
  {
    try LedgerFolder.withMembership { folder in
      let known = try folder.json("timeline", "user_42", "--known-at", "1")
      #expect(known["segments"] == .array([]) && known["events"] == .array([]))
      let last = try folder.json("stats")["events"]?.text() ?? ""
      let now = try folder.json("timeline", "user_42", "--at", Self.inside)
      #expect(
        try folder.json("timeline", "user_42", "--at", Self.inside, "--known-at", last) == now)
      let strict = try folder.file("policy.json", #"{ "partialRefund": "revoke" }"#)
      let usual = try folder.run("policy", "show").output
      #expect(try folder.run("policy", "apply", strict).status == 0)
      #expect(try folder.run("policy", "show").output != usual)
      #expect(try folder.run("policy", "show", "--known-at", last).output == usual)
      #expect(try folder.run("policy", "show", "--at", "2020-01-01").output == usual)
      let catalog = try folder.run("catalog", "show").output
      let empty = try folder.run("catalog", "show", "--known-at", "0")
      #expect(empty.status == 0 && empty.output != catalog)
      #expect(try folder.run("catalog", "show", "--known-at", "1").output == catalog)
      #expect(try folder.run("catalog", "show", "--at", "2020-01-01").output == catalog)
    }
  }

  @Test func `a timeline of nobody is empty`() throws {
    try LedgerFolder.withMembership { folder in
      let timeline = try folder.json("timeline", "nobody")
      #expect(timeline.keys == ["segments", "planned", "events"])
      #expect(timeline["events"] == .array([]))
      #expect(try folder.run("timeline", "nobody").output.isEmpty)
    }
  }

  @Test func `reading verbs write nothing, also where nothing may be written`() throws {
    try LedgerFolder.withMembership { folder in
      let before = try folder.json("stats")
      for verb in ["memberships", "stats", "events", "replay", "verify"] {
        #expect(try folder.run(verb).status == 0)
      }
      #expect(try folder.json("stats")["root"] == before["root"])
    }
  }
}
