/// An amount of money in whole minor units of a currency, as the source wrote it.
///
/// The number of minor units in a major unit depends on the currency and, for a few currencies, on
/// the source; see `Currency.exponent(of:at:)`.
public struct Money: Hashable, Sendable {
  /// The amount in minor units, such as cents.
  public var minorUnits: Int64
  /// The ISO 4217 code in upper case, such as `USD`.
  public var currency: String
  /// Fields of newer schema versions.
  public var unknownFields = UnknownFields()

  /// Makes an amount.
  ///
  /// - Parameters:
  ///   - minorUnits: The amount in minor units.
  ///   - currency: The ISO 4217 code; letters are turned into upper case.
  public init(minorUnits: Int64, currency: String) {
    self.minorUnits = minorUnits
    self.currency = currency.uppercased()
  }
}

extension Money: Message {
  package static var messageName: String { "Money" }

  package static var blank: Money { Money(minorUnits: 0, currency: "") }

  package mutating func visit(_ visitor: inout some FieldVisitor) throws(WireError) {
    try visitor.field(1, "minorUnits", &minorUnits)
    try visitor.field(2, "currency", &currency)
  }

  package func validate() throws(WireError) {
    try require(currency, "currency")
  }
}
