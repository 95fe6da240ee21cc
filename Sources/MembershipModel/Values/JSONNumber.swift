import FoundationEssentials

/// A number as it is read digit by digit: exact, or refused.
struct JSONNumber {
  private let isNegative: Bool
  /// The digits from the first one that is not zero.
  private var digits: [UInt8] = []
  /// The power of ten by which the digits, as a whole number, are multiplied.
  private var exponent = 0

  init(isNegative: Bool) {
    self.isNegative = isNegative
  }

  mutating func append(_ digit: Int, isFraction: Bool) {
    if digit != 0 || !digits.isEmpty { digits.append(UInt8(digit)) }
    if isFraction { exponent -= 1 }
  }

  mutating func shift(by power: Int) {
    exponent += power
  }

  /// The number; nil where neither `Int64` nor `Decimal` holds it exactly.
  var value: JSONValue? {
    guard let lastDigit = digits.lastIndex(where: { $0 != 0 }) else { return .integer(0) }
    let significant = digits[...lastDigit]
    let power = exponent + digits.count - significant.count
    if let integer = integer(significant, power) { return .integer(integer) }
    return decimal(significant, power).map(JSONValue.decimal)
  }

  private func integer(_ significant: ArraySlice<UInt8>, _ power: Int) -> Int64? {
    guard power >= 0, significant.count + power <= 19 else { return nil }
    let zeros = repeatElement(UInt8(0), count: power)
    return Int64((isNegative ? "-" : "") + Self.text(significant) + Self.text(zeros))
  }

  private func decimal(_ significant: ArraySlice<UInt8>, _ power: Int) -> Decimal? {
    guard significant.count <= 38, (-127...127).contains(power) else { return nil }
    let low = significant.suffix(19)
    let high = significant.dropLast(19)
    guard let lowValue = UInt64(Self.text(low)),
      let highValue = high.isEmpty ? 0 : UInt64(Self.text(high))
    else { return nil }
    let whole = Decimal(highValue) * Self.tenToThe19 + Decimal(lowValue)
    return Decimal(sign: isNegative ? .minus : .plus, exponent: power, significand: whole)
  }

  private static let tenToThe19 = Decimal(10_000_000_000_000_000_000 as UInt64)

  private static func text(_ digits: some Sequence<UInt8>) -> String {
    String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }
}
