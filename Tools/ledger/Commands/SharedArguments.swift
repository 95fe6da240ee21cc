internal import MembershipModel

/// Arguments that several commands share, so that they read and explain them alike.
enum SharedArguments {
  static let customer: Argument<CustomerID> = .operand(
    "CUSTOMER", help: "The customer's id, or PROVIDER:ACCOUNT (stripe:cus_1).",
    completion: LedgerCandidates.customers)
  static let entitlement: Argument<EntitlementKey> = .operand(
    "ENTITLEMENT", help: "The entitlement's lookup key, such as premium_tier.",
    completion: LedgerCandidates.entitlements)
  static let at: Argument<TimeValue?> = .option(
    "at", help: "The instant asked about. Default: now.")
  static let environment: Argument<EnvironmentName?> = .option(
    "environment", help: "The environment asked about. Default: production.")
  static let knownAt: Argument<LogPoint?> = .option(
    "known-at", help: "Answer with what was known then. Default: everything recorded.")
}
