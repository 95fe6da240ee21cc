import Testing

@testable import LedgerCommand

@Suite struct TerminalTests {
  private func style(
    _ choice: ColorChoice = .auto, _ environment: [String: String] = [:], isTerminal: Bool = true
  ) -> TextStyle {
    Terminal(
      environment: environment, outputIsTerminal: isTerminal, errorIsTerminal: isTerminal,
      columns: isTerminal ? 100 : nil
    ).style(choice)
  }

  @Test func `colors are for terminals unless the user says otherwise`() {
    #expect(style().isColored)
    #expect(!style(isTerminal: false).isColored)
    #expect(style(.always, isTerminal: false).isColored)
    #expect(!style(.never).isColored)
    #expect(!style(.auto, ["NO_COLOR": "1"]).isColored)
    #expect(style(.auto, ["NO_COLOR": ""]).isColored)
    #expect(style(.always, ["NO_COLOR": "1"]).isColored)
    #expect(!style(.auto, ["TERM": "dumb"]).isColored)
  }

  @Test func `the width is the terminal's, else what COLUMNS says, else 80`() {
    #expect(style().columns == 100)
    #expect(style(.auto, ["COLUMNS": "132"], isTerminal: false).columns == 132)
    #expect(style(.auto, ["COLUMNS": "x"], isTerminal: false).columns == 80)
  }

  @Test func `drawings use ASCII only where the locale asks for it`() {
    #expect(style().glyphs == .unicode)
    #expect(style(.auto, ["LANG": "en_US.UTF-8"]).glyphs == .unicode)
    #expect(style(.auto, ["LANG": "en_US.UTF-8", "LC_ALL": "C"]).glyphs == .ascii)
    #expect(style(.auto, ["LC_ALL": "", "LANG": "de_DE.ISO-8859-1"]).glyphs == .ascii)
  }
}
