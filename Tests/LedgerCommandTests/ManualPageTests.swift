import LedgerTestSupport
import Testing

@testable import LedgerCommand

@Suite struct ManualPageTests {
  private let page = ManualPage(root: CommandTable.root).text

  @Test func `the page is as recorded`() throws {
    try expectSnapshot(page, named: "ledger.1")
  }

  @Test(arguments: [
    "NAME", "SYNOPSIS", "DESCRIPTION", "GLOBAL OPTIONS", "COMMANDS", "ENVIRONMENT", "FILES",
    "EXIT STATUS", "EXAMPLES",
  ])
  func `the page has each section`(section: String) {
    #expect(page.contains("\n.Sh \(section)\n"))
  }

  @Test func `the page names every command and every option`() {
    for path in TableTests.paths {
      for command in path.commands.dropFirst() { #expect(page.contains("\n.Cm \(command.name)\n")) }
      for option in path.commands.last?.options ?? [] {
        #expect(page.contains("Fl \\-\(option.name.replacing("-", with: "\\-"))"))
      }
    }
  }

  @Test func `man reads the page without a warning`() throws {
    guard let man = LedgerProcess.installed("man") else { return }
    try withScratchFolder { folder in
      let file = "\(folder)/ledger.1"
      _ = try LedgerProcess.run("/bin/sh", ["-c", "cat > '\(file)'"], input: page)
      let result = try LedgerProcess.run(
        man, ["--warnings", "-l", file], environment: ["MANWIDTH": "80"])
      #expect(result.status == 0)
      #expect(result.errors.isEmpty, "\(result.errors)")
      #expect(result.output.contains("EXIT STATUS"))
    }
  }

  @Test func `text cannot turn into a request`() {
    #expect(Mdoc.text(".Sh X") == "\\&.Sh X")
    #expect(Mdoc.text("'x") == "\\&'x")
    #expect(Mdoc.text(#"a\b – "c""#) == #"a\eb \[u2013] \(dqc\(dq"#)
    #expect(Mdoc.argument("No") == "\\&No")
    #expect(Mdoc.argument("FILE") == "FILE")
  }
}
