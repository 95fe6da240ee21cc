/// A duration in ISO 8601, such as `P1M`, `P7D` or `PT2H30M`.
public struct CalendarDuration: Hashable, Sendable {
  /// The parts in the order of ISO 8601: years, months, weeks, days, hours, minutes, seconds.
  private let parts: [Int64]

  /// Reads a duration of whole parts.
  ///
  /// - Parameter text: The duration, such as `P1M`.
  /// - Throws: `InvalidValue` where the text is no such duration, or is nothing at all.
  public init(parsing text: String) throws(InvalidValue) {
    guard let parts = Self.parts(of: text), parts.contains(where: { $0 > 0 }) else {
      throw InvalidValue(
        value: text, rule: "a duration is in ISO 8601, such as P1M, P7D or PT2H30M")
    }
    self.parts = parts
  }

  /// A length that is the same everywhere, of whole seconds.
  package init(seconds: Int64) {
    parts = [0, 0, 0, seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
  }

  /// The length in milliseconds; nil where it depends on the calendar or exceeds `Int64`.
  package var milliseconds: Int64? {
    parts[0] > 0 || parts[1] > 0 ? nil : millisecondsBesidesMonths
  }

  /// The years and months together; nil where they exceed `Int64`.
  var months: Int64? {
    let (years, exceeds) = parts[0].multipliedReportingOverflow(by: 12)
    let (months, overflows) = years.addingReportingOverflow(parts[1])
    return exceeds || overflows ? nil : months
  }

  /// The length of all other parts; nil where it exceeds `Int64`.
  var millisecondsBesidesMonths: Int64? {
    var total: Int64 = 0
    for (part, unit) in zip(parts[2...], [604_800, 86400, 3600, 60, 1] as [Int64]) {
      let (length, exceeds) = part.multipliedReportingOverflow(by: unit * 1000)
      let (sum, overflows) = total.addingReportingOverflow(length)
      if exceeds || overflows { return nil }
      total = sum
    }
    return total
  }

  private static let designators = "YMWDHMS"

  private static func parts(of text: String) -> [Int64]? {
    guard text.hasPrefix("P") else { return nil }
    let halves = text.dropFirst().split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count <= 2, let date = numbers(in: halves[0], designators.prefix(4)) else {
      return nil
    }
    guard halves.count == 2 else { return date + [0, 0, 0] }
    guard !halves[1].isEmpty, let time = numbers(in: halves[1], designators.suffix(3)) else {
      return nil
    }
    return date + time
  }

  private static func numbers(in text: Substring, _ designators: Substring) -> [Int64]? {
    var rest = text
    var numbers: [Int64] = []
    for designator in designators {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      if digits.isEmpty || rest.dropFirst(digits.count).first != designator {
        numbers.append(0)
        continue
      }
      guard let number = Int64(digits) else { return nil }
      numbers.append(number)
      rest = rest.dropFirst(digits.count + 1)
    }
    return rest.isEmpty ? numbers : nil
  }
}

extension CalendarDuration: CustomStringConvertible {
  /// The duration in ISO 8601, without the parts that are zero.
  public var description: String {
    let texts = zip(parts, Self.designators).map { $0 == 0 ? "" : "\($0)\($1)" }
    let time = texts[4...].joined()
    return "P" + texts[..<4].joined() + (time.isEmpty ? "" : "T" + time)
  }
}
