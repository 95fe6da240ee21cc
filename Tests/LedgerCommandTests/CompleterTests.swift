import Testing

@testable import LedgerCommand

/// A table whose candidates are known.
private enum Sample {
  static let root = CommandSpec(
    "ledger", group: .help, abstract: "A table for tests",
    subcommands: [
      CommandSpec(
        "look", group: .ask, abstract: "Look around",
        options: [
          Argument<TimeValue?>.option("at", help: "When.").definition,
          Argument<InputFile?>.option("from", help: "Where from.").definition,
          Argument<[String]>.repeatedOption("tag", help: "Tags.").definition,
        ],
        operands: [
          Argument<String>.operand("WHO", help: "Who.", completion: .dynamic(customers)).definition,
          Argument<Folder?>.optionalOperand("DIR", help: "Where to.").definition,
        ], command: CompletionCommand.init),
      CommandSpec(
        "rule", group: .ask, abstract: "Rules",
        subcommands: [
          CommandSpec(
            "show", group: .ask, abstract: "Show them", command: CompletionCommand.init)
        ]),
    ])

  @Sendable static func customers(_ context: CompletionContext) -> [Candidate] {
    [
      Candidate("stripe:cus_1", "in \(context.ledgerPath)"),
      Candidate("stripe:cus_2", "two\nlines"),
      Candidate("$(reboot)", "hostile"), Candidate("a b", "hostile"),
    ]
  }

  static func answer(_ words: String..., environment: [String: String] = [:]) -> [String] {
    Completer(root: root, environment: environment).answer(to: words)
  }
}

@Suite struct CompleterTests {
  @Test func `commands are offered with what they do`() {
    #expect(Sample.answer("") == ["look\tLook around", "rule\tRules"])
    #expect(Sample.answer("ru") == ["rule\tRules"])
    #expect(Sample.answer("rule", "") == ["show\tShow them"])
    #expect(Sample.answer("--ledger", "x", "--json", "l") == ["look\tLook around"])
    #expect(Sample.answer() == ["look\tLook around", "rule\tRules"])
  }

  @Test func `options are offered that are not given yet`() {
    #expect(Sample.answer("look", "--a") == ["--at\tWhen."])
    #expect(Sample.answer("look", "--at", "now", "--a") == [])
    #expect(Sample.answer("look", "--tag", "x", "--t") == ["--tag\tTags."])
    #expect(Sample.answer("look", "-").contains { $0.hasPrefix("--color\t") })
  }

  @Test func `an option's values follow it in either form`() {
    #expect(Sample.answer("look", "--at", "n") == ["now\tthe present instant"])
    #expect(Sample.answer("look", "--at=n") == ["--at=now\tthe present instant"])
    #expect(Sample.answer("look", "--color", "a") == ["auto", "always"])
    #expect(Sample.answer("look", "--from", "") == [":file"])
    #expect(Sample.answer("look", "--from=x") == [":file"])
    #expect(Sample.answer("--ledger", "") == [":dir"])
  }

  @Test func `words that bash has split are put together again`() {
    #expect(Sample.answer("look", "--color", "=", "ne") == ["--color=never"])
    #expect(Sample.answer("look", "--color", "=").count == 3)
    #expect(
      Sample.answer("look", "stripe", ":", "cus_1") == ["stripe:cus_1\tin ./membership.ledger"])
  }

  @Test func `words from the ledger name the ledger at hand and stay harmless`() {
    let answer = Sample.answer("--ledger", "other", "look", "", environment: ["LEDGER_PATH": "env"])
    #expect(answer == ["stripe:cus_1\tin other", "stripe:cus_2\ttwo\\nlines"])
    #expect(
      Sample.answer("look", "stripe:cus_1", "--", "", environment: ["LEDGER_PATH": "env"])
        == [":dir"])
    #expect(
      Sample.answer("look", "st", environment: ["LEDGER_PATH": "env"]).first?.hasSuffix("in env")
        == true)
  }

  @Test func `nothing is offered after the last operand`() {
    #expect(Sample.answer("look", "a", "b", "") == [])
  }
}
