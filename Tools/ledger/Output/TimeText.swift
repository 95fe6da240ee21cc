internal import MembershipModel

/// Instants as people read them.
enum TimeText {
  /// `2026-12-03 10:00Z`, with seconds where they are not zero.
  static func absolute(_ time: Timestamp) -> String {
    let text = time.description
    let date = text.prefix(10)
    let clock = text.dropFirst(11).prefix(8)
    return "\(date) \(clock.hasSuffix(":00") ? clock.prefix(5) : clock)Z"
  }

  /// `2026-12-03`.
  static func date(_ time: Timestamp) -> String {
    String(time.description.prefix(10))
  }

  /// `in 3 days`, `2 hours ago`, `now`.
  static func relative(_ time: Timestamp, to present: Timestamp) -> String {
    let (difference, overflow) = time.milliseconds
      .subtractingReportingOverflow(present.milliseconds)
    guard !overflow else { return time > present ? "never" : "always" }
    let seconds = difference.magnitude / 1000
    guard seconds > 0 else { return "now" }
    let span = span(seconds)
    return difference > 0 ? "in \(span)" : "\(span) ago"
  }

  /// `in 3 days (2026-12-03 10:00Z)`.
  static func both(_ time: Timestamp, at present: Timestamp) -> String {
    "\(relative(time, to: present)) (\(absolute(time)))"
  }

  /// A length of time in the unit that shows it with little loss: 90 minutes, not one hour.
  private static func span(_ seconds: UInt64) -> String {
    let (minute, hour, day, year): (UInt64, UInt64, UInt64, UInt64) = (60, 3600, 86_400, 31_556_952)
    return switch seconds {
    case ..<(2 * minute): counted(seconds, "second")
    case ..<(2 * hour): counted(seconds / minute, "minute")
    case ..<(2 * day): counted(seconds / hour, "hour")
    case ..<(90 * day): counted(seconds / day, "day")
    case ..<(2 * year): counted(seconds / (year / 12), "month")
    default: counted(seconds / year, "year")
    }
  }

  private static func counted(_ number: UInt64, _ unit: String) -> String {
    number == 1 ? "1 \(unit)" : "\(number) \(unit)s"
  }
}
