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
    let time = UInt64(min(max(instant.milliseconds, 0), 0xffff_ffff_ffff))
    let high = time << 16 | 0x7000 | generator.next() & 0x0fff
    let low = 0x8000_0000_0000_0000 | generator.next() >> 2
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
