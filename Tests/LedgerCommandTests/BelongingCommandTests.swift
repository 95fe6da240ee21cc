import MembershipModel
import Testing

@Suite struct BelongingCommandTests {
  @Test func `an account is unlinked, and unlinking again changes nothing`() throws {
    try LedgerFolder.withMembership { folder in
      let wrong = try folder.run("unlink", "stripe:cus_1", "user_7")
      #expect(wrong.status == 1 && wrong.errors.contains("user_42's account"))
      let done = try folder.run("unlink", "stripe:cus_1", "user_42", "--reason", "mistake")
      #expect(done.output == "appended 4 accountUnlinked\n")
      let again = try folder.json("unlink", "stripe:cus_1")
      #expect(again.keys == ["account", "customer", "position"])
      #expect(again["position"]?.isNull == true)
      let event = try #require(
        try folder.run("events", "--after", "3", "--json").jsonLines().first)
      #expect(event["reason"]?.string == "mistake" && event["actor"]?.string == "tester")
      #expect(
        try folder.run("check", "stripe:cus_1", "premium_tier", "--at", "2026-01-15").status == 0)
      #expect(
        try folder.run("check", "user_42", "premium_tier", "--at", "2026-01-15").status == 1)
    }
  }

  @Test func `customers are merged and unmerged, each refusal said`() throws {
    try LedgerFolder.withMembership { folder in
      #expect(
        try folder.run("merge", "user_42", "user_43").output == "appended 4 customersMerged\n")
      let again = try folder.run("merge", "user_42", "user_43")
      #expect(again.status == 0 && again.output.isEmpty)
      #expect(again.errors.contains("one customer already"))
      #expect(
        try folder.run("check", "user_43", "premium_tier", "--at", "2026-01-15").status == 0)
      for (arguments, message) in [
        (["merge", "user_42", "user_42"], "not merged into itself"),
        (["merge", "user_42", "user_44"], "was merged into user_43"),
        (["merge", "stripe:cus_1", "user_44"], "is an account"),
        (["unmerge", "user_42", "user_44"], "it is merged into user_43"),
        (["unmerge", "user_43", "user_42"], "it is merged into nobody"),
      ] {
        let refused = try folder.run(arguments[0], arguments[1], arguments[2])
        #expect(refused.status == 1 && refused.errors.contains(message), "\(arguments)")
      }
      let undone = try folder.json("unmerge", "user_42", "user_43", "--reason", "two people")
      #expect(undone.keys == ["from", "into", "position"])
      #expect(undone["position"]?.integer == 5)
      #expect(
        try folder.run("check", "user_43", "premium_tier", "--at", "2026-01-15").status == 1)
    }
  }

  @Test func `a membership is transferred and given back, and going to and fro is pointed out`()
    throws
  {
    try LedgerFolder.withMembership { folder in
      func transfer(_ customer: String, _ at: String) throws -> LedgerProcess {
        try folder.run("transfer", "stripe:sub_1", customer, "--reason", "sold", "--at", at)
      }
      #expect(try transfer("user_43", "2026-01-10").output == "appended 4 transferred\n")
      let again = try transfer("user_43", "2026-01-10")
      #expect(again.status == 0 && again.output.isEmpty)
      #expect(again.errors.contains("user_43 holds the membership already"))
      let early = try folder.run(
        "transfer", "stripe:sub_1", "--undo", "--reason", "mistake", "--at", "2026-01-09")
      #expect(early.status == 65 && early.errors.contains("2026-01-10T00:00:00.000Z"))
      #expect(early.errors.contains("2026-01-09T00:00:00.000Z"))
      let undone = try folder.json(
        "transfer", "stripe:sub_1", "--undo", "--reason", "mistake", "--at", "2026-01-11")
      #expect(
        undone.keys == [
          "membership", "from", "customer", "at", "undoes", "pingPong", "position",
        ])
      #expect(undone["undoes"]?.string?.hasPrefix("manual:") == true)
      #expect(undone["from"]?.string == "user_43" && undone["pingPong"]?.bool == false)
      for (day, status) in [("2026-01-09", 1), ("2026-01-10", 0), ("2026-01-11", 1)] {
        let check = try folder.run("check", "user_43", "premium_tier", "--at", day)
        #expect(check.status == Int32(status), "\(day)")
      }
      let third = try transfer("user_43", "2026-01-12")
      #expect(third.errors.contains("goes to and fro between user_42, user_43"))
      let refused = try folder.run("transfer", "stripe:sub_1", "stripe:cus_9", "--reason", "x")
      #expect(refused.status == 1 && refused.errors.contains("nobody's account"))
      let unknown = try folder.run("transfer", "stripe:sub_9", "user_43", "--reason", "x")
      #expect(unknown.status == 1 && unknown.errors.contains("no membership stripe:sub_9"))
    }
  }

  @Test func `a transfer names its customer or is an undoing, and says why`() throws {
    try LedgerFolder.withMembership { folder in
      let sub = "stripe:sub_1"
      #expect(try folder.run("transfer", sub, "user_43").status == 64)
      #expect(try folder.run("transfer", sub, "--reason", "x").status == 64)
      #expect(
        try folder.run("transfer", sub, "user_43", "--undo", "--reason", "x").status == 64)
      let nothing = try folder.run("transfer", sub, "--undo", "--reason", "x")
      #expect(nothing.status == 1 && nothing.errors.contains("nothing to undo"))
    }
  }

  @Test func `each verb works in the environment that is named`() throws {
    try LedgerFolder.withMembership { folder in
      #expect(
        try folder.run("unlink", "stripe:cus_1", "--environment", "sandbox").output.isEmpty)
      let transfer = try folder.run(
        "transfer", "stripe:sub_1", "u", "--reason", "x", "--environment", "sandbox")
      #expect(transfer.status == 1)
      #expect(
        try folder.run("merge", "user_42", "u", "--environment", "sandbox").status == 0)
      #expect(try folder.run("check", "u", "premium_tier", "--at", "2026-01-15").status == 1)
      #expect(try folder.run("unmerge", "user_42", "u").status == 1)
      #expect(
        try folder.run("unmerge", "user_42", "u", "--environment", "sandbox").status == 0)
    }
  }

  @Test func `a withdrawal by hand is refused with nothing pending, and with the end in effect`()
    throws
  {
    try LedgerFolder.withMembership { folder in
      func append(_ fact: String, _ at: String) throws -> LedgerProcess {
        try folder.run(
          "append",
          input: #"{"effectiveAt":"\#(at)","facts":[{"membership":"stripe:sub_1",\#(fact)}]}"#)
      }
      let withdrawal = #""type":"cancellationWithdrawn""#
      let nothing = try append(withdrawal, "2026-01-10T00:00:00Z")
      #expect(nothing.status == 1 && nothing.output.contains("no cancellation"))
      let cancelled = try append(
        #""type":"cancellationScheduled","effectiveAt":"2026-02-01T00:00:00Z""#,
        "2026-01-11T00:00:00Z")
      #expect(cancelled.status == 0, "\(cancelled.output)")
      let late = try append(withdrawal, "2026-02-01T00:00:00Z")
      #expect(late.status == 1 && late.output.contains("in effect since 2026-02-01"))
      #expect(try append(withdrawal, "2026-01-31T00:00:00Z").status == 0)
    }
  }
}
