extension Identifier {
  /// Makes an identifier of our own: a UUID of version 7, which sorts by the time of its making.
  ///
  /// - Parameters:
  ///   - instant: When it is made; held within the 48 bits of milliseconds since 1970 that a UUID
  ///     has.
  ///   - generator: Where its 74 random bits come from.
  /// - Returns: The identifier in lower case with hyphens.
  public static func make(
    at instant: Timestamp, using generator: inout some RandomNumberGenerator
  ) -> Self {
    make(at: instant, generator.next(), generator.next())
  }

  /// Makes an identifier of our own from the system's random bits.
  ///
  /// A generator of no size handed on as `inout` has no address, at which the thread sanitizer
  /// looks all the same.
  package static func make(at instant: Timestamp) -> Self {
    make(at: instant, UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))
  }

  private static func make(at instant: Timestamp, _ first: UInt64, _ second: UInt64) -> Self {
    let time = UInt64(min(max(instant.milliseconds, 0), 0xffff_ffff_ffff))
    let high = time << 16 | 0x7000 | first & 0x0fff
    let low = 0x8000_0000_0000_0000 | second >> 2
    let digits = hexadecimal(high) + hexadecimal(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return Identifier(unchecked: text)
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
