import MembershipModel
import Testing

@testable import LedgerCommand

/// Gifts, seats and benefits taken by hand, as the command records and shows them.
@Suite struct GivingTests {
  @Test func `a gift after what there is begins where that ends`() throws {
    try LedgerFolder.withMembership { folder in
      let until = "2026-11-15T00:00:00.000Z"
      let first = try folder.json(
        "grant", "user_9", "export", "--reason", "gift", "--from", "2026-11-01", "--for", "P14D")
      #expect(first["from"]?.string == "2026-11-01T00:00:00.000Z")
      #expect(first["until"]?.string == until && first["stacking"] == .null)
      let second = try folder.json(
        "grant", "user_9", "export", "--reason", "gift", "--from", "2026-11-01", "--for", "P1M",
        "--stack", "after", "--giver", "user_42")
      #expect(second["from"]?.string == until && second["stacking"]?.string == "after")
      #expect(second["until"]?.string == "2026-12-15T00:00:00.000Z")
      let event = try #require(try folder.run("events", "--json").jsonLines().last)
      let fact = try #require(event["facts"]?.array?.first)
      #expect(fact["giver"]?.string == "user_42" && fact["stacking"]?.string == "after")
      let text = try folder.run(
        "grant", "user_9", "export", "--reason", "gift", "--from", "2026-11-01", "--for", "P1M",
        "--stack", "after")
      #expect(text.status == 0 && text.errors.contains("(2026-12-15"))
    }
  }

