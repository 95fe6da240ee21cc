/// Bytes written in base64 (RFC 4648), read strictly: each value has one spelling only.
package enum Base64 {
  /// Which of the two alphabets, and whether the end is padded.
  package enum Form: Sendable {
    /// With `+` and `/`, padded with `=` to groups of four.
    case standard
    /// With `-` and `_`, without padding, as in URLs and JWS.
    case url
  }

  /// The bytes that `text` spells, or nil unless it is exactly their one spelling: no white space,
  /// no missing or needless padding, no digit of the other alphabet, no stray bits at the end.
  package static func decode(_ text: some Sequence<UInt8>, _ form: Form) -> [UInt8]? {
    var digits = Array(text)
    if form == .standard {
      guard digits.count.isMultiple(of: 4) else { return nil }
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount = 0
    for digit in digits {
      guard let value = value(of: digit, form) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    guard bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of digit: UInt8, _ form: Form) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+") where form == .standard, UInt8(ascii: "-") where form == .url: 62
    case UInt8(ascii: "/") where form == .standard, UInt8(ascii: "_") where form == .url: 63
    default: nil
    }
  }
}
