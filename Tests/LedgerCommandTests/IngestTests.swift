import LedgerCrypto
import MembershipModel
import Testing

@testable import LedgerCommand

/// Documents in.
@Suite struct IngestTests {
  private static let first = CommandFixture.paidMonth[0]
  private static let second = CommandFixture.paidMonth[1]
  private static let unknown = CommandFixture.event("evt_3", "moon.risen", #"{"object":"moon"}"#)

  private static let shapes: [(name: String, text: String)] = [
    ("lines", "\(first)\n\n\(second)\n"),
    ("array", " [\(first) ,\n \(second)]\n"),
    ("list", #"{"object":"list","has_more":false,"data":[\#(first),\#(second)],"url":"/v1"}"#),
    ("lists a line", #"{"object":"list","data":[\#(first)]}"# + "\n[\(second)]\n"),
  ]

  @Test(arguments: shapes)
  func `lines, arrays and lists are taken apart, from files and standard input`(
    name: String, text: String
  ) throws {
    let expected = "appended 1 observed purchased accountLinked\nappended 2 invoiced purchased\n"
    try LedgerFolder.with { folder in
      let result = try folder.run("ingest", "stripe", "--trust-unsigned", input: text)
      #expect(result.output == expected, "\(name): \(result.errors)")
      let file = try folder.file("documents.json", text)
      let again = try folder.run("ingest", "stripe", "--trust-unsigned", file)
      #expect(again.output == "duplicate 1\nduplicate 2\n" && again.status == 0)
    }
  }

  @Test func `files are taken in order, a hyphen for standard input among them`() throws {
    try LedgerFolder.with { folder in
      let one = try folder.file("1.json", Self.second)
      let other = try folder.file("2.json", Self.unknown)
      let result = try folder.run(
        "ingest", "stripe", "--trust-unsigned", one, "-", other, input: Self.first)
      #expect(
        result.output == """
          appended 1 invoiced purchased
          appended 2 observed purchased accountLinked
          noted 3 moon.risen

          """)
    }
  }

  @Test func `each outcome is a line of JSON with every field`() throws {
    try LedgerFolder.with { folder in
      let changed = Self.first.replacing("\"quantity\":1", with: "\"quantity\":2")
      let lines = [Self.first, Self.first, Self.unknown, "{broken", "{\"a\":1}", changed]
      let result = try folder.run(
        "ingest", "stripe", "--trust-unsigned", "--json",
        input: lines.map { $0 + "\n" }.joined())
      #expect(result.status == 1)
      let outcomes = try result.jsonLines()
      #expect(
        outcomes.map { $0["outcome"]?.string } == [
          "appended", "duplicate", "noted", "refused", "refused", "refused",
        ])
      #expect(
        outcomes.map { $0["source"]?.string } == ["-:1", "-:2", "-:3", "-:4", "-:5", "-:6"])
      for outcome in outcomes {
        #expect(outcome.keys == ["outcome", "position", "facts", "reason", "retry", "source"])
        let isRefused = outcome["outcome"]?.string == "refused"
        #expect(outcome["position"]?.isNull == isRefused)
      }
      #expect(outcomes[2]["reason"]?.string == "moon.risen")
      #expect(outcomes[4]["reason"]?.string?.hasPrefix("wrongShape: ") == true)
      #expect(outcomes[5]["reason"]?.string?.contains("position 1 with other content") == true)
    }
  }

