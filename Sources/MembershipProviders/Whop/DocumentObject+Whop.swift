import FoundationEssentials
import MembershipModel

extension DocumentObject {
  /// A time as any generation writes it: seconds since 1970, or RFC 3339.
  func moment(_ key: String) -> Timestamp? {
    given(key)?.integer == nil ? time(key) : instant(key)
  }

  /// The id of another object: expanded or bare, or under its older name.
  func related(_ key: String) -> String? {
    id(key) ?? text("\(key)_id")
  }

  /// What is sold: its product and its plan.
  var whopOffer: Offer {
    Offer(product: related("product") ?? id("access_pass") ?? "", plan: related("plan") ?? "")
  }

  /// The membership that the object is about.
  var whopMembership: MembershipID? {
    related("membership").flatMap { Self.identifier($0, faults) }
  }

  /// The account of the buyer: a user, else the company that bought.
  var whopAccount: AccountID? {
    (related("user") ?? text("company_buyer_id")).flatMap { Self.identifier($0, faults) }
  }

  /// An amount of the whole units that Whop writes, such as 6.9 or "6.90" for 6 dollars and 90.
  ///
  /// What it comes to in the smallest unit follows from the currency alone, never from the digits.
  func whopMoney(_ keys: String...) -> Money? {
    guard let key = keys.first(where: { given($0) != nil }), let field = given(key) else {
      return nil
    }
    let amount: Decimal? =
      switch field {
      case .integer(let units): Decimal(units)
      case .decimal(let units): units
      case .string(let text): (try? JSONValue(parsing: Array(text.utf8)))?.wholeUnits
      default: nil
      }
    guard let amount else {
      faults.note("\(key) is no amount")
      return nil
    }
    guard let currency = text("currency") ?? text("base_currency") else { return nil }
    do {
      return try Money(amount: amount, currency: currency)
    } catch {
      faults.note("\(key): \(error)")
      return nil
    }
  }
}

extension JSONValue {
  /// The number that the value is.
  fileprivate var wholeUnits: Decimal? {
    switch self {
    case .integer(let units): Decimal(units)
    case .decimal(let units): units
    default: nil
    }
  }
}
