import MembershipModel

extension DocumentObject {
  /// A whole number, as JSON's own or as text: the API writes 64-bit numbers as text.
  func wideInteger(_ key: String) -> Int64? {
    guard let text = given(key)?.string else { return integer(key) }
    guard let number = Int64(text) else {
      faults.note("\(key) is no whole number")
      return nil
    }
    return number
  }

  /// Milliseconds since 1970, as a number or as text, within the years 1 to 9999.
  func wideMilliseconds(_ key: String) -> Timestamp? {
    guard let number = wideInteger(key) else { return nil }
    let instant = Timestamp(milliseconds: number)
    guard instant >= .earliest, instant <= .latest else {
      faults.note("\(key) is outside the years 1 to 9999")
      return nil
    }
    return instant
  }

  /// An amount of units and billionths, where it is a whole number of minor units.
  func moneyOfUnits(_ key: String) -> Money? {
    guard let object = object(key), let currency = object.text("currencyCode") else { return nil }
    let units = object.wideInteger("units") ?? 0
    let nanos = object.integer("nanos") ?? 0
    guard let exponent = Currency.exponent(of: currency) else {
      faults.note("\(key) is in \(currency), which is no currency of ISO 4217")
      return nil
    }
    guard let minorUnits = Self.minorUnits(units, nanos, exponent) else {
      faults.note("\(key) is no whole number of minor units of \(currency)")
      return nil
    }
    return Money(minorUnits: minorUnits, currency: currency)
  }

  private static func minorUnits(_ units: Int64, _ nanos: Int64, _ exponent: Int) -> Int64? {
    let billion: Int64 = 1_000_000_000
    guard nanos.magnitude < billion, units == 0 || nanos == 0 || (units < 0) == (nanos < 0) else {
      return nil
    }
    let scale = (0..<exponent).reduce(Int64(1)) { scale, _ in scale * 10 }
    let (whole, overflows) = units.multipliedReportingOverflow(by: scale)
    let (part, rest) = nanos.quotientAndRemainder(dividingBy: billion / scale)
    let (sum, exceeds) = whole.addingReportingOverflow(part)
    return overflows || exceeds || rest != 0 ? nil : sum
  }
}
