import MembershipModel

/// The names of one customer of RevenueCat's, and which of them are the service's own.
struct RevenueCatIdentity {
  /// The account that the document is about.
  let account: AccountID?
  /// The service's own id of the customer; nil while RevenueCat knows anonymous names alone.
  let customer: CustomerID?
  private let names: [String]
  private let faults: DocumentFaults

  /// More names than this are not read: their links would crowd out what the event states.
  private static let maximumNames = 100

  /// Reads the names of a customer.
  ///
  /// - Parameters:
  ///   - named: The names that speak for the customer, the one in use first.
  ///   - others: All other names that the customer ever had.
  ///   - faults: Where names that cannot be used are told of.
  init(_ named: [String], others: [String] = [], _ faults: DocumentFaults) {
    var known: [String] = []
    for name in (named + others).prefix(Self.maximumNames) where !known.contains(name) {
      known.append(name)
    }
    if named.count + others.count > Self.maximumNames {
      faults.note("the customer has more than \(Self.maximumNames) names")
    }
    names = known
    self.faults = faults
    account = known.first.flatMap { DocumentObject.identifier($0, faults) }
    let speaker =
      named.first { !Self.isAnonymous($0) } ?? known.filter { !Self.isAnonymous($0) }.min()
    customer = speaker.map(CustomerID.init(unchecked:))
  }

  /// States whose accounts the names are; none of it makes an anonymous one somebody's by itself.
  func state(in facts: inout FactCollector) {
    guard let customer else { return }
    for name in names {
      if let account: AccountID = DocumentObject.identifier(name, faults) {
        facts.state(.accountLinked(AccountLink(account: account, customer: customer)))
      }
      if !Self.isAnonymous(name), name != customer.rawValue {
        let merge = CustomerMerge(from: CustomerID(unchecked: name), into: customer)
        facts.state(.customersMerged(merge))
      }
    }
  }

  /// Whether a name is RevenueCat's own, or one that it never takes for a customer's.
  static func isAnonymous(_ name: String) -> Bool {
    name.hasPrefix("$RCAnonymousID:") || placeholders.contains(name)
  }

  private static let placeholders: Set = [
    "no_user", "null", "none", "nil", "(null)", "NaN", "unidentified", "undefined", "unknown",
    "anonymous", "guest", "-1", "0", "[]", "{}", "[object Object]",
  ]
}

extension DocumentObject {
  /// The names in a list, of those that can be used.
  func names(_ key: String) -> [String] {
    guard let field = given(key) else { return [] }
    guard let elements = field.array else {
      faults.note("\(key) is no list")
      return []
    }
    return elements.compactMap { element in
      if let name = element.string, AccountID.fault(in: name) == nil { return name }
      faults.note("\(key) holds other than names")
      return nil
    }
  }

  /// The customer that an event is about.
  var identity: RevenueCatIdentity {
    let named = [text("app_user_id"), text("original_app_user_id")].compactMap { $0 }
    return RevenueCatIdentity(named, others: names("aliases"), faults)
  }
}
