internal import MembershipModel

/// A stretch of time with what held in it, and events in it, drawn as bars over one time axis.
///
/// What lies after the present is drawn dashed: it is planned. A bar without an end has an arrow.
struct TimelineDrawing {
  /// A half-open stretch of time; nil is without bound on that side.
  struct Segment {
    let from: Timestamp?
    let until: Timestamp?
    let label: String
    let paint: TextStyle.Paint?

    init(from: Timestamp?, until: Timestamp?, label: String, paint: TextStyle.Paint? = nil) {
      self.from = from
      self.until = until
      self.label = printable(label)
      self.paint = paint
    }
  }

  struct Marker {
    let at: Timestamp
    let label: String

    init(at: Timestamp, label: String) {
      self.at = at
      self.label = printable(label)
    }
  }

  let segments: [Segment]
  let markers: [Marker]
  let now: Timestamp

  /// The columns beyond the axis in which a bar without an end goes on.
  private static let tail = 4

  func lines(style: TextStyle) -> [String] {
    guard !segments.isEmpty || !markers.isEmpty else { return [] }
    let dates = segments.map { dateText($0, style: style) }
    let labelWidth = segments.map { displayWidth($0.label) }.reduce(6, max)
    let dateWidth = dates.map(displayWidth).reduce(0, max)
    let margin = labelWidth + 2 + dateWidth + 2
    let tail = segments.contains { $0.until == nil } ? Self.tail : 0
    let width = max(12, min(style.columns, 120) - margin - tail)
    let axis = TimeAxis(covering: instants, width: width)
    let indent = String(repeating: " ", count: margin)
    var lines = [indent + axis.heading(now: now)]
    for (segment, date) in zip(segments, dates) {
      lines.append(
        padded(segment.label, to: labelWidth) + "  " + padded(date, to: dateWidth) + "  "
          + bar(segment, on: axis, style: style))
    }
    if !markers.isEmpty {
      lines.append(
        padded("events", to: margin) + trimmed(markerCells(on: axis, glyphs: style.glyphs)))
      lines += markers.sorted { $0.at < $1.at }.map { marker in
        "  \(style.glyphs.marker) \(padded(TimeText.absolute(marker.at), to: 21))\(marker.label)"
      }
    }
    return lines
  }

  /// Every bound that the axis has to show.
  private var instants: [Timestamp] {
    segments.flatMap { [$0.from, $0.until].compactMap { $0 } } + markers.map(\.at) + [now]
  }

  /// The bar's cells, with the present marked where the bar leaves room.
  ///
  /// The present's own column belongs to the past of a bar that has begun.
  private func bar(_ segment: Segment, on axis: TimeAxis, style: TextStyle) -> String {
    let glyphs = style.glyphs
    let present = axis.column(of: now)
    let first = segment.from.map(axis.column) ?? 0
    let end = segment.until.map { max(first + 1, axis.column(of: $0)) } ?? axis.width + Self.tail
    let before = (0..<first).map { $0 == present ? glyphs.now : " " }
    let firstPlanned = segment.from.map { $0 > now } == true ? first : present + 1
    var cells = (first..<end).map { $0 >= firstPlanned ? glyphs.planned : glyphs.bar }
    if segment.until == nil { cells[cells.count - 1] = glyphs.open }
    let after = (end..<max(end, axis.width)).map { $0 == present ? glyphs.now : " " }
    return String(before) + style.paint(String(cells), segment.paint) + trimmed(after)
  }

  private func markerCells(on axis: TimeAxis, glyphs: Glyphs) -> [Character] {
    var cells = [Character](repeating: " ", count: axis.width)
    cells[axis.column(of: now)] = glyphs.now
    for marker in markers { cells[axis.column(of: marker.at)] = glyphs.marker }
    return cells
  }

  private func trimmed(_ cells: [Character]) -> String {
    guard let last = cells.lastIndex(where: { $0 != " " }) else { return "" }
    return String(cells[...last])
  }

  private func dateText(_ segment: Segment, style: TextStyle) -> String {
    let arrow = style.glyphs.to
    guard let from = segment.from else {
      return segment.until.map { "\(arrow) \(TimeText.date($0))" } ?? ""
    }
    guard let until = segment.until else { return "\(TimeText.date(from)) \(arrow)" }
    let isShort = TimeText.date(from) == TimeText.date(until)
    return isShort
      ? "\(TimeText.absolute(from)) \(arrow) \(TimeText.absolute(until).dropFirst(11))"
      : "\(TimeText.date(from)) \(arrow) \(TimeText.date(until))"
  }
}
