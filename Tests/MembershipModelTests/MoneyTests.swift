import FoundationEssentials
import LedgerTestSupport
import MembershipModel
import Testing

@Suite struct `An amount of money` {
  private func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text))
  }

  @Test(arguments: [
    ("9.99", "USD", 999), ("9.9", "usd", 990), ("9", "EUR", 900), ("-0.01", "EUR", -1),
    ("500", "JPY", 500), ("1.234", "KWD", 1234), ("0.0001", "CLF", 1), ("5", "ISK", 5),
    ("92233720368547758.07", "USD", Int64.max), ("-92233720368547758.08", "USD", Int64.min),
  ])
  func `is made from major units`(text: String, currency: String, minorUnits: Int64) throws {
    let money = try Money(amount: decimal(text), currency: currency)
    #expect(money == Money(minorUnits: minorUnits, currency: currency))
    #expect(money.amount() == (try decimal(text)))
  }

  @Test(arguments: [
    ("9.999", "USD"), ("0.5", "JPY"), ("0.0001", "KWD"), ("92233720368547758.08", "USD"),
    ("1e120", "USD"), ("-1e120", "USD"), ("1e-120", "USD"), ("9.99", "EURO"), ("9.99", ""),
  ])
  func `is refused where it is no whole number of minor units`(text: String, currency: String) {
    #expect(throws: InvalidValue.self) {
      try Money(amount: decimal(text), currency: currency)
    }
    #expect(throws: InvalidValue.self) { try Money(amount: .nan, currency: "USD") }
  }

  @Test func `has the provider's decimals where they differ`() throws {
    let five = try decimal("5")
    #expect(try Money(amount: five, currency: "ISK", provider: .stripe).minorUnits == 500)
    #expect(try Money(amount: five, currency: "UGX", provider: .stripe).minorUnits == 500)
    #expect(try Money(amount: five, currency: "UGX", provider: .whop).minorUnits == 5)
    #expect(Currency.exponent(of: "JPY", at: .stripe) == 0)
    #expect(Currency.exponent(of: "KWD", at: .stripe) == 3)
    #expect(Currency.exponent(of: "USD", at: .stripe) == 2)
    #expect(Currency.exponent(of: "XXX") == nil)
    #expect(Money(minorUnits: 500, currency: "ISK").amount(at: .stripe) == five)
  }

  @Test(arguments: [
    (999, "USD", "9.99"), (5, "USD", "0.05"), (-5, "USD", "-0.05"), (0, "EUR", "0.00"),
    (500, "JPY", "500"), (1, "KWD", "0.001"), (Int64.min, "USD", "-92233720368547758.08"),
  ])
  func `is written with all its decimals`(minorUnits: Int64, currency: String, text: String) {
    #expect(Money(minorUnits: minorUnits, currency: currency).amountText() == text)
  }

  @Test func `comes back from its decimal form`() throws {
    var random = SeededGenerator(seed: freshSeed())
    for _ in 0..<500 {
      for currency in ["USD", "JPY", "KWD", "CLF"] {
        let minorUnits = Int64(bitPattern: random.next())
        let money = Money(minorUnits: minorUnits, currency: currency)
        let amount = try #require(money.amount())
        #expect(try Money(amount: amount, currency: currency) == money)
        #expect(try decimal(try #require(money.amountText())) == amount)
      }
    }
  }
}

@Suite struct `A duration` {
  @Test(arguments: [
    ("P1D", 86_400_000), ("P3D", 259_200_000), ("P1W", 604_800_000), ("PT2H", 7_200_000),
    ("PT2H30M", 9_000_000), ("P1DT1S", 86_401_000), ("P0DT1M", 60_000),
  ])
  func `of fixed parts has a length`(text: String, milliseconds: Int64) throws {
    #expect(try CalendarDuration(parsing: text).milliseconds == milliseconds)
  }

  @Test func `of months or years has no fixed length`() throws {
    for text in ["P1M", "P1Y", "P1Y2M3D", "P1MT1H"] {
      #expect(try CalendarDuration(parsing: text).milliseconds == nil)
      #expect(try CalendarDuration(parsing: text).description == text)
    }
    #expect(try CalendarDuration(parsing: "P9223372036854775807D").milliseconds == nil)
  }

  @Test(arguments: [
    "", "P", "PT", "1D", "P1", "P1D2M", "PT1D", "P1H", "P-1D", "P1.5D", "P1DT", "p1d", "P0D",
    "P1DD",
    "P1D ", "P99999999999999999999D", "P１D",
  ])
  func `in another form is refused`(text: String) {
    #expect(throws: InvalidValue.self) { try CalendarDuration(parsing: text) }
  }

  @Test func `is written without parts that are zero`() {
    #expect(CalendarDuration(seconds: 86400).description == "P1D")
    #expect(CalendarDuration(seconds: 9000).description == "PT2H30M")
    #expect(CalendarDuration(seconds: 90_061).description == "P1DT1H1M1S")
  }
}
