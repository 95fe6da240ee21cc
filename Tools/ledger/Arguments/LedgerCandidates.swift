internal import MembershipLedger
internal import MembershipModel

/// Words that only the ledger at hand knows.
///
/// A shell waits for them at each press of a key, so a large ledger offers none; and one that
/// cannot be read offers none either, since there is no place for an error.
enum LedgerCandidates {
  static let customers = Completion.dynamic { candidates(in: $0, customers(of:)) }
  static let memberships = Completion.dynamic { candidates(in: $0, memberships(of:)) }
  static let customersAndMemberships = Completion.dynamic { context in
    candidates(in: context) { try customers(of: $0) + memberships(of: $0) }
  }
  static let entitlements = Completion.dynamic { candidates(in: $0, entitlements(of:)) }

  /// As many events as are read in a few milliseconds.
  private static let largestLog = 10_000

  private static func candidates(
    in context: CompletionContext, _ list: (Ledger) throws -> [Candidate]
  ) -> [Candidate] {
    let configuration = LedgerConfiguration(isReadOnly: true)
    guard let ledger = try? Ledger.open(context.ledgerPath, configuration) else { return [] }
    return (try? list(ledger)) ?? []
  }

  private static func customers(of ledger: Ledger) throws -> [Candidate] {
    guard try isSmall(ledger) else { return [] }
    return try ledger.customers().map { Candidate($0.rawValue) }
  }

  private static func memberships(of ledger: Ledger) throws -> [Candidate] {
    guard try isSmall(ledger) else { return [] }
    return try ledger.memberships().filter { $0.role == .owner }.map {
      let holder = $0.customer.map { ", of \($0)" } ?? ""
      return Candidate($0.id.rawValue, "\($0.status.rawValue)\(holder)")
    }
  }

  private static func entitlements(of ledger: Ledger) throws -> [Candidate] {
    try ledger.catalog()?.catalog.entitlements.map { Candidate($0.key.rawValue, $0.name) } ?? []
  }

  private static func isSmall(_ ledger: Ledger) throws -> Bool {
    try ledger.lastPosition() <= Position(UInt64(largestLog))
  }
}
