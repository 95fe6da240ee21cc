import MembershipModel
import Testing

@testable import LedgerCommand

@Suite struct TimelineDrawingTests {
  private func time(_ text: String) throws -> Timestamp { try Timestamp(parsing: text) }

  private func drawing() throws -> TimelineDrawing {
    TimelineDrawing(
      segments: [
        .init(from: try time("2026-01-03"), until: try time("2026-01-10"), label: "trialing"),
        .init(
          from: try time("2026-01-10"), until: try time("2026-07-10"), label: "active",
          paint: .green),
        .init(from: try time("2026-07-10"), until: nil, label: "canceled", paint: .red),
      ],
      markers: [
        .init(at: try time("2026-01-03T09:30:15Z"), label: "purchased"),
        .init(at: try time("2026-01-10"), label: "renewed\u{1B}[2J"),
        .init(at: try time("2026-05-02"), label: "cancellationScheduled"),
      ], now: try time("2026-05-20"))
  }

  @Test func `a timeline shows bars with dates, what is planned and what has no end`() throws {
    try expectSnapshot(
      try drawing().lines(style: .plain).joined(separator: "\n") + "\n", named: "timeline.txt")
  }

  @Test func `a timeline can be drawn in ASCII`() throws {
    let style = TextStyle(isColored: false, isTerminal: true, columns: 100, glyphs: .ascii)
    let lines = try drawing().lines(style: style)
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    try expectSnapshot(lines.joined(separator: "\n") + "\n", named: "timeline-ascii.txt")
  }

  @Test(arguments: [1, 40, 80, 120, 400])
  func `no line is wider than the terminal where it has 60 columns or more`(columns: Int) throws {
    let style = TextStyle(isColored: false, isTerminal: true, columns: columns, glyphs: .unicode)
    for line in try drawing().lines(style: style) where !line.contains("▲ 2026") {
      #expect(displayWidth(line) <= max(60, columns))
    }
  }

  @Test func `a timeline of nothing has no lines`() {
    let drawing = TimelineDrawing(segments: [], markers: [], now: .now())
    #expect(drawing.lines(style: .plain).isEmpty)
  }

  @Test func `one instant and unbounded stretches can be drawn`() throws {
    let now = try time("2026-05-20")
    let drawing = TimelineDrawing(
      segments: [
        .init(from: nil, until: nil, label: "for ever"),
        .init(from: now, until: now, label: "no time"),
        .init(from: .distantPast, until: .distantFuture, label: "all time"),
      ], markers: [], now: now)
    #expect(drawing.lines(style: .plain).count == 4)
  }

  @Test func `a stretch within one day tells its hours`() throws {
    let drawing = TimelineDrawing(
      segments: [
        .init(
          from: try time("2026-05-20T08:00:00Z"), until: try time("2026-05-20T09:30:00Z"),
          label: "x")
      ], markers: [], now: try time("2026-05-21"))
    #expect(drawing.lines(style: .plain)[1].contains("2026-05-20 08:00Z → 09:30Z"))
  }
}
