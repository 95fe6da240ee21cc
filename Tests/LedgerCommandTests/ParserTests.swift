import MembershipModel
import Testing

@testable import LedgerCommand

/// A small table with every kind of argument.
private enum Sample: String, ChoiceValue {
  case first, second

  static let root = CommandSpec(
    "ledger", group: .help, abstract: "A table for tests",
    subcommands: [
      CommandSpec(
        "look", group: .ask, abstract: "Look",
        options: [
          at.definition, after.definition, verbose.definition, choice.definition, tags.definition,
        ],
        operands: [who.definition, file.definition], command: { _ in NoCommand() }),
      CommandSpec(
        "rule", group: .ask, abstract: "Rule",
        subcommands: [
          CommandSpec(
            "set", group: .ask, abstract: "Set", options: [reason.definition],
            operands: [files.definition], command: { _ in NoCommand() })
        ]),
    ])

  static let at: Argument<TimeValue?> = .option("at", help: "")
  static let after: Argument<Count?> = .option("after", short: "a", help: "")
  static let verbose: Argument<Bool> = .flag("verbose", short: "v", help: "")
  static let choice: Argument<Sample?> = .option("choice", help: "")
  static let tags: Argument<[String]> = .repeatedOption("tag", help: "")
  static let who: Argument<CustomerID> = .operand("WHO", help: "")
  static let file: Argument<InputFile?> = .optionalOperand("FILE", help: "")
  static let reason: Argument<String> = .requiredOption("reason", help: "")
  static let files: Argument<[InputFile]> = .operands("FILE", help: "")

  static func parse(_ words: String...) throws(UsageError) -> Invocation {
    try Parser.parse(words, root: root)
  }

  static func error(_ words: String...) -> UsageError? {
    do throws(UsageError) {
      _ = try Parser.parse(words, root: root)
      return nil
    } catch {
      return error
    }
  }
}

private struct NoCommand: Command {
  static let spec = CommandSpec(
    "none", group: .ask, abstract: "None", command: { _ in NoCommand() })
  init(_ values: ParsedValues) {}
  init() {}
  func run(in context: CommandContext) -> ExitCode { .done }
}

@Suite struct ParserTests {
  @Test func `options, flags and operands mix in any order`() throws {
    let invocation = try Sample.parse("look", "--verbose", "ann", "--after", "7", "-", "--tag=x")
    let values = invocation.values
    #expect(invocation.path.map(\.name) == ["ledger", "look"])
    #expect(values[Sample.who] == "ann")
    #expect(values[Sample.file] == .standardInput)
    #expect(values[Sample.after]?.value == 7)
    #expect(values[Sample.verbose])
    #expect(values[Sample.at] == nil)
    #expect(values[Sample.tags] == ["x"])
  }

  @Test(arguments: [
    ["--json", "--ledger", "d", "look", "a"], ["look", "a", "--json", "--ledger=d"],
  ])
  func `global options stand before or after the command`(words: [String]) throws {
    let invocation = try Parser.parse(words, root: Sample.root)
    #expect(invocation.global.printsJSON)
    #expect(invocation.global.ledger == "d")
    #expect(!invocation.global.isQuiet)
    #expect(invocation.global.color == .auto)
  }

  @Test func `short flags share a word, and the value of the last may stand in it`() throws {
    let values = try Sample.parse("look", "ann", "-vqa7").values
    #expect(values[Sample.verbose])
    #expect(values[Sample.after]?.value == 7)
    #expect(try Sample.parse("look", "ann", "-va", "7").values[Sample.after]?.value == 7)
  }

  @Test func `after two dashes every word is an operand`() throws {
    let values = try Sample.parse("look", "--", "--verbose", "-x").values
    #expect(values[Sample.who] == "--verbose")
    #expect(values[Sample.file] == .path("-x"))
    #expect(!values[Sample.verbose])
  }

  @Test func `an option that may repeat keeps every value in order`() throws {
    let values = try Sample.parse("look", "a", "--tag", "x", "--tag=y", "--tag", "x").values
    #expect(values[Sample.tags] == ["x", "y", "x"])
  }

