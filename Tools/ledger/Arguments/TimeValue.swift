internal import MembershipModel

/// A TIME of the command line: RFC 3339, a date, `now`, or Unix seconds with `@` before them.
enum TimeValue: ArgumentValue, Equatable {
  case now
  case instant(Timestamp)

  static var placeholder: String { "TIME" }
  static var completion: Completion { .words([Candidate("now", "the present instant")]) }

  init(argument: String) throws(ArgumentError) {
    guard let time = Self.parsed(argument) else {
      throw ArgumentError(
        "is not a time",
        hint: "Write RFC 3339 (2026-12-03T10:00:00Z), a date, now, or @ and Unix seconds.")
    }
    self = time
  }

  private static func parsed(_ text: String) -> TimeValue? {
    if text == "now" { return .now }
    if text.hasPrefix("@") { return unixTime(text.dropFirst()).map { .instant($0) } }
    return (try? Timestamp(parsing: text)).map { .instant($0) }
  }

  /// Seconds since 1970 with at most three decimals, within the years that events may name.
  private static func unixTime(_ text: Substring) -> Timestamp? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let seconds = Int64(parts[0]) else { return nil }
    let decimals = parts.count == 2 ? parts[1] : "0"
    guard (1...3).contains(decimals.count),
      decimals.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let fraction = Int64(decimals + String(repeating: "0", count: 3 - decimals.count))
    else { return nil }
    let sign: Int64 = text.hasPrefix("-") ? -1 : 1
    let time = Timestamp(seconds: seconds).adding(milliseconds: sign * fraction)
    return time >= .earliest && time <= .latest ? time : nil
  }

  /// The instant that is meant when it is `present` now.
  func instant(at present: Timestamp) -> Timestamp {
    switch self {
    case .now: present
    case .instant(let instant): instant
    }
  }
}

/// A point up to which the log is known: a position of it, or a time.
enum LogPoint: ArgumentValue, Equatable {
  case position(UInt64)
  case time(TimeValue)

  static var placeholder: String { "POSITION|TIME" }
  static var completion: Completion { TimeValue.completion }

  init(argument: String) throws(ArgumentError) {
    let isNumber = !argument.isEmpty && argument.utf8.allSatisfy { (0x30...0x39).contains($0) }
    self =
      isNumber
      ? .position(try Count(argument: argument).value) : .time(try TimeValue(argument: argument))
  }
}
