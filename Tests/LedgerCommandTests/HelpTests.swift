import Testing

@testable import LedgerCommand

@Suite struct HelpTests {
  @Test func `the overview lists every command`() throws {
    let help = Help(path: [CommandTable.root], style: .plain).text
    try expectSnapshot(help, named: "help.txt")
    for command in CommandTable.root.subcommands {
      #expect(help.contains("\n  \(command.name) "))
    }
  }

  @Test(arguments: TableTests.groups + TableTests.paths)
  func `the help of a command is as recorded`(path: CommandPath) throws {
    let name = path.description.replacing(" ", with: "-")
    try expectSnapshot(Help(path: path.commands, style: .plain).text, named: "help-\(name).txt")
  }

  @Test(
    arguments: [CommandPath(commands: [CommandTable.root])] + TableTests.groups + TableTests.paths)
  func `no line of help is wider than 80 columns`(path: CommandPath) {
    let lines = Help(path: path.commands, style: .plain).text.split(separator: "\n")
    // A command line that is to be copied is never broken.
    for line in lines where !line.hasPrefix("  $ ") {
      #expect(displayWidth(String(line)) <= 80, "\(line)")
    }
  }

  @Test func `colors change nothing but the colors`() {
    let style = TextStyle(isColored: true, isTerminal: true, columns: 80, glyphs: .unicode)
    for path in TableTests.paths {
      let colored = Help(path: path.commands, style: style).text
      #expect(colored.contains("\u{1B}[1mUsage:\u{1B}[0m"))
      #expect(
        colored.replacing(/\u{1B}\[[0-9]+m/, with: "")
          == Help(path: path.commands, style: .plain).text)
    }
  }
}
