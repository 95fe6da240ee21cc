import MembershipModel
import Testing

@testable import LedgerCommand

/// The verbs that record by hand.
@Suite struct RecordingTests {
  @Test func `init makes a ledger once`() throws {
    try LedgerFolder.with { folder in
      #expect(try folder.json("stats")["events"]?.integer == 0)
      let again = try folder.run("init")
      #expect(again.status == 74 && again.errors.contains("there is something already"))
    }
  }

  private static let verbs: [[String]] = [
    ["stats"], ["verify"], ["check", "a", "b"], ["grant", "a", "b", "--reason", "c"], ["append"],
    ["events"], ["backup", "/no/such/copy"],
  ]

  @Test(arguments: verbs)
  func `no ledger is status 66 and a hint, and none is made`(words: [String]) throws {
    let result = try LedgerProcess.run(
      LedgerProcess.executable, ["--ledger", "/no/such/ledger"] + words, input: "{}")
    #expect(result.status == 66 && result.output.isEmpty)
    #expect(result.errors.contains("ledger init"))
  }

  @Test func `a folder that is no ledger is refused`() throws {
    try LedgerFolder.with { folder in
      let result = try LedgerProcess.ledger("--ledger", folder.scratch, "stats")
      #expect(result.status == 66)
    }
  }