  @Test func `a gift that follows a membership says so and lasts as long`() throws {
    try LedgerFolder.withMembership { folder in
      let membership = try #require(
        try folder.json("memberships", "user_42").array?.first?["id"]?.string)
      let gift = try folder.json(
        "grant", "user_9", "export", "--reason", "gift", "--from", "2026-01-01", "--follows",
        membership)
      #expect(gift["follows"]?.string == membership)
      #expect(
        try folder.json("check", "user_9", "export", "--at", "2040-01-01", status: 1)["reason"]?
          .string == "expired")
    }
  }

  @Test func `a gift that would give nothing for what it follows is refused`() throws {
    try LedgerFolder.withMembership { folder in
      let unknown = try folder.run(
        "grant", "user_9", "export", "--reason", "gift", "--follows", "stripe:sub_9")
      #expect(unknown.status == 65 && unknown.errors.contains("no membership stripe:sub_9"))
      let both = try folder.run(
        "grant", "user_42", "premium_tier", "--reason", "gift", "--follows", "stripe:sub_1",
        "--from", "2026-01-10", "--stack", "after", "--for", "P1M")
      #expect(both.status == 65 && both.errors.contains("leave out one of the two"))
      #expect(try folder.run("events", "--after", "3").output.isEmpty)
    }
  }

  @Test func `two ends, or none after the start, are refused`() throws {
    try LedgerFolder.withMembership { folder in
      let two = try folder.run(
        "grant", "u", "export", "--reason", "r", "--for", "P1M", "--until", "2030-01-01")
      #expect(two.status == 64 && two.errors.contains("--for and --until"))
      let slip = try folder.run("grant", "u", "export", "--reason", "r", "--for", "a month")
      #expect(slip.status == 64 && slip.errors.contains("is no duration"))
      _ = try folder.run("grant", "u", "export", "--reason", "r")
      let never = try folder.run(
        "grant", "u", "export", "--reason", "r", "--stack", "after", "--for", "P1M")
      #expect(never.status == 65 && never.errors.contains("without end"))
    }
  }

  @Test func `seats are claimed, listed and found beyond what was bought`() throws {
    try LedgerFolder.with { folder in
      let catalog = """
        {"entitlements":[{"key":"app"}],"products":[{"id":"team","entitlements":["app"],
          "perSeat":true,"stores":[{"provider":"stripe","product":"prod_T"}]}]}
        """
      #expect(try folder.run("catalog", "apply", "-", input: catalog).status == 0)
      let lines = [
        #"{"effectiveAt":"2026-01-01T00:00:00Z","account":"stripe:cus_1","facts":["#
          + #"{"type":"purchased","membership":"stripe:sub_1","id":"stripe:t","kind":"paid","#
          + #""quantity":1,"offer":{"product":"prod_T"},"#
          + #""period":{"start":"2026-01-01T00:00:00Z","end":"2030-01-01T00:00:00Z"}}]}"#,
        Self.claim("s1", "ann", "2026-02-01"), Self.claim("s2", "bob", "2026-03-01"),
      ]
      let appended = try folder.run("append", input: lines.map { $0 + "\n" }.joined())
      try #require(appended.status == 0, "\(appended.output)\(appended.errors)")
      #expect(
        try folder.json("check", "ann", "app", "--at", "2026-04-01")["entitled"]?.bool == true)
      let beyond = try folder.json("check", "bob", "app", "--at", "2026-04-01", status: 1)
      #expect(beyond["reason"]?.string == "revoked")
      let seat = try #require(
        try folder.json("memberships", "bob", "--at", "2026-04-01").array?.first)
      #expect(seat["role"]?.string == "seat" && seat["seat"]?.string == "s2")
      #expect(seat["isActive"]?.bool == false)
      let pool = try #require(seat["seats"])
      #expect(pool["total"]?.integer == 1 && pool["claimed"]?.integer == 2)
      #expect(pool["beyond"]?.array?.first?["customer"]?.string == "bob")
      let table = try folder.run("memberships", "stripe:cus_1", "--at", "2026-04-01").output
      #expect(table.contains("SEATS") && table.contains("2 of 1, 1 beyond"))
      #expect(table.firstMatch(of: /stripe:cus_1 +active +no +team/) != nil)
      let buyer = try #require(
        try folder.json("memberships", "stripe:cus_1", "--at", "2026-04-01").array?.first)
      #expect(buyer["isActive"]?.bool == false && buyer["status"]?.string == "active")
      let loose = try folder.run(
        "append", input: #"{"type":"seatClaimed","seat":"s1","customer":"ann"}"#)
      #expect(loose.status == 1 && loose.output.contains("seatClaimed names its membership"))
    }
  }

  private static func claim(_ seat: String, _ customer: String, _ at: String) -> String {
    #"{"type":"seatClaimed","membership":"stripe:sub_1","seat":"\#(seat)","#
      + #""customer":"\#(customer)","at":"\#(at)T00:00:00Z"}"#
  }

  @Test func `a second trial is refused with the first one named`() throws {
    try LedgerFolder.with { folder in
      let catalog = """
        {"entitlements":[{"key":"app"}],"products":[{"id":"pro","entitlements":["app"],
          "stores":[{"provider":"stripe","product":"prod_A"}]}],
          "plans":[{"id":"monthly","product":"pro","trial":"P7D"}]}
        """
      #expect(try folder.run("catalog", "apply", "-", input: catalog).status == 0)
      let lines = [
        #"{"customer":"ann","facts":[{"type":"purchased","membership":"stripe:sub_1","#
          + #""id":"stripe:t","kind":"trial","offer":{"product":"prod_A"},"#
          + #""period":{"start":"2026-01-01T00:00:00Z","end":"2026-01-08T00:00:00Z"}}]}"#,
        #"{"customer":"ann","facts":[{"type":"checkoutOpened","id":"stripe:cs_1","#
          + #""plan":"monthly","isTrial":true}]}"#,
        #"{"customer":"bob","facts":[{"type":"checkoutOpened","id":"stripe:cs_2","#
          + #""plan":"monthly","isTrial":true}]}"#,
      ]
      let outcomes = try folder.run(
        "append", "--json", input: lines.map { $0 + "\n" }.joined()
      ).jsonLines()
      #expect(outcomes.map { $0["outcome"]?.string } == ["appended", "refused", "appended"])
      #expect(outcomes[1]["reason"]?.string?.contains("stripe:sub_1") == true)
      let again = lines[0].replacing("sub_1", with: "sub_2").replacing("stripe:t", with: "stripe:u")
        .replacing("2026-01-01", with: "2026-01-02")
      #expect(try folder.run("append", input: again).status == 0)
      let memberships = try folder.json("memberships", "ann", "--at", "2026-01-05")
      #expect(memberships.array?.map { $0["repeatsTrialOf"]?.string } == [nil, "stripe:sub_1"])
      #expect(
        try folder.run("memberships", "ann", "--at", "2026-01-05").output
          .contains("repeats the trial of stripe:sub_1"))
    }
  }
}
