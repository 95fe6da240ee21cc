import LedgerTestSupport
import MembershipModel
import Testing

@Suite struct `A policy file` {
  private static let example = """
    {
      "grace": { "stripe": "P3D", "whop": "P0D" },
      "renewalTolerance": { "stripe": "PT2H30M", "whop": "P0D" },
      "trustStanding": { "stripe": false, "whop": true },
      "fullRefund": "keep",
      "partialRefund": "revoke",
      "openDispute": "ignore",
      "inquiry": "hold",
      "lostDispute": "keep",
      "fraudWarning": "hold",
      "pause": "ignore",
      "restores": "transferIfInactive",
      "environments": ["production"]
    }
    """

  private func parse(_ text: String) throws(InvalidValue) -> Policy {
    try Policy(parsing: Array(text.utf8))
  }

  @Test func `is read whole`() throws {
    let stripe = Policy.ProviderRules(
      provider: .stripe, graceMilliseconds: 259_200_000, renewalToleranceMilliseconds: 9_000_000,
      distrustsStanding: true)
    #expect(
      try parse(Self.example)
        == Policy(
          providers: [stripe, Policy.ProviderRules(provider: .whop)], fullRefund: .keep,
          partialRefund: .revoke, openDispute: .ignore, inquiry: .hold, lostDispute: .keep,
          fraudWarning: .hold, pause: .ignore, restores: .transferIfInactive,
          environments: [.production]))
  }

  @Test func `that leaves everything out is the default policy`() throws {
    #expect(try parse("{}") == Policy())
    #expect(try parse(#"{"pause":null,"grace":{}}"#) == Policy())
  }

  @Test func `is written as it is read`() throws {
    let document = try JSONValue(parsing: Array(Self.example.utf8))
    #expect(try parse(Self.example).fileText() == document.text(indentation: 2) + "\n")
    #expect(try parse(Policy().fileText()) == Policy())
  }

  @Test(arguments: [
    (
      #"{"graze":{}}"#,
      #""graze": no such field is known; remove it or use one of grace, renewalTolerance,"#
        + " trustStanding, fullRefund, partialRefund, openDispute, inquiry, lostDispute,"
        + " fraudWarning, pause, restores, environments"
    ),
    (#"{"grace":"P3D"}"#, #""grace": an object is expected"#),
    (
      #"{"grace":{"strype":"P3D"}}"#,
      #""grace": "strype" is no provider; use one of stripe, app-store, google-play, whop, voidhash,"#
        + " revenuecat, manual"
    ),
    (
      #"{"grace":{"stripe":"P1M"}}"#,
      #""grace.stripe": a duration of days, hours and minutes is expected, such as "P3D" or"#
        + #" "PT2H30M", not "P1M""#
    ),
    (
      #"{"renewalTolerance":{"stripe":7200}}"#,
      #""renewalTolerance.stripe": a duration of days, hours and minutes is expected, such as "P3D""#
        + #" or "PT2H30M", not 7200"#
    ),
    (#"{"trustStanding":{"stripe":"yes"}}"#, #""trustStanding.stripe": true or false is expected"#),
    (#"{"fullRefund":"hold"}"#, #""fullRefund": "hold" is no choice; use one of revoke, keep"#),
    (#"{"pause":true}"#, #""pause": true is no choice; use one of hold, ignore"#),
    (
      #"{"restores":"x"}"#,
      #""restores": "x" is no choice; use one of transfer, keepWithOwner, transferIfInactive"#
    ),
    (
      #"{"environments":["production","test"]}"#,
      #""environments[1]": "test" is no choice; use one of production, sandbox"#
    ),
    (
      #"{"environments":[]}"#,
      #""environments": one at least is accepted; name production, sandbox or both"#
    ),
  ])
  func `with a fault is refused with place, rule and remedy`(file: String, expected: String) {
    do {
      _ = try parse(file)
      Issue.record("\(file) was read")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test func `checks policies made in code by the same rules`() {
    let rules = Policy.ProviderRules(provider: .stripe)
    #expect(throws: InvalidValue.self) { try Policy(providers: [rules, rules]).check() }
    let negative = Policy.ProviderRules(provider: .stripe, graceMilliseconds: -1)
    #expect(throws: InvalidValue.self) { try Policy(providers: [negative]).check() }
    #expect(throws: InvalidValue.self) { try Policy(environments: []).check() }
  }
}
