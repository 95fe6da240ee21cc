import FoundationEssentials
import MembershipModel

/// The cells of a table, which hold text whatever it stands for; an empty one is not given.
extension DocumentObject {
  /// A cell that says whether something is so.
  func cell(_ key: String) -> Bool? {
    if let flag = given(key)?.bool { return flag }
    switch text(key)?.lowercased() {
    case nil: return nil
    case "true", "t", "1": return true
    case "false", "f", "0": return false
    default:
      faults.note("\(key) is neither true nor false")
      return nil
    }
  }

  func cell(_ key: String) -> Int64? {
    if let number = given(key)?.integer { return number }
    guard let text = text(key) else { return nil }
    if let number = Int64(text) { return number }
    faults.note("\(key) is no whole number")
    return nil
  }

  /// A time of day in UTC, such as `2026-01-31 08:27:06`, or in RFC 3339.
  func columnTime(_ key: String) -> Timestamp? {
    guard let text = text(key) else { return nil }
    let zoned = text.contains("T") || text.utf8.count < 11 ? text : Self.zoned(text)
    if let instant = try? Timestamp(parsing: zoned), instant >= .earliest, instant <= .latest {
      return instant
    }
    faults.note("\(key) is no time in UTC")
    return nil
  }

  private static func zoned(_ text: String) -> String {
    let parts = text.split(separator: " ")
    guard parts.count >= 2 else { return text }
    return "\(parts[0])T\(parts[1])Z"
  }

  /// An amount in the currency of the purchase.
  func columnMoney(_ key: String) -> Money? {
    guard let field = given(key), let currency = text("purchased_currency") else { return nil }
    let amount: Decimal? =
      switch field {
      case .integer(let whole): Decimal(whole)
      case .decimal(let decimal): decimal
      case .string(let text): Decimal(string: text)
      default: nil
      }
    guard let amount else {
      if field != .string("") { faults.note("\(key) is no number") }
      return nil
    }
    do {
      return try Money(amount: amount, currency: currency)
    } catch {
      faults.note("\(key): \(error)")
      return nil
    }
  }
}
