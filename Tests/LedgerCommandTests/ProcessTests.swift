import MembershipModel
import Testing

@testable import LedgerCommand

/// The built program, from the outside.
@Suite struct ProcessTests {
  @Test func `help goes to standard output with status 0`() throws {
    let result = try LedgerProcess.ledger("--help")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output == Help(path: [CommandTable.root], style: .plain).text)
    let command = try LedgerProcess.ledger("help", "completion")
    #expect(command.output == (try LedgerProcess.ledger("completion", "--help")).output)
  }

  @Test func `no command at all shows the help on standard error with status 64`() throws {
    let result = try LedgerProcess.ledger()
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("Usage: ledger"))
  }

  @Test(arguments: [["nonsense"], ["--nonsense"], ["completion"], ["help", "x"], ["manual", "x"]])
  func `a wrong command line says so on standard error with status 64`(words: [String]) throws {
    let result = try LedgerProcess.run(LedgerProcess.executable, words)
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("ledger"))
    #expect(result.errors.contains("See 'ledger"))
  }

  @Test func `a word that is not UTF-8 is a wrong command line`() throws {
    for words in ["check $'caf\\xe9' x", "check x $'\\xff'", "grant a b --reason $'\\xc3'"] {
      let result = try LedgerProcess.run("/bin/bash", ["-c", "ledger \(words)"])
      #expect(result.status == 64 && result.output.isEmpty)
      #expect(result.errors.contains("is not UTF-8: "))
    }
    let completed = try LedgerProcess.run(
      "/bin/bash", ["-c", "ledger --complete $'\\xff'"])
    #expect(completed.status == 0)
  }

  @Test func `the user is told by the session, by the account, or by number`() {
    func user(_ environment: [String: String], _ account: String = "carol") -> String {
      Surroundings.userName(environment: environment, accountName: account, id: 1234)
    }
    #expect(user(["USER": "ann", "LOGNAME": "bob"]) == "ann")
    #expect(user(["USER": "", "LOGNAME": "bob"]) == "bob")
    #expect(user([:]) == "carol")
    #expect(user([:], "") == "uid 1234")
  }

  @Test func `without a session the account that runs the command is the actor`() throws {
    try LedgerFolder.with { folder in
      _ = try LedgerProcess.run(
        LedgerProcess.executable,
        ["--ledger", folder.path, "grant", "u", "e", "--reason", "r"])
      let event = try #require(try folder.run("events", "--json").jsonLines().first)
      let account = try LedgerProcess.run("/usr/bin/id", ["-un"]).output.trimmed
      #expect(event["actor"]?.string == account)
    }
  }

  @Test func `the version is printed`() throws {
    #expect(try LedgerProcess.ledger("--version").output == "ledger \(Program.version)\n")
  }

  @Test func `the manual page and the scripts are printed as they are made`() throws {
    #expect(
      try LedgerProcess.ledger("manual").output == ManualPage(root: CommandTable.root).text)
    #expect(try LedgerProcess.ledger("completion", "fish").output == Shell.fish.script)
    #expect(
      try LedgerProcess.ledger("--complete", "completion", "z").output == "zsh\n")
  }

  @Test func `color is forced and forbidden by the option`() throws {
    #expect(try LedgerProcess.ledger("--color", "always", "--help").output.contains("\u{1B}[1m"))
    #expect(!(try LedgerProcess.ledger("--help").output.contains("\u{1B}")))
  }

  @Test func `a reader that leaves ends the program quietly`() throws {
    let result = try LedgerProcess.run(
      "/bin/bash",
      ["-c", "trap '' PIPE; { sleep 0.3; ledger manual; echo \"status $?\" >&2; } | true"])
    #expect(result.errors == "status 141\n")
  }

  @Test func `a full disk is an error with status 74`() throws {
    let result = try LedgerProcess.run("/bin/bash", ["-c", "ledger manual > /dev/full"])
    #expect(result.status == 74)
    #expect(result.errors == "ledger: standard output: No space left on device\n")
  }

  @Test func `without a standard error the status still tells`() throws {
    #expect(
      try LedgerProcess.run("/bin/bash", ["-c", "ledger nonsense 2> /dev/full"]).status == 74)
  }
}
