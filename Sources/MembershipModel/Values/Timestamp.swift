import FoundationEssentials

/// An instant in UTC, in whole milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Sendable {
  /// Milliseconds since the start of 1970 in UTC.
  public let milliseconds: Int64

  /// Makes an instant from milliseconds since 1970.
  ///
  /// - Parameter milliseconds: Milliseconds since the start of 1970 in UTC.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Makes an instant from seconds since 1970, held within the range of `Int64` milliseconds.
  ///
  /// - Parameter seconds: Seconds since the start of 1970 in UTC.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    self.milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// The present instant of the system clock.
  public static func now() -> Timestamp {
    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
  }

  /// The earliest instant, which stands for "since ever".
  public static let distantPast = Timestamp(milliseconds: .min)

  /// The latest instant, which stands for "for ever".
  public static let distantFuture = Timestamp(milliseconds: .max)

  /// The first instant that an event may name: the year 1.
  public static let earliest = Timestamp(milliseconds: -62_135_596_800_000)

  /// The last instant that an event may name: the end of the year 9999.
  public static let latest = Timestamp(milliseconds: 253_402_300_799_999)

  /// This instant moved by a number of milliseconds; never beyond the range of the type.
  ///
  /// - Parameter milliseconds: How far, negative for earlier.
  /// - Returns: The instant moved; the two ends of time stay where they are.
  public func adding(milliseconds: Int64) -> Timestamp {
    if self == .distantFuture || self == .distantPast { return self }
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    guard overflow else { return Timestamp(milliseconds: sum) }
    return milliseconds < 0 ? .distantPast : .distantFuture
  }
}

extension Timestamp: Comparable {
  /// Orders instants by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds, such as `2026-11-30T12:00:00.000Z`.
  ///
  /// Instants outside the years 1 to 9999 are written as that range's nearest end.
  public var description: String {
    let held = min(max(self, .earliest), .latest).milliseconds
    let (days, time) = held.quotientAndRemainder(flooringBy: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    let (seconds, fraction) = time.quotientAndRemainder(dividingBy: 1000)
    return """
      \(date.year.padded(4))-\(date.month.padded(2))-\(date.day.padded(2))\
      T\((seconds / 3600).padded(2)):\((seconds / 60 % 60).padded(2)):\((seconds % 60).padded(2))\
      .\(fraction.padded(3))Z
      """
  }

  /// Reads RFC 3339 (`2026-11-30T12:00:00Z`, any offset, any fraction) or a date (midnight UTC).
  ///
  /// - Parameter text: The text; fractions finer than a millisecond are cut off.
  /// - Throws: `InvalidValue` where the text is no such time or lies outside the years 1 to 9999.
  public init(parsing text: String) throws(InvalidValue) {
    var scanner = TimeScanner(text)
    guard let parsed = scanner.instant(), parsed >= .earliest, parsed <= .latest else {
      throw InvalidValue(
        value: text, rule: "a time is RFC 3339 such as 2026-11-30T12:00:00Z, or a date")
    }
    self = parsed
  }
}

/// A date of the proleptic Gregorian calendar.
struct CivilDate {
  let year: Int64
  let month: Int64
  let day: Int64

  /// Counts in eras of 400 years that begin on 1 March, so that leap days come last.
  init(daysSince1970: Int64) {
    let (era, dayOfEra) = (daysSince1970 + 719_468).quotientAndRemainder(flooringBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The date, or nil where the month or day does not exist.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), day >= 1, day <= Self.length(of: month, in: year) else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
  }

  var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shiftedYear.quotientAndRemainder(flooringBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func length(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension Int64 {
  func quotientAndRemainder(flooringBy divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  fileprivate func padded(_ width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

/// Reads one RFC 3339 time or date from ASCII text.
private struct TimeScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  mutating func instant() -> Timestamp? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let midnight = date.daysSince1970 * 86_400_000
    if rest.isEmpty { return Timestamp(milliseconds: midnight) }
    guard skip("T") || skip("t") || skip(" "),
      let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60,
      skip(":"), let second = digits(2), second <= 60,
      let fraction = fraction(), let offset = offset(), rest.isEmpty
    else { return nil }
    let time = ((hour * 60 + minute) * 60 + second) * 1000 + fraction
    let instant = midnight + time - offset
    // A leap second ends a day of UTC; as in POSIX time, it is the first of the next day.
    if second == 60, instant.quotientAndRemainder(flooringBy: 86_400_000).1 >= 1000 { return nil }
    return Timestamp(milliseconds: instant)
  }

  private mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    var value: Int64 = 0
    var count = 0
    while let digit = digits(1) {
      if count < 3 { value = value * 10 + digit }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 3)..<3 { value *= 10 }
    return value
  }

  private mutating func offset() -> Int64? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int64 = skip("+") ? 1 : -1
    guard sign == 1 || skip("-"), let hours = digits(2), hours < 24, skip(":"),
      let minutes = digits(2), minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes) * 60_000
  }

  private mutating func digits(_ count: Int) -> Int64? {
    guard rest.count >= count else { return nil }
    var value: Int64 = 0
    for byte in rest.prefix(count) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    rest = rest.dropFirst(count)
    return value
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }
}
