/// A name of one kind of thing: a customer, a membership, a transaction and so on.
///
/// Two identifiers are equal when their bytes are; they sort by their UTF-8 bytes. The kind is part
/// of the type, so that one kind cannot be passed where another is meant.
public struct Identifier<Kind>: Hashable, Sendable {
  /// The identifier as written, with its provider prefix where it has one (`stripe:sub_1`).
  public let rawValue: String

  /// The longest identifier in bytes of UTF-8: LMDB's limit for a key.
  public static var maximumLength: Int { 511 }

  /// Makes an identifier from 1 to 511 bytes of UTF-8 without control characters.
  ///
  /// - Parameter rawValue: The identifier, with its provider prefix where it has one.
  /// - Throws: `InvalidValue` that names the rule broken.
  public init(_ rawValue: String) throws(InvalidValue) {
    if let fault = Self.fault(in: rawValue) {
      throw InvalidValue(value: rawValue, rule: fault)
    }
    self.rawValue = rawValue
  }

  /// Takes a text that is known to be valid, or that is judged later as part of a whole event.
  package init(unchecked rawValue: String) {
    self.rawValue = rawValue
  }

  /// The rule that the text breaks, or nil where it is a valid identifier.
  package static func fault(in text: String) -> String? {
    if text.isEmpty { return "an identifier has at least one byte" }
    if text.utf8.count > maximumLength { return "an identifier has at most 511 bytes of UTF-8" }
    if holdsControlCharacter(text) { return "an identifier has no control characters" }
    return nil
  }

  /// Looks for U+0000 to U+001F and U+007F to U+009F, the latter from 0x80 on led by 0xC2 in UTF-8.
  private static func holdsControlCharacter(_ text: String) -> Bool {
    var previous: UInt8 = 0
    let bytes = text.utf8Span.span
    for index in bytes.indices {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x7f || (previous == 0xc2 && byte < 0xa0) { return true }
      previous = byte
    }
    return false
  }
}

extension Identifier {
  /// Compares bytes, since `String` takes texts for equal that only look the same.
  ///
  /// The synthesised hash agrees: equal bytes have equal hashes as strings.
  public static func == (left: Self, right: Self) -> Bool {
    // Of two texts of one length that look the same, one in ASCII leaves the other no choice.
    left.rawValue == right.rawValue && left.rawValue.utf8.count == right.rawValue.utf8.count
      && (left.rawValue.utf8Span.isKnownASCII
        || left.rawValue.utf8.elementsEqual(right.rawValue.utf8))
  }
}

extension Identifier: Comparable {
  /// Sorts by the bytes of the UTF-8 form, which is the order of keys on disk.
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}

extension Identifier: CustomStringConvertible {
  /// The identifier as written.
  public var description: String { rawValue }
}

extension Identifier: ExpressibleByStringLiteral {
  /// Makes an identifier from a literal of the program; a literal that breaks the rules traps.
  public init(stringLiteral value: String) {
    precondition(Self.fault(in: value) == nil, "invalid identifier literal: \(value)")
    self.rawValue = value
  }
}

/// The kinds of identifiers; these types have no values.
public enum IdentifierKind: Sendable {
  /// Of events.
  public enum Event: Sendable {}
  /// Of customers.
  public enum Customer: Sendable {}
  /// Of accounts at a provider.
  public enum Account: Sendable {}
  /// Of memberships.
  public enum Membership: Sendable {}
  /// Of transactions.
  public enum Transaction: Sendable {}
  /// Of payments, invoices and orders at a provider.
  public enum Reference: Sendable {}
  /// Of seats of a membership.
  public enum Seat: Sendable {}
  /// Of grants given by hand.
  public enum Grant: Sendable {}
  /// Of products in the catalog.
  public enum Product: Sendable {}
  /// Of plans in the catalog.
  public enum Plan: Sendable {}
  /// Of entitlements in the catalog (their lookup keys).
  public enum Entitlement: Sendable {}
}

/// The id of an event, unique for ever: the provider's own with a prefix, or a UUIDv7 of ours.
public typealias EventID = Identifier<IdentifierKind.Event>
/// The id of a customer: the service's own, or `PROVIDER:ACCOUNT` while the account is not linked.
public typealias CustomerID = Identifier<IdentifierKind.Customer>
/// The id of an account at a provider, such as `stripe:cus_1`.
public typealias AccountID = Identifier<IdentifierKind.Account>
/// The id of a membership: the store's subscription or order with its provider prefix.
public typealias MembershipID = Identifier<IdentifierKind.Membership>
/// The id of one transaction, with its provider prefix.
public typealias TransactionID = Identifier<IdentifierKind.Transaction>
/// The id of a payment, an invoice or an order, by which facts about money find transactions.
public typealias ReferenceID = Identifier<IdentifierKind.Reference>
/// The id of a seat of a membership, as the service chose it: no name or address of a person.
public typealias SeatID = Identifier<IdentifierKind.Seat>
/// The id of a grant given by hand.
public typealias GrantID = Identifier<IdentifierKind.Grant>
/// The id of a product in the catalog.
public typealias ProductID = Identifier<IdentifierKind.Product>
/// The id of a plan in the catalog.
public typealias PlanID = Identifier<IdentifierKind.Plan>
/// The key of an entitlement in the catalog, such as `premium_tier`.
public typealias EntitlementKey = Identifier<IdentifierKind.Entitlement>

/// A value from outside that breaks a rule of the model.
public struct InvalidValue: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value as given, shortened where it is long.
  public let value: String
  /// The rule it breaks.
  public let rule: String

  /// Makes an error that names a value and the rule it breaks.
  ///
  /// - Parameters:
  ///   - value: The value as given; only its first 80 characters are kept.
  ///   - rule: The rule, as a sentence without a full stop.
  public init(value: String, rule: String) {
    self.value = value.count > 80 ? String(value.prefix(80)) + "…" : value
    self.rule = rule
  }

  /// One line that names the value and the rule.
  public var description: String { "\"\(value)\": \(rule)" }
}