  private static let unreadable: [(name: String, text: String)] = [
    ("nothing", ""), ("spaces", " \n\t\n"), ("words", "hello world"), ("half", #"{"id":"evt_1""#),
    ("broken lines", "{\n{\n"), ("deep", String(repeating: "[", count: 200)),
    ("not UTF-8 escapes", #"{"a":"\ud800"}"#),
  ]

  @Test(arguments: unreadable)
  func `without one readable document the status is 65 and nothing is recorded`(
    name: String, text: String
  ) throws {
    try LedgerFolder.with { folder in
      let result = try folder.run("ingest", "stripe", "--trust-unsigned", input: text)
      #expect(result.status == 65, "\(name)")
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("ledger: -: there is no readable document"))
      let file = try folder.file("hook.json", text)
      let named = try folder.run("ingest", "stripe", "--trust-unsigned", file)
      #expect(named.errors.hasPrefix("ledger: \(file): there is no readable document"))
      #expect(try folder.json("stats")["events"]?.integer == 0)
    }
  }

  @Test func `an id that cannot be recorded is refused with the rule for ids`() throws {
    try LedgerFolder.with { folder in
      for id in ["", "evt_\\u0007", String(repeating: "x", count: 505)] {
        let result = try folder.run(
          "ingest", "stripe", "--trust-unsigned",
          input: CommandFixture.event(id, "x", #"{"object":"x"}"#))
        #expect(result.status == 1)
        #expect(result.output.contains("1 to 511 bytes of UTF-8 and no control characters"))
      }
    }
  }

  @Test func `a bare object without a time is refused with a way to record it`() throws {
    try LedgerFolder.with { folder in
      let result = try folder.run(
        "ingest", "stripe", "--trust-unsigned",
        input: #"{"object":"invoice","id":"in_1","customer":"cus_1","status":"paid"}"#)
      #expect(result.status == 1 && result.output.contains("the webhook's whole envelope"))
    }
  }

  @Test func `a document over 16 MiB is refused`() throws {
    try LedgerFolder.with { folder in
      let large = #"{"a":""# + String(repeating: "x", count: 16 << 20) + #""}"#
      let result = try folder.run("ingest", "stripe", "--trust-unsigned", input: large)
      #expect(result.status == 65 && result.errors.contains("16 MiB"))
    }
  }

  @Test func `an empty list holds no documents and is no error`() throws {
    try LedgerFolder.with { folder in
      let result = try folder.run("ingest", "stripe", "--trust-unsigned", input: "[]")
      #expect(result.status == 0 && result.output.isEmpty)
    }
  }

  @Test func `a missing file is found before anything is recorded`() throws {
    try LedgerFolder.with { folder in
      let file = try folder.file("1.json", Self.first)
      let result = try folder.run("ingest", "stripe", "--trust-unsigned", file, "/no/such/file")
      #expect(result.status == 66 && result.output.isEmpty)
      #expect(result.errors.hasPrefix("ledger: /no/such/file: there is no such file"))
      #expect(try folder.json("stats")["events"]?.integer == 0)
    }
  }

  @Test func `without proof or trust everything unsigned is refused with the remedy`() throws {
    try LedgerFolder.with { folder in
      let result = try folder.run("ingest", "stripe", input: Self.first)
      #expect(result.status == 1)
      #expect(result.output.hasPrefix("refused -: noSecret: "))
      #expect(result.errors.contains("--trust-unsigned"))
      let secret = try folder.file("whsec", "whsec_1")
      let unsigned = try folder.run(
        "ingest", "stripe", "--secret-file", secret, input: Self.first)
      #expect(unsigned.status == 1 && unsigned.output.contains("missingSignature"))
    }
  }

  @Test func `a document of the other environment is refused where one is demanded`() throws {
    try LedgerFolder.with { folder in
      let result = try folder.run(
        "ingest", "stripe", "--trust-unsigned", "--environment", "sandbox", input: Self.first)
      #expect(result.status == 1 && result.output.contains("wrongEnvironment"))
    }
  }

  @Test func `documents keep the bytes that are their own`() throws {
    try LedgerFolder.with { folder in
      let spaced = Self.first.replacing(
        "\"livemode\":true,\"data\"", with: "\"livemode\" : true , \"data\"")
      _ = try folder.run(
        "ingest", "stripe", "--trust-unsigned", input: "[\(spaced),\(Self.second)]")
      #expect(try folder.json("stats")["documents"]?.integer ?? 0 >= 2)
      #expect(try folder.json("verify")["missingDocuments"]?.integer == 0)
      let lines = try folder.run("events", "--json").jsonLines()
      #expect(lines.allSatisfy { $0["document"]?.string?.count == 64 })
      #expect(lines.allSatisfy { $0["origin"]?.string == "import" })
    }
  }
}

/// Signed documents.
@Suite struct SignedIngestTests {
  private static let body = CommandFixture.paidMonth[0]

  private static func headers(
    secret: String, of body: String = body, at time: Int64 = Timestamp.now().milliseconds / 1000
  ) -> String {
    let code = HMACSHA256.authenticationCode(
      for: Array("\(time).\(body)".utf8), key: Array(secret.utf8))
    return "Host: example.com\r\nstripe-signature: t=\(time),v1=\(code)\r\n"
  }

  @Test func `a signature is checked against several secrets`() throws {
    try LedgerFolder.with { folder in
      let headers = try folder.file("headers", Self.headers(secret: "whsec_new"))
      let old = try folder.file("old", "whsec_old\n")
      let new = try folder.file("new", "whsec_new\n")
      let wrong = try folder.run(
        "ingest", "stripe", "--headers", headers, "--secret-file", old, input: Self.body)
      #expect(wrong.status == 1 && wrong.output.contains("signatureMismatch"))
      let right = try folder.run(
        "ingest", "stripe", "--headers", headers, "--secret-file", old, "--secret-file", new,
        input: Self.body)
      #expect(right.output == "appended 1 observed purchased accountLinked\n")
      let event = try #require(try folder.run("events", "--json").jsonLines().first)
      #expect(event["verification"]?.string == "verified")
      #expect(event["verifiedBy"]?.string == "stripe-signature v1")
      #expect(event["origin"]?.string == "webhook")
    }
  }

  @Test func `one changed byte or an old signature is refused`() throws {
    try LedgerFolder.with { folder in
      let secret = try folder.file("secret", "whsec_1")
      let headers = try folder.file("headers", Self.headers(secret: "whsec_1"))
      let changed = try folder.run(
        "ingest", "stripe", "--headers", headers, "--secret-file", secret,
        input: Self.body + " ")
      #expect(changed.status == 1 && changed.output.contains("signatureMismatch"))
      let late = try folder.file("late", Self.headers(secret: "whsec_1", at: 1_700_000_000))
      let old = try folder.run(
        "ingest", "stripe", "--headers", late, "--secret-file", secret, "--json",
        input: Self.body)
      let outcome = try #require(try old.jsonLines().first)
      #expect(outcome["reason"]?.string?.hasPrefix("tooOld: ") == true)
      #expect(outcome["retry"]?.bool == true)
    }
  }

  @Test func `headers belong to one document`() throws {
    try LedgerFolder.with { folder in
      let headers = try folder.file("headers", Self.headers(secret: "whsec_1"))
      let result = try folder.run("ingest", "stripe", "--headers", headers, "a.json", "b.json")
      #expect(result.status == 64 && result.errors.contains("--headers belong to one document"))
    }
  }

  @Test func `broken headers and empty secrets are bad input`() throws {
    try LedgerFolder.with { folder in
      let headers = try folder.file("headers", "Host: x\nnonsense\n")
      let broken = try folder.run("ingest", "stripe", "--headers", headers, input: Self.body)
      #expect(broken.status == 65 && broken.errors.contains("line 2 is no header"))
      let secret = try folder.file("secret", "\n")
      let empty = try folder.run("ingest", "stripe", "--secret-file", secret, input: Self.body)
      #expect(empty.status == 65 && empty.errors.contains("no secret"))
      #expect(try folder.run("ingest", "stripe", "--secret-file", "/no/file").status == 66)
    }
  }

  @Test func `a signed body that is no JSON is unreadable`() throws {
    try LedgerFolder.with { folder in
      let secret = try folder.file("secret", "whsec_1")
      let headers = try folder.file("headers", Self.headers(secret: "whsec_1", of: "x"))
      let result = try folder.run(
        "ingest", "stripe", "--headers", headers, "--secret-file", secret, input: "x")
      #expect(result.status == 65)
    }
  }
}