  @Test func `facts of our own are appended line by line, each line whole or not at all`() throws {
    try LedgerFolder.with { folder in
      let lines = [
        #"{"id":"manual:1","customer":"u","effectiveAt":"2026-01-01T00:00:00Z","reason":"gift","#
          + #""facts":[{"type":"granted","id":"g","entitlement":"e"}]}"#,
        #"{"type":"accountLinked","account":"stripe:cus_9","customer":"u"}"#,
        #"{"customer":"u","facts":[{"type":"granted","id":"h","entitlement":"e"},{"type":"x"}]}"#,
        #"{"facts":[]}"#, #"{"fact":1}"#,
        #"{"id":"stripe:evt_1","facts":[{"type":"noted","#
          + #""documentType":"x"}]}"#,
        "nonsense",
        #"{"id":"manual:1","customer":"v","facts":[{"type":"granted","id":"g","entitlement":"e"}]}"#,
      ]
      let input = lines.map { $0 + "\n" }.joined()
      let result = try folder.run("append", "--json", input: input)
      #expect(result.status == 1)
      let outcomes = try result.jsonLines()
      #expect(
        outcomes.map { $0["outcome"]?.string } == [
          "appended", "appended", "refused", "refused", "refused", "refused", "refused", "refused",
        ])
      let reasons = outcomes.map { $0["reason"]?.string ?? "" }
      #expect(reasons[2].contains("type is one of"))
      #expect(reasons[4].contains("an event has the fields"))
      #expect(reasons[5].contains("does not begin with stripe:"))
      #expect(reasons[7].contains("other content"))
      let event = try #require(try folder.run("events", "--json").jsonLines().first)
      #expect(event["actor"]?.string == "tester" && event["reason"]?.string == "gift")
      #expect(event["provider"]?.string == "manual" && event["origin"]?.string == "manual")
      #expect(try folder.json("check", "u", "e", "--at", "2026-06-01")["entitled"]?.bool == true)
    }
  }

  @Test func `an id that is left out is a new one of ours`() throws {
    try LedgerFolder.with { folder in
      let line = #"{"type":"noted","documentType":"x"}"# + "\n"
      #expect(try folder.run("append", input: line + line).output == "noted 1 x\nnoted 2 x\n")
      let ids = try folder.run("events", "--json").jsonLines().compactMap { $0["id"]?.string }
      #expect(Set(ids).count == 2 && ids.allSatisfy { $0.hasPrefix("manual:") && $0.count == 43 })
    }
  }

  @Test(arguments: ["", "hello", "{"])
  func `no readable event is status 65`(text: String) throws {
    try LedgerFolder.with { folder in
      let result = try folder.run("append", input: text)
      #expect(result.status == 65 && result.errors.contains("no readable event"))
    }
  }

  @Test func `a grant gives until it is revoked, and the first revocation stands`() throws {
    try LedgerFolder.with { folder in
      let granted = try folder.run("grant", "u", "premium", "--reason", "amends")
      let id = granted.output.trimmed
      #expect(granted.status == 0 && granted.output == "\(id)\n" && id.hasPrefix("manual:"))
      let answer = try folder.json("check", "u", "premium")
      #expect(answer["grants"] == .array([.string(id)]))
      #expect(try folder.json("entitlements", "u").array?.first?["grant"]?.string == id)
      #expect(
        try folder.run("revoke", id, "--reason", "over").output == "appended 2 grantRevoked\n")
      #expect(try folder.json("check", "u", "premium", status: 1)["reason"]?.string == "revoked")
      let again = try folder.run("revoke", id, "--reason", "over")
      #expect(again.status == 0 && again.errors.contains("ended already"))
      #expect(try folder.json("stats")["events"]?.integer == 2)
      let unknown = try folder.run("revoke", "manual:nothing", "--reason", "x")
      #expect(unknown.status == 1 && unknown.errors.contains("there is no grant"))
    }
  }

  @Test func `a grant has the bounds, the actor and the reason that it is given`() throws {
    try LedgerFolder.with { folder in
      let answer = try folder.json(
        "grant", "u", "premium", "--reason", "gift", "--from", "2026-01-01", "--until",
        "2026-02-01", "--actor", "ops")
      #expect(
        answer.keys == [
          "grant", "customer", "entitlement", "from", "until", "follows", "stacking", "position",
        ])
      let event = try #require(try folder.run("events", "--json").jsonLines().first)
      #expect(event["actor"]?.string == "ops" && event["reason"]?.string == "gift")
      for (day, status) in [("2025-12-31", 1), ("2026-01-01", 0), ("2026-02-01", 1)] {
        #expect(
          try folder.run("check", "u", "premium", "--at", day).status == Int32(status), "\(day)")
      }
      let backwards = try folder.run(
        "grant", "u", "premium", "--reason", "x", "--from", "2026-02-01", "--until", "2026-01-01")
      #expect(backwards.status == 64 && backwards.errors.contains("--until"))
    }
  }

  @Test func `a slip in an entitlement's key is pointed out`() throws {
    try LedgerFolder.withMembership { folder in
      let result = try folder.run("grant", "u", "premum_tier", "--reason", "x")
      #expect(result.status == 0 && result.errors.contains("the catalog has no entitlement"))
    }
  }

  @Test func `an account is linked once`() throws {
    try LedgerFolder.withMembership { folder in
      let first = try folder.run("link", "stripe:cus_2", "b")
      #expect(first.output == "appended 4 accountLinked\n" && first.errors.isEmpty)
      let again = try folder.run("link", "stripe:cus_2", "b")
      #expect(again.status == 0 && again.output.isEmpty)
      let hinted = try folder.json("link", "stripe:cus_1", "user_42")
      #expect(hinted["position"]?.isNull == true)
      #expect(try folder.json("stats")["events"]?.integer == 4)
    }
  }

  @Test func `an account of another customer's is linked anew, which is said`() throws {
    try LedgerFolder.withMembership { folder in
      #expect(try folder.run("check", "user_42", "premium_tier", "--at", "2026-01-15").status == 0)
      let text = try folder.run("link", "stripe:cus_1", "b")
      #expect(text.status == 0 && text.output == "appended 4 accountLinked\n")
      #expect(text.errors == "note: until now stripe:cus_1 was user_42's account\n")
      #expect(try folder.run("check", "b", "premium_tier", "--at", "2026-01-15").status == 0)
      #expect(try folder.run("check", "user_42", "premium_tier", "--at", "2026-01-15").status == 1)
      let json = try folder.json("link", "stripe:cus_1", "c")
      #expect(json["formerCustomer"]?.string == "b" && json["customer"]?.string == "c")
      let line = #"{"type":"accountLinked","account":"stripe:cus_1","customer":"user_42"}"#
      #expect(try folder.run("append", input: line).output == "appended 6 accountLinked\n")
      #expect(try folder.run("check", "user_42", "premium_tier", "--at", "2026-01-15").status == 0)
      #expect(
        try folder.run(
          "check", "user_42", "premium_tier", "--at", "2026-01-15", "--known-at", "5"
        ).status == 1)
    }
  }

  @Test func `a catalog is shown as it was applied, and told apart from none`() throws {
    try LedgerFolder.with { folder in
      let none = try folder.run("catalog", "show")
      #expect(none.status == 0 && none.errors.contains("no catalog"))
      let file = try folder.file("catalog.json", CommandFixture.catalog)
      #expect(try folder.run("catalog", "apply", file).output == "appended 1 catalogRevised\n")
      let shown = try folder.run("catalog", "show")
      let again = try folder.file("again.json", shown.output)
      #expect(try folder.run("catalog", "apply", again).status == 0)
      #expect(try folder.run("catalog", "show", "--json").output == shown.output)
      #expect(try folder.run("catalog", "apply", "-", input: CommandFixture.catalog).status == 0)
    }
  }

  @Test(arguments: ["{}", #"{"entitlements":[],"products":[],"plans":[]}"#])
  func `a catalog of nothing is refused, dry or not`(text: String) throws {
    try LedgerFolder.with { folder in
      let file = try folder.file("catalog.json", text)
      for options in [[], ["--dry-run"]] {
        let result = try LedgerProcess.run(
          LedgerProcess.executable,
          ["--ledger", folder.path, "catalog", "apply", file] + options)
        #expect(result.status == 65 && result.output.isEmpty)
        #expect(result.errors.contains("\(file): the catalog has no products"))
      }
      #expect(try folder.json("stats")["events"]?.integer == 0)
    }
  }

  @Test func `a catalog too large for a record is refused with the limit, dry or not`() throws {
    try LedgerFolder.with { folder in
      func catalog(_ length: Int) throws -> String {
        try folder.file(
          "catalog.json",
          #"{"entitlements":[{"key":"a","name":"\#(String(repeating: "x", count: length))"}]}"#)
      }
      func statuses(_ length: Int) throws -> [Int32] {
        let file = try catalog(length)
        return try [["--dry-run"], []].map { options in
          let result = try LedgerProcess.run(
            LedgerProcess.executable,
            ["--ledger", folder.path, "catalog", "apply", file] + options)
          if result.status != 0 {
            #expect(result.errors.contains("the most is 65535; a catalog is one record: leave out"))
          }
          return result.status
        }
      }
      var (taken, refused) = (65_000, 66_000)
      #expect(try statuses(taken) == [0, 0])
      #expect(try statuses(refused) == [65, 65])
      while refused - taken > 1 {
        let middle = (taken + refused) / 2
        let found = try statuses(middle)
        #expect(found == [0, 0] || found == [65, 65], "\(middle)")
        if found == [0, 0] { taken = middle } else { refused = middle }
      }
    }
  }

  @Test(arguments: ["", "[]", #"{"products":[{"id":"p","entitlements":["no"]}]}"#])
  func `a broken catalog or policy is bad input that is named`(text: String) throws {
    try LedgerFolder.with { folder in
      let file = try folder.file("file.json", text)
      for verb in ["catalog", "policy"] {
        let result = try folder.run(verb, "apply", file)
        #expect(result.status == 65 && result.errors.hasPrefix("ledger: \(file): "))
      }
      #expect(try folder.json("stats")["events"]?.integer == 0)
      #expect(try folder.run("catalog", "apply", "/no/such/file").status == 66)
    }
  }

  @Test func `a dry run lists who gains and loses, and records nothing`() throws {
    try LedgerFolder.withMembership { folder in
      let empty =
        #"{"entitlements":[{"key":"extra"}],"products":[{"id":"prod_pro","#
        + #""entitlements":["extra"],"stores":[{"provider":"stripe","product":"prod_A"}]}]}"#
      let file = try folder.file("next.json", empty)
      let changes = try folder.json(
        "catalog", "apply", file, "--applies-to", "everyone", "--from", "2026-01-10",
        "--dry-run")
      try expectSnapshot(changes.text(indentation: 2) + "\n", named: "catalog-dry-run.json")
      let text = try folder.run(
        "catalog", "apply", file, "--applies-to", "everyone", "--from", "2026-01-10",
        "--dry-run")
      #expect(text.output.contains("gains") && text.output.contains("loses"))
      #expect(try folder.json("stats")["events"]?.integer == 3)
      _ = try folder.run(
        "catalog", "apply", file, "--applies-to", "everyone", "--from", "2026-01-10")
      #expect(
        try folder.run("check", "user_42", "extra", "--at", "2026-01-15").status == 0)
      #expect(
        try folder.run("check", "user_42", "premium_tier", "--at", "2026-01-15").status == 1)
    }
  }

  @Test func `a policy is shown as it was applied, with its defaults`() throws {
    try LedgerFolder.with { folder in
      #expect(try folder.json("policy", "show")["openDispute"]?.string == "hold")
      let text = #"{"grace":{"stripe":"P3D"},"openDispute":"ignore"}"#
      let result = try folder.run("policy", "apply", "-", input: text)
      #expect(result.output == "appended 1 policyRevised\n")
      let shown = try folder.json("policy", "show")
      #expect(shown["openDispute"]?.string == "ignore")
      #expect(shown["grace"]?["stripe"]?.string == "P3D")
    }
  }
}
