/// Bytes written as pairs of hexadecimal digits.
package enum Hexadecimal {
  /// The bytes as lower-case digits, two for each byte.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      digits.append(digit(of: byte >> 4))
      digits.append(digit(of: byte & 0xf))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The bytes that `text` spells, or nil unless it is pairs of digits of either case.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = text.utf8
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var upperHalf: UInt8?
    for digit in digits {
      guard let half = value(of: digit) else { return nil }
      if let upper = upperHalf {
        bytes.append(upper << 4 | half)
        upperHalf = nil
      } else {
        upperHalf = half
      }
    }
    return bytes
  }

  private static func digit(of half: UInt8) -> UInt8 {
    half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
