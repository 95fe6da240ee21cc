import LedgerTestSupport
import MembershipModel
import Testing

/// Kept documents read again by the command.
@Suite struct ReinterpretCommandTests {
  private static let webhook = """
    {"action":"membership.went_valid","data":{"id":"mem_1","product_id":"prod_1",\
    "user_id":"user_1","plan_id":"plan_1","status":"past_due","valid":null,\
    "created_at":1767225600,"renewal_period_start":1767225600,"renewal_period_end":1769904000}}
    """

  /// A ledger with one document of Whop's, taken in with some settings.
  private func withWhop(
    _ setting: String..., body: (LedgerFolder) throws -> Void
  ) throws {
    try LedgerFolder.with { folder in
      let file = try folder.file("whop.json", Self.webhook)
      let outcome = try folder.run(["ingest", "whop", "--trust-unsigned"] + setting + [file])
      #expect(outcome.status == 0)
      try body(folder)
    }
  }

  @Test func `with the same settings nothing differs`() throws {
    try withWhop("--keeps-past-due") { folder in
      let outcome = try folder.run("reinterpret", "--keeps-past-due")
      #expect(outcome.status == 0)
      #expect(outcome.output == "1 unchanged, 0 corrected\n")
      #expect(try folder.json("stats")["events"] == .integer(1))
    }
  }

  @Test func `what differs is shown, then corrected, and marked in the timeline`() throws {
    try withWhop { folder in
      let dry = try folder.run("reinterpret", "--keeps-past-due", "--dry-run")
      #expect(dry.status == 0)
      #expect(dry.output.hasPrefix("differs whop:"))
      #expect(dry.output.hasSuffix("0 unchanged, 1 would be corrected\n"))
      #expect(try folder.json("stats")["events"] == .integer(1))
      let lines = try folder.run("reinterpret", "--keeps-past-due", "--json").output
        .split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(lines.count == 2)
      #expect(lines.first?["verdict"] == .string("differs"))
      #expect(lines.first?["position"] == .integer(1))
      #expect(lines.first?["recordedAs"] == .integer(2))
      #expect(lines.last?["differing"] == .integer(1))
      #expect(lines.last?["dryRun"] == .bool(false))
      let events = try folder.json("timeline", "whop:mem_1")["events"]?.array
      #expect(events?.count == 2)
      #expect(events?.first?["correctedBy"] == .integer(2))
      #expect(events?.last?["correctedBy"] == .null)
      let drawing = try folder.run("timeline", "whop:mem_1").output
      #expect(drawing.contains(", corrected at 2"))
      #expect(try folder.run("verify").status == 0)
      #expect(try folder.run("replay").status == 0)
      #expect(
        try folder.run("reinterpret", "--keeps-past-due").output
          == "1 unchanged, 0 corrected\n")
    }
  }

  @Test func `only one provider's documents are read where it is named`() throws {
    try withWhop { folder in
      let outcome = try folder.run("reinterpret", "--keeps-past-due", "--provider", "whop")
      #expect(outcome.output.hasSuffix("0 unchanged, 1 corrected\n"))
      let stripe = try folder.run("reinterpret", "--provider", "stripe")
      #expect(stripe.output == "0 unchanged, 0 corrected\n")
    }
  }

  @Test func `a setting of another provider is refused`() throws {
    try withWhop { folder in
      let outcome = try folder.run("reinterpret", "--provider", "stripe", "--keeps-past-due")
      #expect(outcome.status == 64)
      #expect(
        outcome.errors.contains("--keeps-past-due is a setting of whop, not of stripe"))
      let file = try folder.file("stripe.json", "{}")
      let ingest = try folder.run("ingest", "stripe", "--trust-unsigned", "--observer", file)
      #expect(ingest.status == 64)
      #expect(ingest.errors.contains("--observer is a setting of voidhash, not of stripe"))
    }
  }
}
