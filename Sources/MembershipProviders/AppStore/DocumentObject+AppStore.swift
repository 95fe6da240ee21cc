import MembershipModel

/// What the App Store writes in its own ways.
extension DocumentObject {
  /// Milliseconds since 1970; tests in Xcode give fractions of them, which are cut off.
  func date(_ key: String) -> Timestamp? {
    guard case .decimal(let value)? = given(key) else { return milliseconds(key) }
    let whole = "\(value)".prefix { $0 != "." }
    guard let milliseconds = Int64(whole) else { return self.milliseconds(key) }
    return object([key: .integer(milliseconds)]).milliseconds(key)
  }

  private func object(_ fields: KeyValuePairs<String, JSONValue>) -> DocumentObject {
    DocumentObject(.object(fields.map { .init($0.key, $0.value) }), faults: faults)
  }

  /// An amount in thousandths of the major unit of the field `currency`.
  ///
  /// One that is no whole number of minor units is not rounded: there is none, and that is noted.
  func price(_ key: String) -> Money? {
    guard let milliunits = integer(key), let code = text("currency")?.uppercased() else {
      return nil
    }
    guard let exponent = Currency.exponent(of: code) else {
      faults.note("the currency \(code) is not known")
      return nil
    }
    let scale = (0..<exponent).reduce(Int64(1)) { product, _ in product * 10 }
    let (product, overflows) = milliunits.multipliedReportingOverflow(by: scale)
    guard !overflows, product.isMultiple(of: 1000) else {
      faults.note("\(key) is no whole number of minor units of \(code)")
      return nil
    }
    return Money(minorUnits: product / 1000, currency: code)
  }

  /// The customer that the app named when it sold; ids without content name nobody.
  var accountToken: CustomerID? {
    guard let token = text("appAccountToken")?.lowercased() else { return nil }
    guard token.contains(where: { $0 != "0" && $0 != "-" }) else {
      faults.note("appAccountToken is of zeros only")
      return nil
    }
    return CustomerID(unchecked: token)
  }
}
