import MembershipModel
import Testing

@testable import LedgerCommand

@Suite struct OutputTests {
  @Test func `control characters and direction marks are shown, not obeyed`() {
    #expect(printable("plain – ü 会") == "plain – ü 会")
    #expect(printable("a\u{1B}[2Jb\r\n\tc\u{7F}\u{9B}") == "a\\u{1B}[2Jb\\r\\n\\tc\\u{7F}\\u{9B}")
    #expect(printable("x\u{202E}y\u{2066}z\u{2028}") == "x\\u{202E}y\\u{2066}z\\u{2028}")
  }

  @Test func `JSON escapes every control character`() {
    #expect(JSONValue.string("a\u{1B}\u{7F}\u{9B}é").text() == #""a\u001b\u007f\u009bé""#)
  }

  private static let widths: [(text: String, width: Int)] = [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("会員", 4), ("한국", 4), ("ﾊﾝ", 2),
    ("👍", 2), ("👨‍👩‍👧", 2), ("❤️", 2), ("…", 1), ("→", 1), ("\u{200B}", 0),
  ]

  @Test(arguments: widths)
  func `the width of a text is what a terminal shows`(text: String, width: Int) {
    #expect(displayWidth(text) == width)
  }

  @Test func `a text is cut before it is too wide`() {
    #expect(truncated("abcdef", to: 6) == "abcdef")
    #expect(truncated("abcdef", to: 4) == "abc…")
    #expect(truncated("会員証明", to: 4) == "会…")
  }

  private func table() -> TextTable {
    var table = TextTable([
      .init("ID"), .init("COUNT", alignment: .right), .init("REASON", isFlexible: true),
    ])
    table.addRow([.init("会員"), .init("7"), .init("because it was so for a very long time")])
    table.addRow([.init("user_42", .green), .init("1,200"), .init(nil)])
    return table
  }

  @Test func `columns are aligned by width`() {
    #expect(
      table().lines(style: .plain) == [
        "ID       COUNT  REASON",
        "会員         7  because it was so for a very long time",
        "user_42  1,200  -",
      ])
  }

  @Test func `a narrow terminal cuts only free text`() {
    let style = TextStyle(isColored: false, isTerminal: true, columns: 30, glyphs: .unicode)
    #expect(table().lines(style: style)[1] == "会員         7  because it wa…")
    let tiny = TextStyle(isColored: false, isTerminal: true, columns: 10, glyphs: .unicode)
    #expect(table().lines(style: tiny)[1] == "会員         7  because…")
  }

  @Test func `colors do not move columns`() {
    let style = TextStyle(isColored: true, isTerminal: false, columns: 80, glyphs: .unicode)
    #expect(
      table().lines(style: style)[2] == "\u{1B}[32muser_42\u{1B}[0m  1,200  \u{1B}[2m-\u{1B}[0m")
  }

  private static let relativeTimes: [(seconds: Int64, text: String)] = [
    (0, "now"), (1, "in 1 second"), (-90, "90 seconds ago"), (120, "in 2 minutes"),
    (259_200, "in 3 days"), (-18_000, "5 hours ago"), (8_640_000, "in 3 months"),
    (69_120_000, "in 2 years"),
  ]

  @Test(arguments: relativeTimes)
  func `a time is told relative to the present`(seconds: Int64, text: String) {
    let present = Timestamp(milliseconds: 1_796_292_000_000)
    let time = present.adding(milliseconds: seconds * 1000)
    #expect(TimeText.relative(time, to: present) == text)
  }

  @Test func `a time is told absolutely without needless digits`() throws {
    let time = Timestamp(milliseconds: 1_796_292_000_000)
    #expect(TimeText.absolute(time) == "2026-12-03 10:00Z")
    #expect(TimeText.absolute(time.adding(milliseconds: 5000)) == "2026-12-03 10:00:05Z")
    let present = time.adding(milliseconds: -3 * 86_400_000)
    #expect(TimeText.both(time, at: present) == "in 3 days (2026-12-03 10:00Z)")
    #expect(TimeText.relative(.distantFuture, to: present.adding(milliseconds: -.max)) == "never")
  }

  private static let numbers: [(number: Int, text: String)] = [
    (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000"),
  ]

  @Test(arguments: numbers)
  func `thousands are set apart`(number: Int, text: String) {
    #expect(grouped(number) == text)
  }

  @Test func `progress is silent for a second and leaves nothing behind`() throws {
    let sink = Sink()
    let line = ProgressLine("reading", on: sink.buffer(isTerminal: true), isEnabled: true)
    try line.update(1, of: 10)
    #expect(sink.text.isEmpty)
    let later = ContinuousClock.now.advanced(by: .seconds(2))
    try line.update(1200, of: 2400, now: later)
    #expect(sink.text == "\r\u{1B}[Kreading: 1,200 of 2,400 (50 %)")
    try line.update(1201, of: 2400, now: later.advanced(by: .milliseconds(50)))
    try line.finish()
    #expect(sink.text == "\r\u{1B}[Kreading: 1,200 of 2,400 (50 %)\r\u{1B}[K")
  }

  @Test(arguments: [(true, false), (false, true)])
  func `progress is for terminals and those who want it`(isTerminal: Bool, isEnabled: Bool) throws {
    let sink = Sink()
    let line = ProgressLine("x", on: sink.buffer(isTerminal: isTerminal), isEnabled: isEnabled)
    try line.update(1, now: .now.advanced(by: .seconds(5)))
    try line.finish()
    #expect(sink.text.isEmpty)
  }

  @Test func `output to a file is handed over in large pieces, to a terminal at once`() throws {
    let file = Sink()
    let buffer = file.buffer(isTerminal: false)
    for _ in 0..<1000 { try buffer.line(String(repeating: "x", count: 99)) }
    #expect(file.pieces == 1)
    try buffer.flush()
    #expect(file.pieces == 2 && file.text.utf8.count == 100_000)
    let terminal = Sink()
    try terminal.buffer(isTerminal: true).line("x")
    #expect(terminal.text == "x\n")
  }
}

/// Collects what a buffer hands over.
final class Sink {
  private(set) var text = ""
  private(set) var pieces = 0

  func buffer(isTerminal: Bool) -> OutputBuffer {
    OutputBuffer(isTerminal: isTerminal) { bytes in
      self.text += String(decoding: bytes, as: UTF8.self)
      self.pieces += 1
    }
  }
}
