/// Where facts come from.
public struct Provider: Hashable, Sendable, RawRepresentable {
  /// The provider's name, as in ids and on the command line.
  public let rawValue: String

  /// Makes a provider by its name.
  ///
  /// - Parameter rawValue: Lower-case letters, digits and hyphens.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Stripe.
  public static let stripe = Provider(rawValue: "stripe")
  /// Apple's App Store.
  public static let appStore = Provider(rawValue: "app-store")
  /// Google Play.
  public static let googlePlay = Provider(rawValue: "google-play")
  /// Whop.
  public static let whop = Provider(rawValue: "whop")
  /// Voidhash.
  public static let voidhash = Provider(rawValue: "voidhash")
  /// RevenueCat.
  public static let revenueCat = Provider(rawValue: "revenuecat")
  /// Our own hands.
  public static let manual = Provider(rawValue: "manual")

  /// The providers that this version knows.
  public static let known: [Provider] = [
    .stripe, .appStore, .googlePlay, .whop, .voidhash, .revenueCat, .manual,
  ]

  /// Whether this is one of the known providers.
  package var isKnown: Bool { Self.known.contains(self) }
}

extension Provider: FieldValue {
  package static var schemaType: String { "string" }
  package static var defaultValue: Provider { Provider(rawValue: "") }
  package static var isLengthDelimited: Bool { true }

  package func encode(to writer: inout WireWriter) {
    rawValue.encode(to: &writer)
  }

  package static func decode(
    from reader: inout WireReader, depth: Int
  ) throws(WireError) -> Provider {
    Provider(rawValue: try String.decode(from: &reader, depth: depth))
  }

  package var json: JSONValue { .string(rawValue) }

  package init(json: JSONValue) throws(InvalidValue) {
    self.init(rawValue: try String(json: json))
    guard isKnown else {
      let names = Self.known.map(\.rawValue).joined(separator: ", ")
      throw InvalidValue(value: rawValue, rule: "a provider is one of \(names)")
    }
  }
}

/// Whether money is real: facts of one environment never grant in the other.
@nonexhaustive public enum Environment: Hashable, Sendable {
  /// Real purchases.
  case production
  /// Test purchases.
  case sandbox
  /// A value of a newer version, by its number; it grants nowhere.
  case unrecognized(Int64)
}

extension Environment: OpenEnum {
  package static let known: [(value: Environment, number: Int64, name: String)] = [
    (.production, 1, "production"), (.sandbox, 2, "sandbox"),
  ]

  /// Not looked up in the table, and not generic: the key of every stored thing holds it.
  package var number: Int64 {
    switch self {
    case .production: 1
    case .sandbox: 2
    case .unrecognized(let number): number
    }
  }

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}

/// How an event came to be recorded.
@nonexhaustive public enum Origin: Hashable, Sendable {
  /// A provider sent it.
  case webhook
  /// It was taken over from a history.
  case `import`
  /// It is the difference between a provider's state and ours.
  case reconcile
  /// The checkout wrote it.
  case checkout
  /// Someone wrote it by hand.
  case manual
  /// A value of a newer version, by its number.
  case unrecognized(Int64)
}

extension Origin: OpenEnum {
  package static let known: [(value: Origin, number: Int64, name: String)] = [
    (.webhook, 1, "webhook"), (.import, 2, "import"), (.reconcile, 3, "reconcile"),
    (.checkout, 4, "checkout"), (.manual, 5, "manual"),
  ]

  package var unrecognizedNumber: Int64? {
    if case .unrecognized(let number) = self { number } else { nil }
  }
}