  @Test func `a value may be empty only where its type allows it`() {
    #expect(Sample.error("look", "a", "--tag=")?.message == "--tag: '' must not be empty")
    #expect(Sample.error("look", "")?.message.contains("at least one byte") == true)
  }

  @Test func `a subcommand's path is named in its errors`() {
    let error = Sample.error("rule", "set", "f")
    #expect(error?.commandPath == ["rule", "set"])
    #expect(error?.message == "--reason is missing")
    #expect(error?.hint == "Usage: ledger rule set [FILE…] --reason TEXT")
    #expect(error?.lines.last == "See 'ledger rule set --help'.")
  }

  private static let wrongWords: [(word: String, message: String, hint: String?)] = [
    ("lok", "there is no command 'lok'", "Did you mean 'look'?"),
    ("rul", "there is no command 'rul'", "Did you mean 'rule'?"),
    ("zebra", "there is no command 'zebra'", nil),
    ("--jsn", "there is no option '--jsn'", "Did you mean '--json'?"),
    ("--verbose", "there is no option '--verbose'", "--verbose is an option of 'look'"),
    ("rule", "a command is missing", "It has set."),
    ("--ledger", "--ledger needs a value: DIR", nil),
    ("--json=1", "--json takes no value", nil),
    ("-z", "there is no option '-z'", nil),
    ("\u{1B}[31m", "there is no command '\\u{1B}[31m'", nil),
  ]

  @Test(arguments: wrongWords)
  func `a wrong word is named with what was probably meant`(
    word: String, message: String, hint: String?
  ) throws {
    let error = try #require(Sample.error(word))
    #expect(error.message == message)
    #expect(hint == nil ? error.hint == nil : error.hint?.hasPrefix(hint ?? "") == true)
  }

  private static let wrongValues: [(words: [String], message: String, hint: String?)] = [
    (
      ["--choice", "secnd"], "--choice: 'secnd' is not one of first, second",
      "Did you mean 'second'?"
    ),
    (["--at", "yesterday"], "--at: 'yesterday' is not a time", "Write RFC 3339"),
    (["--after", "-1"], "--after needs a value: N", "A value that begins with a dash"),
    (["--after=-1"], "--after: '-1' is not a whole number", "Write digits only"),
    (["--at", "now", "--at", "now"], "--at is given twice", nil),
    (["b", "c"], "the operand 'c' is one too many", nil),
  ]

  @Test(arguments: wrongValues)
  func `a wrong value is named with the rule and the remedy`(
    words: [String], message: String, hint: String?
  ) {
    do throws(UsageError) {
      _ = try Parser.parse(["look", "a"] + words, root: Sample.root)
      Issue.record("\(words) was accepted")
    } catch {
      #expect(error.message == message)
      #expect(error.hint?.hasPrefix(hint ?? "nothing") ?? (hint == nil))
    }
  }

  @Test func `help is given whatever else is wrong with the line`() throws {
    let invocation = try Sample.parse("look", "--after", "3", "--help", "--nonsense", "x")
    #expect(invocation.global.wantsHelp)
    #expect(invocation.path.map(\.name) == ["ledger", "look"])
    #expect(try Sample.parse("-h", "rule", "set").path.map(\.name) == ["ledger", "rule", "set"])
  }

  @Test func `the version needs no command`() throws {
    #expect(try Sample.parse("--version").global.wantsVersion)
  }
}

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("check", "check", 0), ("chekc", "check", 1), ("", "abc", 3), ("kitten", "sitting", 3),
    ("Check", "check", 0), ("ab", "ba", 1),
  ])
  func `the edit distance counts changes and swaps`(first: String, second: String, distance: Int) {
    #expect(editDistance(first, second) == distance)
    #expect(editDistance(second, first) == distance)
  }

  @Test func `a word that begins only one candidate is a suggestion`() {
    #expect(nearest(to: "ent", among: ["entitlements", "events"]) == "entitlements")
    #expect(nearest(to: "e", among: ["entitlements", "events"]) == nil)
  }
}
