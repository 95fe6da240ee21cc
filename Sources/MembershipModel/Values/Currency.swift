public import FoundationEssentials

/// The currencies of ISO 4217 and how many decimals they have.
public enum Currency: Sendable {
  /// The number of decimals of a currency, such as 2 for `USD`, 0 for `JPY` and 3 for `KWD`.
  ///
  /// - Parameter code: The ISO 4217 code in upper case.
  /// - Returns: The number of decimals; nil for a code that is not in the table.
  public static func exponent(of code: String) -> Int? {
    exponents[code]
  }

  /// The number of decimals that a provider's amounts have, which differs from ISO 4217 for some.
  ///
  /// - Parameters:
  ///   - code: The ISO 4217 code in upper case.
  ///   - provider: Who wrote the amount.
  /// - Returns: The number of decimals; nil for a code that is not in the table.
  public static func exponent(of code: String, at provider: Provider) -> Int? {
    if provider == .stripe, let exponent = stripeExceptions[code] { return exponent }
    return exponent(of: code)
  }

  /// Stripe keeps two decimals for currencies that have given them up, and has none for the ariary,
  /// whose fifth is no decimal.
  private static let stripeExceptions = ["ISK": 2, "UGX": 2, "MGA": 0]

  private static let exponents: [String: Int] = {
    var exponents: [String: Int] = [:]
    for (exponent, codes) in [0: none, 2: two, 3: three, 4: four] {
      for code in codes.split(whereSeparator: \.isWhitespace) { exponents[String(code)] = exponent }
    }
    return exponents
  }()

  private static let none =
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
  private static let three = "BHD IQD JOD KWD LYD OMR TND"
  private static let four = "CLF UYW"
  private static let two = """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
    CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL
    GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR
    LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB
    PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP
    SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ZWL
    """
}

extension Money {
  /// Makes an amount from a decimal number of major units, such as 9.99 dollars.
  ///
  /// - Parameters:
  ///   - amount: The amount in major units.
  ///   - currency: The ISO 4217 code; letters are turned into upper case.
  ///   - provider: Whose number of decimals the minor units have; nil for that of ISO 4217.
  /// - Throws: `InvalidValue` for an unknown currency, and for an amount that is not a whole number
  ///   of minor units or exceeds the range of `Int64`.
  public init(
    amount: Decimal, currency: String, provider: Provider? = nil
  ) throws(InvalidValue) {
    let code = currency.uppercased()
    guard let exponent = Self.exponent(of: code, provider) else {
      throw InvalidValue(
        value: currency, rule: "a currency is a code of ISO 4217, such as USD; correct the code")
    }
    guard !amount.isNaN, amount.magnitude < Decimal(UInt64.max),
      let minorUnits = Int64(exactly: amount.shifted(by: exponent))
    else {
      throw InvalidValue(
        value: "\(amount)", rule: "an amount of \(code) has at most \(exponent) decimals")
    }
    self.init(minorUnits: minorUnits, currency: code)
  }

  /// The amount in major units, such as 9.99 for 999 cents; nil for an unknown currency.
  ///
  /// - Parameter provider: Whose number of decimals the minor units have; nil for that of ISO 4217.
  /// - Returns: The amount in major units; nil for an unknown currency.
  public func amount(at provider: Provider? = nil) -> Decimal? {
    Self.exponent(of: currency, provider).map { Decimal(minorUnits).shifted(by: -$0) }
  }

  /// The amount in major units with all its decimals, such as `9.90`; nil for an unknown currency.
  package func amountText(at provider: Provider? = nil) -> String? {
    guard let exponent = Self.exponent(of: currency, provider) else { return nil }
    let digits = String(minorUnits.magnitude)
    let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.count)) + digits
    let sign = minorUnits < 0 ? "-" : ""
    return sign + padded.dropLast(exponent)
      + (exponent == 0 ? "" : "." + padded.suffix(exponent))
  }

  private static func exponent(of code: String, _ provider: Provider?) -> Int? {
    guard let provider else { return Currency.exponent(of: code) }
    return Currency.exponent(of: code, at: provider)
  }
}

extension Decimal {
  fileprivate func shifted(by power: Int) -> Decimal {
    Decimal(sign: sign, exponent: exponent + power, significand: significand)
  }
}

extension Int64 {
  /// The whole number that the decimal is, or nil.
  fileprivate init?(exactly decimal: Decimal) {
    guard let value = Int64(decimal.description), Decimal(value) == decimal else { return nil }
    self = value
  }
}
