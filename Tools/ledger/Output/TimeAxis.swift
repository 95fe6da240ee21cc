internal import MembershipModel

/// The columns of a drawing, each a stretch of time of the same length.
struct TimeAxis {
  let start: Timestamp
  let end: Timestamp
  let width: Int

  /// An axis on which all the instants lie, of which there is at least one.
  init(covering instants: [Timestamp], width: Int) {
    let inRange = instants.map { min(max($0, .earliest), .latest) }
    start = inRange.reduce(.latest, min)
    end = inRange.reduce(.earliest, max)
    self.width = width
  }

  func column(of instant: Timestamp) -> Int {
    let length = end.milliseconds - start.milliseconds
    guard length > 0 else { return 0 }
    // The years 1 to 9999 have 15 digits of milliseconds: no width of a terminal overflows.
    let offset = min(max(instant, start), end).milliseconds - start.milliseconds
    return Int(offset * Int64(width - 1) / length)
  }

  /// The axis's first and last date, with `now` above its column where there is room.
  func heading(now: Timestamp) -> String {
    let (first, last) = (TimeText.date(start), TimeText.date(end))
    guard width >= first.count + last.count + 2 else { return first }
    var cells = [Character](repeating: " ", count: width)
    cells.replaceSubrange(0..<first.count, with: first)
    cells.replaceSubrange((width - last.count)..<width, with: last)
    let present = min(max(column(of: now) - 1, 0), width - 3)
    let around = cells[max(0, present - 1)..<min(width, present + 4)]
    if around.allSatisfy({ $0 == " " }) {
      cells.replaceSubrange(present..<(present + 3), with: "now")
    }
    return String(cells)
  }
}
